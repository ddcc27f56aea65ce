"""A small ontology in each of the forms that can be opened."""

import pytest

from scoring import parse_obo

OBO = """\
format-version: 1.2
data-version: releases/2031-02-03
ontology: toy

[Term]
id: ENVO:00000001
name: water body

[Term]
id: ENVO:00000002
name: lake
synonym: "mere" EXACT []
synonym: "pool" BROAD []
is_a: ENVO:00000001 ! water body

[Term]
id: ENVO:00000003
name: crater lake
is_a: ENVO:00000002 ! lake

[Term]
id: ENVO:00000004
name: obsolete tarn
is_obsolete: true
replaced_by: ENVO:00000002

[Term]
id: ENVO:00000005
name: obsolete puddle
is_obsolete: true
consider: http://purl.obolibrary.org/obo/ENVO_00000001
"""

PURL = "http://purl.obolibrary.org/obo/"
OBOGRAPH = {
    "graphs": [
        {
            "id": f"{PURL}toy.owl",
            "meta": {"version": f"{PURL}toy/releases/2031-02-03/toy.owl"},
            "nodes": [
                {"id": f"{PURL}ENVO_00000001", "lbl": "water body", "type": "CLASS"},
                {
                    "id": f"{PURL}ENVO_00000002",
                    "lbl": "lake",
                    "type": "CLASS",
                    "meta": {
                        "synonyms": [
                            {"pred": "hasExactSynonym", "val": "mere"},
                            {"pred": "hasBroadSynonym", "val": "pool"},
                        ]
                    },
                },
                {"id": f"{PURL}ENVO_00000003", "lbl": "crater lake", "type": "CLASS"},
                {
                    "id": f"{PURL}ENVO_00000004",
                    "lbl": "obsolete tarn",
                    "type": "CLASS",
                    "meta": {
                        "deprecated": True,
                        "basicPropertyValues": [
                            {"pred": f"{PURL}IAO_0100001", "val": f"{PURL}ENVO_00000002"}
                        ],
                    },
                },
                {
                    "id": f"{PURL}ENVO_00000005",
                    "lbl": "obsolete puddle",
                    "type": "CLASS",
                    "meta": {
                        "deprecated": True,
                        "basicPropertyValues": [
                            {
                                "pred": "http://www.geneontology.org/formats/oboInOwl#consider",
                                "val": "ENVO:00000001",
                            }
                        ],
                    },
                },
                {"id": f"{PURL}BFO_0000050", "lbl": "part of", "type": "PROPERTY"},
            ],
            "edges": [
                {"sub": f"{PURL}ENVO_00000002", "pred": "is_a", "obj": f"{PURL}ENVO_00000001"},
                {"sub": f"{PURL}ENVO_00000003", "pred": "is_a", "obj": f"{PURL}ENVO_00000002"},
                {
                    "sub": f"{PURL}ENVO_00000003",
                    "pred": f"{PURL}BFO_0000050",
                    "obj": f"{PURL}ENVO_00000001",
                },
            ],
        }
    ]
}


@pytest.fixture
def toy():
    return parse_obo(OBO.split("\n"))


@pytest.fixture
def obo():
    return OBO


@pytest.fixture
def obograph():
    return OBOGRAPH


def facts(ontology):
    """All that an ontology says, for comparing one form with another."""
    return {
        curie: ontology.term(curie)._replace(synonyms=sorted(ontology.synonyms(curie)))
        for curie in ontology
    }


@pytest.fixture
def same():
    def compare(one, other):
        assert facts(one) == facts(other)
        assert (one.name, one.release) == (other.name, other.release)

    return compare
