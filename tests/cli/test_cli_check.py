"""`curieval check env-triad`: references and samples audited, in tables and submissions."""

import json
from pathlib import Path

import pytest

from curieval.triad.schema import SubmissionSchema, installed_schema
from evals.env_triad.cases import CASE_FOLDER
from scoring import allowed_values
from scoring.facts import SLOTS
from tests.cli.running import curieval, read_table, refused, write_table

TUNDRA = "tundra biome [ENVO:01000180]"
SOIL = "soil [ENVO:00001998]"
FIELD = "agricultural field [ENVO:00000114]"
EPIPELAGIC = "oceanic epipelagic zone biome [ENVO:01000036]"


def submission(*samples, template="soil_data", **form):
    return {
        "id": "s",
        "status": "in-progress",
        "metadata_submission": {
            "packageName": ["soil"],
            "studyForm": {"studyName": "Plots", "description": "", "notes": None, **form},
            "sampleData": {
                template: list(samples),
                "jgi_mg_data": [{"samp_name": sample["samp_name"]} for sample in samples],
            },
        },
    }


def sample(name="one", **slots):
    values = {"env_broad_scale": TUNDRA, "env_local_scale": FIELD, "env_medium": SOIL}
    return {"samp_name": name, **values, **slots}


@pytest.mark.parametrize("slot", SLOTS)
def test_the_projects_own_references_are_sound(slot):
    ran = curieval("check", "env-triad", CASE_FOLDER / f"{slot}.jsonl", "--json")
    assert ran.code == 0
    lines = (CASE_FOLDER / f"{slot}.jsonl").read_text(encoding="utf-8").splitlines()
    accepted = sum(len(json.loads(line)["accepted"]) for line in lines)
    assert accepted
    assert ran.json["checked"] == {slot: len(lines) + accepted}
    assert ran.json["findings"] == []
    assert ran.json["schema"].startswith("held against the enums of nmdc-submission-schema 11.25.0")


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("forest", "unreadable"),
        ("", "unreadable"),
        ("sand [ENVO:99999999]", "unknown_id"),
        ("x [XYZ:0000001]", "unknown_ontology"),
        (EPIPELAGIC, "label_disagrees"),
        (SOIL, "not_allowed"),
    ],
)
def test_a_suspect_reference_gives_exit_code_1_with_place_and_reason(tmp_path, reference, code):
    rows = [
        {"id": "a", "truth": TUNDRA, "template": "soil_data"},
        {"id": "b", "truth": reference, "template": "soil_data"},
    ]
    table = write_table(tmp_path / "t.tsv", rows)
    ran = curieval("check", "env-triad", table, "--json")
    assert ran.code == 1
    (found,) = ran.json["findings"]
    assert (found["place"], found["id"], found["code"]) == (f"{table}:3", "b", code)
    text = curieval("check", "env-triad", table)
    assert text.code == 1
    assert f"b env_broad_scale: {code}: " in " ".join(text.out.split())


def test_accepted_values_are_audited_too(tmp_path):
    rows = [
        {"id": "a", "reference": TUNDRA, "accepted": "", "template": "soil_data"},
        {"id": "b", "reference": TUNDRA, "accepted": f"{SOIL}|0.5", "template": "soil_data"},
    ]
    ran = curieval("check", "env-triad", write_table(tmp_path / "t.tsv", rows), "--json")
    assert ran.code == 1
    assert ran.json["checked"] == {"env_broad_scale": 3}
    (found,) = ran.json["findings"]
    assert (found["id"], found["value"], found["code"]) == ("b", SOIL, "not_allowed")


def test_a_submission_is_audited_slot_by_slot(tmp_path):
    path = tmp_path / "submission.json"
    path.write_text(json.dumps(submission(sample("one"), sample("two", env_medium=""))))
    ran = curieval("check", "env-triad", path, "--json")
    assert ran.code == 0
    assert ran.json["checked"] == dict.fromkeys(SLOTS[:2], 2) | {"env_medium": 1}
    assert ran.json["empty"] == {"env_medium": 1}


@pytest.mark.parametrize("wrap", [list, lambda each: {"count": 1, "results": list(each)}])
def test_pages_of_submissions_read_alike(tmp_path, wrap):
    path = tmp_path / "page.json"
    page = wrap([submission(sample("one")), submission(sample("two", env_medium=EPIPELAGIC))])
    path.write_text(json.dumps(page))
    ran = curieval("check", "env-triad", path, "--slot", "env_medium", "--json")
    assert ran.code == 1
    (found,) = ran.json["findings"]
    assert (found["id"], found["template"], found["slot"]) == ("two", "soil_data", "env_medium")
    assert ran.json["checked"] == {"env_medium": 2}


