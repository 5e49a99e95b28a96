"""Ways to models."""
