"""EC numbers of human genes: what a model knows of the reaction that a gene's product catalyses."""
