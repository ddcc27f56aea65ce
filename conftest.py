"""Names the plugins of the harness."""

pytest_plugins = [
    "fixtures.options",
    "fixtures.record",
    "fixtures.models",
    "fixtures.ontologies",
    "fixtures.setup",
]