def test_sample_data_alone_reads_alike(tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps({"water_data": [sample("one")]}))
    ran = curieval("check", "env-triad", path, "--json")
    assert {each["code"] for each in ran.json["findings"]} == {"not_allowed"}
    assert {each["template"] for each in ran.json["findings"]} == {"water_data"}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([1], "row 1: expected a JSON object"),
        ("text", "expected submissions or samples"),
        ({"id": 1}, "no sample data"),
        ({"metadata_submission": []}, "field 'metadata_submission'"),
        ({"metadata_submission": {"studyForm": 1}}, "field 'studyForm'"),
        ({"soil_data": {}}, "field 'soil_data': expected a list"),
        ({"soil_data": [1]}, "field 'soil_data', sample 1"),
        ({"soil_data": []}, "holds no rows"),
    ],
)
def test_json_of_another_shape_is_refused(tmp_path, document, message):
    path = tmp_path / "t.json"
    path.write_text(json.dumps(document))
    if document == {"soil_data": {}}:
        path.write_text('{"soil_data": {"a": 1}}')
    assert message in refused("check", "env-triad", path)


def test_a_spreadsheet_of_the_portal_has_titles_in_its_second_row(tmp_path):
    path = tmp_path / "export.tsv"
    titles = [
        "sample name",
        "broad-scale environmental context",
        "local environmental context",
        "environmental medium",
    ]
    path.write_text(
        "Sample ID\t\tMIxS Core\t\n" + "\t".join(titles) + f"\none\t__{TUNDRA}\t{FIELD}\tdirt\n"
    )
    ran = curieval("check", "env-triad", path, "--template", "soil_data", "--json")
    assert ran.json["checked"] == dict.fromkeys(SLOTS, 1)
    (found,) = ran.json["findings"]
    assert (found["place"], found["id"]) == (f"{path}:3", "one")
    assert (found["slot"], found["code"]) == ("env_medium", "unreadable")


def test_suspect_values_are_written_to_a_table(tmp_path):
    rows = [{"reference": EPIPELAGIC, "template": "water_data"}] * 60
    out = tmp_path / "suspect.csv"
    ran = curieval("check", "env-triad", write_table(tmp_path / "t.tsv", rows), "-o", out)
    assert ran.code == 1
    assert "and 20 more: --out FILE writes them all" in ran.out
    found = read_table(out)
    assert len(found) == 60
    assert found[59]["place"].endswith("t.tsv:61")
    assert found[0]["code"] == "label_disagrees"


def test_tables_without_such_columns_are_refused(tmp_path):
    table = write_table(tmp_path / "t.tsv", [{"id": "a", "biome": TUNDRA}])
    line = refused("check", "env-triad", table)
    assert "neither a column 'reference' (or 'truth') nor env_broad_scale" in line
    assert "'id', 'biome'" in line
    assert curieval("check", "env-triad", table, "--column", "reference=biome").code == 0


def test_the_schemas_enums_are_asked_themselves():
    schema = installed_schema()
    assert schema is not None
    assert len(schema.enums) == 12
    for (template, slot), (name, values) in schema.enums.items():
        shipped = {f"{label} [{curie}]" for curie, label in allowed_values(template, slot).items()}
        assert values == shipped, name
    assert schema.problem(f"__{TUNDRA} ", "soil_data", "env_broad_scale") is None
    assert schema.problem("anything", "air_data", "env_broad_scale") is None
    said = schema.problem("Tundra biome [ENVO:01000180]", "soil_data", "env_broad_scale")
    assert said.startswith("not_in_schema: 'Tundra biome [ENVO:01000180]' is no value of EnvBroad")


def test_a_value_outside_the_installed_enum_is_suspect(tmp_path):
    rows = [{"reference": "Tundra biome [ENVO:01000180]", "template": "soil_data"}]
    table = write_table(tmp_path / "t.tsv", rows)
    ran = curieval("check", "env-triad", table, "--json")
    assert ran.code == 1
    assert ran.json["codes"] == {"not_in_schema": 1}


def test_without_the_schema_the_audit_says_so(tmp_path, monkeypatch):
    import curieval.triad.schema as room

    monkeypatch.setattr(room, "PACKAGE", "no-such-package")
    installed_schema.cache_clear()
    try:
        table = write_table(tmp_path / "t.tsv", [{"reference": TUNDRA}])
        ran = curieval("check", "env-triad", table)
    finally:
        installed_schema.cache_clear()
    assert ran.code == 0
    assert "is not installed: values were held against the shipped value sets alone" in " ".join(
        ran.out.split()
    )


def test_schema_problems_name_the_release():
    schema = SubmissionSchema(release="1.2", enums={("t", "s"): ("E", frozenset({"a [X:1]"}))})
    assert schema.problem("b", "t", "s").endswith(
        "'b' is no value of E (nmdc-submission-schema 1.2)"
    )


def test_files_are_named_as_the_user_named_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table(Path("t.tsv"), [{"reference": "junk"}])
    assert curieval("check", "env-triad", "t.tsv").out.startswith("t.tsv:2 ")
