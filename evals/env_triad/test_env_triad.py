"""Predict broad scale, local scale and medium of a biosample from its metadata."""

from evals.env_triad.prompt import answer_text
from evals.env_triad.task import ENV_TRIAD, score_answer
from fixtures.cases import evaluation


@evaluation(ENV_TRIAD)
def test_env_triad(case, reply, record, ontologies):
    score = score_answer(case, answer_text(reply), ontologies)
    record(score.as_row(), unreadable=not score.parse_success)
