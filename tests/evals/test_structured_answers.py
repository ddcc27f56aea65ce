"""Structured answers: the schemas that answers are held to, and what is read from a reply."""

from __future__ import annotations

import jsonschema
import pytest

from curieval.models.types import Reply
from evals.ec_number import prompt as ec_prompt
from evals.ec_number.cases import load_cases as load_ec
from evals.env_triad import prompt as triad_prompt
from evals.env_triad.cases import load_cases as load_triad
from scoring import parse_ec


def structured(parsed, text="{}"):
    return Reply(text=text, parsed=parsed, finish="stop")


@pytest.mark.parametrize(
    "request_of",
    [
        lambda: [triad_prompt.build_request(case) for case in load_triad(None)],
        lambda: [ec_prompt.build_request(load_ec(None)[0])],
    ],
    ids=["env_triad", "ec_number"],
)
def test_schemas_are_closed_and_all_their_fields_required(request_of):
    for request in request_of():
        jsonschema.Draft202012Validator.check_schema(request.schema)
        assert request.schema["additionalProperties"] is False
        assert request.schema["required"] == list(request.schema["properties"])


def test_a_triad_answer_is_one_of_the_allowed_values_where_there_is_a_set():
    cases = load_triad(None)
    with_set = [case for case in cases if case.allowed]
    assert with_set
    for case in with_set:
        schema = triad_prompt.build_request(case).schema
        for text in case.allowed:
            jsonschema.validate({"answer": text}, schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"answer": "office chair [ENVO:00000000]"}, schema)
    free = triad_prompt.answer_schema(())
    jsonschema.validate({"answer": "office chair [ENVO:00000000]"}, free)


def test_a_triad_answer_is_read_from_a_structured_reply_and_else_from_the_text():
    answer = "village biome [ENVO:01000246]"
    assert triad_prompt.answer_text(structured({"answer": answer})) == answer
    for odd in (None, {"answer": 3}, {"other": answer}, [answer]):
        assert triad_prompt.answer_text(structured(odd, text=answer)) == answer


def test_ec_numbers_are_read_from_a_structured_reply_and_none_from_an_empty_list():
    read = ec_prompt.answer_text
    two = {"ec_numbers": ["2.7.2.4", "1.1.1.3"]}
    jsonschema.validate(two, ec_prompt.ANSWER_SCHEMA)
    assert sorted(parse_ec(read(structured(two))).codes) == ["1.1.1.3", "2.7.2.4"]
    assert parse_ec(read(structured({"ec_numbers": []}))).reason == "explicit_none"
    assert read(structured(None, text="1.1.1.3")) == "1.1.1.3"
