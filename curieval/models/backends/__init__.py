"""How each kind of model is asked: one file a kind."""
