"""Deterministic roles: templates and signals from the packs, no model, no network."""
