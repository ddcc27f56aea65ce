"""Name the EC numbers of human genes, of their names, or of the reaction that is described."""

from evals.ec_number.prompt import answer_text
from evals.ec_number.task import EC_NUMBER, is_unreadable, score_answer
from fixtures.cases import evaluation
from scoring import parse_ec


@evaluation(EC_NUMBER)
def test_ec_number(case, reply, record):
    answer = parse_ec(answer_text(reply))
    record(score_answer(case, answer), unreadable=is_unreadable(answer))
