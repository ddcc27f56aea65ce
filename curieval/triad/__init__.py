"""The environmental triad in a user's tables: predictions scored, references audited."""
