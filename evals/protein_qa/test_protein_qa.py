"""Answer a question about a protein; an adjudicator scores the answer from 0 to 100."""

from evals.protein_qa.task import PROTEIN_QA
from fixtures.cases import evaluation


@evaluation(PROTEIN_QA)
def test_protein_qa(case, reply, judgement, record):
    record({"llm_score": judgement.score, "judge_reason": judgement.reason})
