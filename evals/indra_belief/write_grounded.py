"""Writes grounded.json: the claims of the authored statements, and what tier 1 finds of agents."""

from evals.indra_belief.cases import GROUNDED, own_rows
from evals.indra_evidence.write_grounded import grounded_text

if __name__ == "__main__":
    GROUNDED.write_text(grounded_text(own_rows()), encoding="utf-8")
