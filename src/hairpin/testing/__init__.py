"""Tools for testing a Hairpin setup: a model server that answers as scripted, on a real socket.

Public; everything that is not listed here is private.
"""

from __future__ import annotations

from hairpin.testing.embedding_answers import embed_texts, input_texts, text_vector, vectors_answer
from hairpin.testing.model_server import FakeModelServer
from hairpin.testing.received import Ending, FakeRequest
from hairpin.testing.request_log import ServerTotals
from hairpin.testing.role_player import play_roles
from hairpin.testing.schema_filling import fill_schema, minimal_json
from hairpin.testing.scripted_answers import Answer, Answerer, Cut, Drip, FakeAnswer, echo

__all__ = [
    "Answer",
    "Answerer",
    "Cut",
    "Drip",
    "Ending",
    "FakeAnswer",
    "FakeModelServer",
    "FakeRequest",
    "ServerTotals",
    "echo",
    "embed_texts",
    "fill_schema",
    "input_texts",
    "minimal_json",
    "play_roles",
    "text_vector",
    "vectors_answer",
]
