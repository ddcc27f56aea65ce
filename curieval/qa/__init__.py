"""Protein answers on the command line: judging them, judging the judge, and people's ratings."""
