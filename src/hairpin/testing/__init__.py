"""Tools for testing a Hairpin setup: a model server that answers as scripted, on a real socket.

Public; everything that is not listed here is private.
"""

from __future__ import annotations

from hairpin.testing.model_server import FakeModelServer
from hairpin.testing.scripted_answers import FakeAnswer, FakeRequest

__all__ = ["FakeAnswer", "FakeModelServer", "FakeRequest"]
