"""Values and pure rules of conversation testing.

Standard library and pydantic only; no I/O, no async, no clock, no randomness.
"""
