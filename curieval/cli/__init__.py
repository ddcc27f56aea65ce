"""`curieval`: scoring, auditing and building suites on the command line."""

from curieval.cli.main import app, main

__all__ = ["app", "main"]
