"""Say whether a sentence supports a statement; the verdicts on all give the belief in it."""

from evals.indra_belief.task import INDRA_BELIEF, score_answer
from fixtures.cases import evaluation
from scoring import parse_verdict


@evaluation(INDRA_BELIEF)
def test_indra_belief(case, reply, record):
    said = parse_verdict(reply.text)
    record(score_answer(case, said), unreadable=said.verdict is None)
