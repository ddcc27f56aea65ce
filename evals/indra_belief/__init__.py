"""Belief in statements: a task whose figures compose the verdicts on all sentences of each."""
