"""Say whether a sentence supports what a reader took from it; an answer is a verdict."""

from evals.indra_evidence.task import INDRA_EVIDENCE, score_answer
from fixtures.cases import evaluation
from scoring import parse_verdict


@evaluation(INDRA_EVIDENCE)
def test_indra_evidence(case, reply, record):
    said = parse_verdict(reply.text)
    record(score_answer(case, said), unreadable=said.verdict is None)
