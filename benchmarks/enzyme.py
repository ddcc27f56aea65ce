"""What EC numbers cost: scoring beside scikit-learn's sparse route, reading answers, intervals.

score      proteins a second from strings to hierarchical micro-F1, ours and scikit-learn's
           (sets of prefixes, sparse MultiLabelBinarizer, f1_score) on the same corpus, and
           that both give the same number
linear     seconds a protein at ten times as many, over seconds a protein
memory     the peak that scoring allocates, MiB, beyond its input
parse      answers a second, none seen before: numbers alone, sentences, markdown, JSON
bootstrap  seconds for the resamples

The last line is one JSON object. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
import time
import tracemalloc
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from scoring import bootstrap_micro_f1, hierarchical_micro_f1, parse_ec  # noqa: E402
from scoring.ec_numbers import load_ec_facts  # noqa: E402

# How models answer when asked for a number, most of them briefly; {0} and {1} are numbers.
ANSWERS = {
    "number": ["{0}", "EC {0}", "EC {0}.", "EC:{0}", "**EC {0}**"],
    "list": ["EC {0}; EC {1}", "{0}, {1}"],
    "sentence": [
        "The enzyme is a kinase (EC {0}).",
        "This protein has the EC number {0}.",
        "It catalyses the transfer of a phosphate group at pH 7.4, which makes it EC {0}.",
    ],
    "context": ["Final answer: EC {0}", "It is EC {0}, formerly EC {1}."],
    "json": ['{{"ec": "{0}"}}'],
}


def corpus(n: int, seed: int = 0) -> tuple[list[list[str]], list[list[str]]]:
    """References and predictions of n proteins, half of them right, some with none or several."""
    chance = random.Random(seed)
    numbers = sorted(code for code in load_ec_facts().valid if code.count(".") == 3)
    reference, prediction = [], []
    for _ in range(n):
        true = chance.choices(numbers, k=chance.choice((0, 1, 1, 1, 1, 1, 1, 2, 2, 3)))
        guess = chance.choices(numbers, k=chance.choice((0, 1, 1, 1, 2)))
        reference.append(true)
        prediction.append(list(true) if chance.random() < 0.5 else guess)
    return reference, prediction


def by_scikit_learn(reference: list[list[str]], prediction: list[list[str]]) -> float:
    """The same figure by sets of prefixes and scikit-learn's sparse route."""
    from sklearn.metrics import f1_score
    from sklearn.preprocessing import MultiLabelBinarizer

    def prefixes(codes: list[str]) -> set[str]:
        fields = [code.split(".") for code in codes]
        return {".".join(code[:depth]) for code in fields for depth in range(1, 5)}

    true, pred = [list(map(prefixes, side)) for side in (reference, prediction)]
    binarizer = MultiLabelBinarizer(sparse_output=True).fit(true + pred)
    return float(f1_score(binarizer.transform(true), binarizer.transform(pred), average="micro"))


def seconds(job, repeats: int = 3) -> float:
    """The least wall time of a job over some repeats."""
    least = float("inf")
    for _ in range(repeats):
        started = time.perf_counter()
        job()
        least = min(least, time.perf_counter() - started)
    return least


def parse_speeds(n: int) -> dict[str, float]:
    """Answers a second of each kind, and of all kinds mixed; each answer is another text."""
    chance = random.Random(1)
    numbers = sorted(code for code in load_ec_facts().valid if code.count(".") == 3)
    speeds, every = {}, []
    for kind, forms in ANSWERS.items():
        texts = [
            f"{chance.choice(forms).format(*chance.sample(numbers, 2))}{' ' * (place % 50)}"
            for place in range(n)
        ]
        texts = list(dict.fromkeys(texts))
        started = time.perf_counter()
        for text in texts:
            parse_ec(text)
        speeds[kind] = len(texts) / (time.perf_counter() - started)
        every.append(len(texts) / speeds[kind])
    speeds["mixed"] = n * len(ANSWERS) / sum(every)
    return {kind: round(speed) for kind, speed in speeds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--proteins", type=int, default=100_000)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--answers", type=int, default=20_000, help="answers of each kind")
    options = parser.parse_args()

    reference, prediction = corpus(options.proteins)
    sides = {"reference": reference, "prediction": prediction}
    score = hierarchical_micro_f1(**sides)
    ours = seconds(lambda: hierarchical_micro_f1(**sides))
    tracemalloc.start()
    hierarchical_micro_f1(**sides)
    memory = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    theirs = seconds(lambda: by_scikit_learn(reference, prediction), repeats=1)
    difference = abs(by_scikit_learn(reference, prediction) - score.f1)
    print(f"score      {options.proteins / ours:12,.0f} proteins/s, {memory:.0f} MiB")
    print(f"           {options.proteins / theirs:12,.0f} proteins/s by scikit-learn")
    print(f"           {theirs / ours:12.1f} times as fast, difference {difference:.1e}")

    many = corpus(10 * options.proteins, seed=1)
    longer = seconds(lambda: hierarchical_micro_f1(reference=many[0], prediction=many[1]), 2)
    print(f"linear     {longer / ours / 10:12.2f} times the seconds a protein at 10 times as many")

    drawn = seconds(
        lambda: bootstrap_micro_f1(score.counts, resamples=options.resamples), repeats=1
    )
    print(f"bootstrap  {drawn:12.2f} s for {options.resamples:,} resamples")

    parsed = parse_speeds(options.answers)
    for kind, speed in parsed.items():
        print(f"parse      {speed:12,} answers/s ({kind})")
    print(
        json.dumps(
            {
                "proteins": options.proteins,
                "proteins_per_second": round(options.proteins / ours),
                "scikit_learn_ratio": round(theirs / ours, 1),
                "difference": difference,
                "memory_mib": round(memory, 1),
                "seconds_a_protein_at_10_times": round(longer / ours / 10, 2),
                "bootstrap_seconds": round(drawn, 2),
                "answers_per_second": parsed,
                "python": platform.python_version(),
            }
        )
    )


if __name__ == "__main__":
    main()
