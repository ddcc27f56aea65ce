"""Statements of a file on the command line: each of their sentences scored by a model."""
