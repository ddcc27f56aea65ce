"""Runs of a judged task, with scores from 0 to 100, written by the real writer."""

from __future__ import annotations

from runs import item, record, write_leg

from curieval.report import build_report, read_run

FIGURES = [{"name": "llm_score", "aggregate": "mean", "primary": True, "scale": 100.0}]
HELD = ("reference", "another_protein", "denied", "injection", "padding", "readable")


def judge(*, model="reference-judge", trusted=True, held=None, **identity):
    canaries = {name: {"n": 12, "held": 12, "failed": []} for name in HELD}
    for name, times in (held or {}).items():
        failed = [{"case": f"case-{n}", "score": 88.0} for n in range(12 - times)]
        canaries[name] = {"n": 12, "held": times, "failed": failed}
    known = {"full": {"worth": 100.0, "n": 12, "mean": 97.5}}
    return {
        "model": model,
        "identity": {"name": model, **identity},
        "check": {"trusted": trusted, "canaries": canaries, "known_quality": known},
    }


def question(number, *, model="m", repeat=1, kind="function"):
    planned = item(number, task="protein_qa", model=model, repeat=repeat)
    return {**planned, "slices": {"kind": kind}}


def answer(planned, score, **more):
    state = {} if score is not None else {"state": "unscored", "reason": "judge_unreadable"}
    return {**record(planned, score, **state, **more),
            "scores": {} if score is None else {"llm_score": score}}  # fmt: skip


def write_judged(folder, scores, *, judged=None, figures=FIGURES, model="m", **about):
    """A run of one question a score; None is an answer that the judge could not score."""
    items = [question(n, model=model) for n in range(len(scores))]
    lines = [answer(each, score) for each, score in zip(items, scores, strict=True)]
    more = {"judges": {"protein_qa": judged}} if judged else {}
    write_leg(folder, items, lines, models=(model,), task="protein_qa", figures=figures,
              **more, **about)  # fmt: skip
    run = read_run(folder)
    return build_report(run, baselines={})
