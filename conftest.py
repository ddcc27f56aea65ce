"""Names the plugins of the harness."""

pytest_plugins = [
    "fixtures.options",
    "fixtures.models",
    "fixtures.judge",
    "fixtures.record",
    "fixtures.ontologies",
    "fixtures.beforehand",
    "fixtures.setup",
]
