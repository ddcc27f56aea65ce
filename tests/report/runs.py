"""Run folders for the tests, written by the real writer."""

from __future__ import annotations

from types import SimpleNamespace

from curieval.report import RecordWriter

FIGURES = [
    {"name": "hierarchical_f1", "aggregate": "mean", "primary": True},
    {"name": "ontology_score", "aggregate": "mean", "primary": False},
]


def manifest(
    *,
    models=("embedded",),
    task="env_triad",
    case_set="all",
    n_cases=4,
    sha="ab",
    figures=FIGURES,
    **more,
):
    return {
        "versions": {"curieval": "0.1.0"},
        "models": [{"name": name, "slug": name, "identity": {"name": name}} for name in models],
        "tasks": {
            task: {
                "figures": figures,
                "headline_slice": "slot",
                "case_sets": dict.fromkeys(models, case_set),
                "n_cases": n_cases,
                "data_sha256": sha,
            }
        },
        "ontologies": [],
        "options": {},
        **more,
    }


def item(number, *, slot="env_broad_scale", model="embedded", task="env_triad", repeat=1):
    case = f"soil-{number:02}"
    suffix = f"-r{repeat}" if repeat > 1 else ""
    return {
        "id": f"{case}-{model}{suffix}",
        "task": task,
        "case": case,
        "model": model,
        "repeat": repeat,
        "slices": {"slot": slot},
    }


def reply(**more):
    return {
        "text": "soil [ENVO:00001998]",
        "finish": "stop",
        "seconds": 1.0,
        "attempts": 1,
        "from_cache": False,
        "cost_usd": 0.25,
        "tokens_in": 100,
        "tokens_out": 10,
        "tokens_cached": 50,
        "tokens_cache_write": None,
        "tokens_reasoning": None,
        **more,
    }


def record(planned, score=None, *, state="scored", reason=None, flags=(), answer=None, **more):
    scored = state == "scored"
    return {
        "kind": "record",
        **planned,
        "label": f"label of {planned['case']}",
        "reference": "soil [ENVO:00001998]",
        "origin": "cases.jsonl:1",
        "state": state,
        "reason": reason,
        "detail": None,
        "flags": list(flags),
        "scores": {"hierarchical_f1": score, "ontology_score": score} if scored else {},
        "reply": (answer or reply()) if scored else None,
        "prompt": {"prefix": None, "user": "What is it?"},
        **more,
    }


def write_leg(folder, planned, records, *, end=True, **about):
    about.setdefault("n_cases", len(planned) + (about.get("case_set", "all") != "all"))
    with RecordWriter(folder) as writer:
        started = "2026-12-01T10:00:00+00:00"
        writer.write({"kind": "run", "started": started, "manifest": manifest(**about)})
        writer.write({"kind": "plan", "items": list(planned)})
        for line in records:
            writer.write(line)
        if end:
            writer.write({"kind": "end", "finished": started, "interrupted": False, "exit_code": 0})
        return writer.leg


def flat_baselines(constant=0.5, random=0.25):
    """Baselines that are the same whatever was scored."""
    figures = {"hierarchical_f1": constant, "ontology_score": constant}
    draws = {"hierarchical_f1": random, "ontology_score": random}

    def baselines(records):
        return (
            SimpleNamespace(name="constant", answer="biome [ENVO:00000428]", figures=figures),
            SimpleNamespace(name="random", answer="", figures=draws),
        )

    return {"env_triad": baselines}
