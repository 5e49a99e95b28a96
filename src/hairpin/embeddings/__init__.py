"""Encoders: texts to unit vectors, with a cache on disk, off the event loop.

Wraps sentence-transformers and torch, which are imported only when a model is loaded.
"""
