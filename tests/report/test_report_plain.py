"""Whatever is recorded becomes strict JSON, and what was replaced is named."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curieval.report.plain import LONGEST_TEXT, to_plain


class Colour(Enum):
    RED = "red"


@dataclass
class Point:
    x: int
    y: float


class Hostile:
    def __repr__(self):
        raise RuntimeError("no repr for you")

    def __reduce__(self):
        raise RuntimeError("no pickle for you")


class HostileMapping(dict):
    def items(self):
        raise RuntimeError("no items for you")


def strict(text):
    def refuse(token):
        raise ValueError(token)

    return json.loads(text, parse_constant=refuse)


def holding_itself():
    loop = []
    loop.append(loop)
    return loop


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal("0.25"), 0.25),
        (Colour.RED, "red"),
        (Point(1, 2.5), {"x": 1, "y": 2.5}),
        (PurePosixPath("a/b"), "a/b"),
        (b"caf\xc3\xa9", "café"),
        ((1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        (True, True),
    ],
)
def test_common_values_pass_without_a_note(value, expected):
    plain = to_plain({"x": value})
    assert plain.value == {"x": expected}
    assert plain.notes == ()


@pytest.mark.parametrize(
    ("value", "expected", "note"),
    [
        (math.nan, None, "nan replaced"),
        (-math.inf, None, "-inf replaced"),
        (Decimal("NaN"), None, "nan replaced"),
        (2**60, float(2**60), "rounded"),
        (10**400, 1.7976931348623157e308, "rounded"),
        ("a\ud800b", "a\ufffdb", "surrogates"),
        ("x" * (LONGEST_TEXT + 1), "x" * LONGEST_TEXT, "cut from 1000001"),
        (Hostile(), "<unreadable Hostile>", "RuntimeError"),
        (HostileMapping(a=1), "<unreadable HostileMapping>", "RuntimeError"),
        (holding_itself(), ["<holds itself>"], "holds itself"),
        ({1: "a"}, {"1": "a"}, "key 1 is no text"),
    ],
    ids=str.split(
        "nan inf decimal-nan big huge surrogate long hostile hostile-mapping loop number-key"
    ),
)
def test_what_json_cannot_say_is_replaced_and_named(value, expected, note):
    plain = to_plain({"x": value})
    assert plain.value == {"x": expected}
    assert plain.notes[0].startswith("x")
    assert note in plain.notes[0]


def test_a_key_twice_is_named():
    plain = to_plain({1: "a", "1": "b"})
    assert plain.value == {"1": "b"}
    assert any("twice" in note for note in plain.notes)


def test_deep_nesting_is_cut():
    plain = to_plain(nested(5_000))
    assert "nested deeper" in plain.notes[0]
    assert json.dumps(plain.value).count("[") < 100


def test_numpy_values():
    numpy = pytest.importorskip("numpy")
    plain = to_plain(
        {
            "f": numpy.float32(0.5),
            "i": numpy.int64(3),
            "b": numpy.bool_(True),
            "a": numpy.array([1.0, numpy.nan]),
            "s": numpy.str_("soil"),
        }
    )
    assert plain.value == {"f": 0.5, "i": 3, "b": True, "a": [1.0, None], "s": "soil"}
    assert plain.notes == ("a[1]: nan replaced by null",)


def test_cleaning_reaches_texts_and_keys():
    plain = to_plain({"sk-1": ["say sk-1", {"x": "sk-1"}]}, clean=lambda t: t.replace("sk-1", "*"))
    assert plain.value == {"*": ["say *", {"x": "*"}]}


def test_a_text_that_cannot_be_cleaned_is_withheld():
    def clean(text):
        if "secret" in text:
            raise ValueError
        return text

    assert to_plain({"x": "secret"}, clean=clean).value == {"x": "<withheld>"}


def test_many_notes_are_counted():
    assert to_plain([math.nan] * 100).notes[-1] == "and 80 more"


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec=None))
    | st.binary()
    | st.decimals()
    | st.fractions()
    | st.dates()
    | st.builds(Hostile),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=20,
)


@given(anything)
def test_any_value_becomes_strict_json(value):
    plain = to_plain(value)
    text = json.dumps(plain.value, allow_nan=False, ensure_ascii=False)
    assert strict(text.encode().decode()) == plain.value
    assert to_plain(plain.value).value == plain.value
    assert to_plain(plain.value).notes == ()
