"""The tokens that a server reports, in the shapes in which servers report them.

What is not reported stays unknown.
"""

from __future__ import annotations

from pydantic import JsonValue

from hairpin.domain.llm_calls import TokenCounts
from hairpin.llm.json_body import JsonObject, object_at

UNKNOWN = TokenCounts()


def tokens_of(found: JsonObject) -> TokenCounts:
    """Return the tokens in a completion's ``usage``; cached ones also from DeepSeek's, Moonshot's and llama.cpp's."""
    usage = object_at(found, "usage")
    if not usage:
        return UNKNOWN
    prompt = _first(usage, "prompt_tokens", "input_tokens")
    completion = _first(usage, "completion_tokens", "output_tokens")
    prompt_details = object_at(usage, "prompt_tokens_details") or object_at(usage, "input_tokens_details")
    details = object_at(usage, "completion_tokens_details") or object_at(usage, "output_tokens_details")
    cached = _either(
        _first(prompt_details, "cached_tokens"),
        _first(usage, "prompt_cache_hit_tokens", "cached_tokens"),
        _first(object_at(found, "timings"), "cache_n"),
    )
    reasoning = _either(_first(details, "reasoning_tokens"), _first(usage, "reasoning_tokens"))
    return TokenCounts(
        prompt_tokens=prompt,
        completion_tokens=completion,
        cached_prompt_tokens=_part(cached, prompt),
        reasoning_tokens=_part(reasoning, completion),
    )


def _first(place: JsonObject, *keys: str) -> int | None:
    return _either(*(_count(place.get(key)) for key in keys))


def _either(*counts: int | None) -> int | None:
    return next((count for count in counts if count is not None), None)


def _count(value: JsonValue) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _part(count: int | None, whole: int | None) -> int | None:
    """Return ``count`` unless it is more than the whole that it is a part of: then nobody knows."""
    return None if count is not None and whole is not None and count > whole else count
