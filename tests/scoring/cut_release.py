"""Cuts a release of ENVO down to the allowed values and their ancestors, for the drift tests.

`python tests/scoring/cut_release.py envo-2025-02-05.obo.gz tests/vectors/envo-2025-02-05.jsonl.gz`
"""

import gzip
import sys
from pathlib import Path

from enum_data.write_ontology import compress
from scoring import parse_obo
from scoring.facts import all_allowed_values, facts_line


def cut(source: Path) -> bytes:
    """The facts of the terms that matter to value sets, without synonyms."""
    document = gzip.decompress(source.read_bytes()).decode()
    ontology = parse_obo(document.split("\n"))
    wanted = {above for curie in all_allowed_values() for above in ontology.ancestors(curie)}
    terms = [ontology.term(curie)._replace(synonyms=()) for curie in sorted(wanted)]
    return compress("".join(facts_line(term) + "\n" for term in terms))


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(cut(Path(sys.argv[1])))
