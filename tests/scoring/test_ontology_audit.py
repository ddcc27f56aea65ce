"""The audit of references: each way to be suspect, and values that are sound."""

import pytest

from scoring import allowed_values, audit_reference
from scoring.facts import SLOTS


@pytest.mark.parametrize(
    ("reference", "template", "slot", "reason"),
    [
        ("forest biome", "soil_data", "env_broad_scale", "unreadable: 'forest biome' does not"),
        (None, None, "env_broad_scale", "unreadable: 'None' does not"),
        ("tundra [NOPE:0000]", None, "env_broad_scale", "unknown_ontology: no ontology that is"),
        (
            "desert spring [ENVO:02000139]",
            "water_data",
            "env_local_scale",
            "unknown_id: envo 2025-10-20 has no ENVO:02000139",
        ),
        (
            "Temperate broadleaf and mixed forest biome [ENVO:00000876]",
            None,
            "env_broad_scale",
            "obsolete: ENVO:00000876 is obsolete in envo 2025-10-20; "
            "use ENVO:01000202, ENVO:01000212",
        ),
        (
            "oceanic epipelagic zone biome [ENVO:01000036]",
            "water_data",
            "env_broad_scale",
            "label_disagrees: ENVO:01000036 is 'oceanic mesopelagic zone biome', "
            "not 'oceanic epipelagic zone biome'",
        ),
        (
            "forest biome [ENVO:01000174]",
            "sediment_data",
            "env_broad_scale",
            "not_allowed: ENVO:01000174 is not in the env_broad_scale values of sediment_data",
        ),
        (
            "waste water [ENVO:00002001]",
            None,
            "env_broad_scale",
            "outside_branch: ENVO:00002001 (waste water) does not lie in the branch",
        ),
        ("leaf [PO:0025034]", None, "env_broad_scale", "outside_branch: PO:0025034 (leaf)"),
        ("quarrying [ENVO:01001438]", None, "env_local_scale", "outside_branch: ENVO:01001438"),
    ],
)
def test_suspect(envo, reference, template, slot, reason):
    found = audit_reference(reference, template=template, slot=slot, ontologies=envo)
    assert found is not None
    assert found.startswith(reason)


@pytest.mark.parametrize(
    ("reference", "template", "slot"),
    [
        ("__Forest Biome [ENVO:01000174]", "soil_data", "env_broad_scale"),
        ("leaf [PO:0025034]", "plant_associated_data", "env_medium"),
        ("soil [ENVO:00001998]", "air_data", "env_medium"),
        ("marsh [ENVO:00000035]", "soil_data", "env_local_scale"),
        ("marsh [ENVO:00000035]", "host_associated_data", "env_local_scale"),
    ],
)
def test_sound(envo, reference, template, slot):
    assert audit_reference(reference, template=template, slot=slot, ontologies=envo) is None


def test_a_value_set_of_ones_own_decides(envo):
    reference = "forest biome [ENVO:01000174]"
    assert audit_reference(reference, ontologies=envo, allowed={"ENVO:00000447"}).startswith(
        "not_allowed: ENVO:01000174 is not in the env_broad_scale values of the set"
    )


def test_shipped_values_are_sound_but_for_the_three_known_entries(envo):
    # desert spring and subterranean lake are missing from the release, the second in two
    # slots; rhizosphere is no environmental material.
    suspect = {
        (template, slot, curie)
        for template in ("soil_data", "water_data", "sediment_data", "plant_associated_data")
        for slot in SLOTS
        for curie, label in allowed_values(template, slot).items()
        if audit_reference(f"{label} [{curie}]", template=template, slot=slot, ontologies=envo)
    }
    assert suspect == {
        ("water_data", "env_local_scale", "ENVO:02000139"),
        ("water_data", "env_local_scale", "ENVO:02000145"),
        ("water_data", "env_medium", "ENVO:02000145"),
        ("plant_associated_data", "env_medium", "ENVO:00005801"),
    }
