"""Predict broad scale, local scale, medium or template of a biosample from its metadata."""

from evals.env_triad.prompt import answer_text
from evals.env_triad.task import ENV_TRIAD, score_row
from evals.env_triad.templates import score_template
from fixtures.cases import evaluation


@evaluation(ENV_TRIAD)
def test_env_triad(case, reply, record, ontologies):
    if case.slot == "sampleData":
        named = score_template(answer_text(reply), case.reference)
        record(named.as_row(), unreadable=named.pred_class is None)
        return
    scores = score_row(case, answer_text(reply), ontologies)
    record(scores, unreadable=not scores["parse_success"])
