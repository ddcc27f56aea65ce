"""INDRA evidence: does a sentence support the Statement that a reader took from it?"""
