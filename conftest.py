"""Names the plugins of the harness."""

pytest_plugins = [
    "fixtures.options",
    "fixtures.ontologies",
    "fixtures.models",
    "fixtures.judge",
    "fixtures.record",
    "fixtures.beforehand",
    "fixtures.setup",
]
