"""What the fake model server answers to requests for vectors: some that depend on nothing but the text.

It knows no meaning: texts that say the same are no closer than others.
"""

from __future__ import annotations

import hashlib
from typing import Final

from pydantic import JsonValue

from hairpin.testing.received import FakeRequest
from hairpin.testing.scripted_answers import FakeAnswer

DIMENSION: Final = 8
"""Numbers per vector; 32 at most."""

_MIDDLE: Final = 127.3
"""Between two bytes, so that no number is 0 and no vector either."""


def embed_texts(request: FakeRequest) -> FakeAnswer:
    """Answer with one vector per text: what the server does when nothing is scripted.

    As OpenAI's server does, it refuses texts that are empty with status 400.
    """
    texts = input_texts(request)
    if not texts or "" in texts:
        return FakeAnswer.error(400, "'$.input' is invalid: an empty string is no input")
    return vectors_answer([text_vector(text) for text in texts], model=request.model)


def vectors_answer(vectors: list[list[float]], *, model: str = "fake") -> FakeAnswer:
    """Return an answer that holds ``vectors``, in order, not of length 1."""
    data: list[JsonValue] = [
        {"object": "embedding", "index": index, "embedding": list[JsonValue](vector)}
        for index, vector in enumerate(vectors)
    ]
    usage: JsonValue = {"prompt_tokens": len(vectors), "total_tokens": len(vectors)}
    return FakeAnswer(body={"object": "list", "data": data, "model": model, "usage": usage})


def text_vector(text: str) -> list[float]:
    """Return the vector of ``text``, the same in every process."""
    return [byte - _MIDDLE for byte in hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:DIMENSION]]


def input_texts(request: FakeRequest) -> list[str]:
    """Return the texts whose vectors a request asks for, ``[]`` when it has none."""
    texts = request.body.get("input") if isinstance(request.body, dict) else None
    if isinstance(texts, str):
        return [texts]
    return [str(text) for text in texts] if isinstance(texts, list) else []
