"""Beliefs in the statements of a file, and the priors that they are composed with."""
