# Everything that has to hold before a change goes in.
check: format lint types test

format:
    uv run ruff format --check .

lint:
    uv run ruff check .

types:
    uv run mypy

test:
    uv run pytest

# The main job, on the embedded model.
evals:
    uv run pytest evals -n 8

# Rewrite the shipped facts; needs the OBO files of ENVO and PO.
facts envo po:
    uv run python enum_data/write_ontology.py {{envo}} {{po}}
    uv run python enum_data/write_value_sets.py

benchmark name:
    uv run python benchmarks/{{name}}.py
