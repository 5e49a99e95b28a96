"""Finding, reading and validating packs and scenarios."""
