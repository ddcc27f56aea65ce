"""EC numbers in a user's tables: predictions scored by hierarchical micro-F1."""
