"""What a server of vectors answers, read: the vectors in their order, or which error it is.

Pure: no connection; what is done about it is decided in ``remote``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

import numpy as np
from pydantic import JsonValue

from hairpin.domain.llm_calls import CallOutcome
from hairpin.errors import EncoderError, RefusedTextsError
from hairpin.llm.error_reading import read_error
from hairpin.llm.error_wording import UNKNOWN_MODEL
from hairpin.llm.json_body import JsonObject, excerpt, json_object
from hairpin.llm.provider_error import ProviderError, error_within, provider_error
from hairpin.llm.retry_after import retry_after_s

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ABOUT_TEXTS: Final = frozenset({400, 413, 422})
_LONGEST: Final = 300


class BusyServerError(EncoderError):
    """The same request may succeed later. ``retry_after_s``: when, in seconds, if the server said so."""

    def __init__(self, text: str, *, retry_after_s: float | None = None) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(text)


def read_vectors(body: bytes, n_texts: int) -> NDArray[np.float64]:
    """Return the (n, d) numbers of an answer with status 200, in the order of the texts, as the server sent them.

    Raises:
        ValueError: they are not ``n_texts`` vectors of one length, each with its index; says what is wrong.
    """
    found = json_object(body)
    if found is None:
        raise ValueError(f"no JSON object: {excerpt(body)[:_LONGEST]}")
    error = error_within(found)
    if error is not None:
        raise ValueError(f"an error: {error.message[:_LONGEST]}")
    by_index = _by_index(found)
    if sorted(by_index) != list(range(n_texts)):
        raise ValueError(f"vectors with the indexes {_shown(sorted(by_index))} for {n_texts} texts")
    vectors = [_numbers(by_index[index], index) for index in range(n_texts)]
    lengths = {len(vector) for vector in vectors}
    if len(lengths) != 1 or 0 in lengths:
        raise ValueError(f"vectors of {_shown(sorted(lengths))} numbers")
    return np.array(vectors, dtype=np.float64)


def read_failure(
    status: int, headers: Mapping[str, str], body: bytes, *, key: str | None, now: datetime
) -> EncoderError:
    """Return the error that an answer with another status is, with the way out.

    Args:
        status: not 200.
        headers: names in lower case.
        body: as it came; the words of the error are repeated, so who shows them takes credentials out.
        key: the environment variable of the key, ``None`` when there is none.
        now: to which a date in ``Retry-After`` is compared.
    """
    error = provider_error(status, body)
    outcome, _ = read_error(error, ())
    said = f"status {status}: {' '.join(error.message.split())[:_LONGEST]}"
    if outcome.is_transient:
        return BusyServerError(said, retry_after_s=retry_after_s(headers, error.message, now=now))
    hint = _hint(outcome, error, key)
    if hint is not None:
        return EncoderError(f"{said}; {hint}")
    return RefusedTextsError(f"{said}; shorter texts, or fewer at once (batch_size), may be taken")


def _hint(outcome: CallOutcome, error: ProviderError, key: str | None) -> str | None:
    """Return the way out of an error that every other request would meet too; ``None`` when it is about the texts."""
    if outcome is CallOutcome.QUOTA_EXCEEDED:
        return "its quota must be raised, no waiting helps"
    if outcome is CallOutcome.UNAUTHORISED:
        return f"check the key in {key}" if key else "name the environment variable of a key in api_key_env"
    if UNKNOWN_MODEL.search(error.message):
        return "check model, the name on that server"
    about_texts = outcome in (CallOutcome.CONTEXT_EXCEEDED, CallOutcome.CONTENT_FILTERED)
    if about_texts or (error.status in _ABOUT_TEXTS and error.is_json):
        return None
    return "check base_url, to which /embeddings is added, and model"


def _by_index(found: JsonObject) -> dict[int, JsonValue]:
    data = found.get("data")
    if not isinstance(data, list):
        raise ValueError(f"no list data, only {_shown(list(found))}")
    by_index: dict[int, JsonValue] = {}
    for item in data:
        index = item.get("index") if isinstance(item, dict) else None
        if not isinstance(item, dict) or not isinstance(index, int) or isinstance(index, bool):
            raise ValueError("an entry of data without index")
        if index in by_index:
            raise ValueError(f"two vectors with index {index}")
        by_index[index] = item.get("embedding")
    return by_index


def _numbers(vector: JsonValue, index: int) -> list[float]:
    if not isinstance(vector, list) or not all(_is_number(number) for number in vector):
        raise ValueError(f"no list of numbers as the embedding with index {index}")
    return [float(number) for number in vector if isinstance(number, int | float)]


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(values: Sequence[object]) -> str:
    return ", ".join(str(value) for value in values[:5]) + (" …" if len(values) > 5 else "") or "none"
