"""Reading replies out of answers: JSON values and the paths that say where the parts of a reply are.

Pure: it knows no transport. What an assistant said goes into messages only after its endpoint's redactor has seen it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import JsonValue

from hairpin.domain.conversation import well_formed
from hairpin.domain.json_paths import EACH, MISSING, Missing, parse_path, parse_text_path, value_at, with_indices
from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import Match, ReplyPaths
from hairpin.errors import SutError
from hairpin.sut.chat_completion import one_line
from hairpin.sut.redaction import Redactor

_MAX_SHOWN: Final = 40
_NOTHING: Final[tuple[JsonValue, ...]] = (None, False, 0, "", [], {})


class UnreadableJsonError(ValueError):
    """A text that is JSON by its looks, but whose value nobody can keep; says why."""


def parse_json(text: str | bytes) -> JsonValue:
    """Return ``text`` as a JSON value whose texts can be stored.

    Raises:
        UnreadableJsonError: it holds NaN, infinity or a number that is too large, or is nested too deeply.
        ValueError: it is no JSON.
    """
    try:
        return storable(
            json.loads(text, parse_constant=_refuse_constant, parse_float=_finite_float, parse_int=_whole_number)
        )
    except RecursionError:
        raise UnreadableJsonError("nested too deeply") from None


def json_trouble(error: ValueError) -> str:
    """Return what a text is that ``parse_json`` refused with ``error``."""
    return f"unreadable JSON ({error})" if isinstance(error, UnreadableJsonError) else "no JSON"


def storable(value: JsonValue) -> JsonValue:
    """Return ``value`` with the lone surrogates of its texts, which no encoding can carry, as U+FFFD."""
    match value:
        case str():
            return well_formed(value)
        case list():
            return [storable(item) for item in value]
        case dict():
            return {well_formed(key): storable(item) for key, item in value.items()}
    return value


def needs_json(paths: ReplyPaths) -> bool:
    """Whether an answer must be JSON for these paths; without any it is the reply itself, whatever it is."""
    return any(path for path in (paths.text, paths.ended, paths.state, paths.error) if path is not None)


def reply_of_text(text: str, paths: ReplyPaths, *, where: str, redactor: Redactor) -> SutReply:
    """Return the reply in an answer that came as text; ``paths.text`` ``""`` is the whole of it, as it came.

    Raises:
        SutError: as ``reply_of_answer``, and when paths look into an answer that is no JSON.
    """
    if not needs_json(paths):
        return redactor.clean_reply(SutReply(text=well_formed(text)))
    try:
        answer = parse_json(text)
    except ValueError as error:
        raise _error(f"answered with {json_trouble(error)}: {text or 'nothing'}", where, redactor) from None
    return reply_of_answer(answer, paths, where=where, redactor=redactor, whole=text)


def reply_of_answer(
    answer: JsonValue, paths: ReplyPaths, *, where: str, redactor: Redactor, whole: str | None = None
) -> SutReply:
    """Return the reply in ``answer``.

    Args:
        answer: what the assistant answered.
        paths: where the parts of the reply are. An error or an end is one unless it is missing, null or empty.
        where: who answered, as messages call it.
        redactor: knows the credentials that neither messages nor replies may show.
        whole: the answer as it came, for the path ``""``; default: ``answer`` written out.

    Raises:
        SutError: the answer says that it is an error, or holds no text, or a text or state of another type.
    """
    said = _at(answer, paths.error)
    if said not in _NOTHING and said is not MISSING:
        raise _error(f"answered with an error: {as_text(said)}", where, redactor)
    text = whole if whole is not None and not paths.text else _text(answer, paths.text, where, redactor)
    state = _state(_at(answer, paths.state), paths.state or "", where, redactor)
    return redactor.clean_reply(SutReply(text=well_formed(text), ended=is_said(answer, paths.ended), state=state))


def words_of_piece(piece: JsonValue, path: str, *, where: str, redactor: Redactor) -> str:
    """Return the words at ``path`` in one piece of an answer; ``''`` when it has none. Raises SutError."""
    found = value_at(piece, parse_text_path(path))
    return "" if found is MISSING else _words(found, path, where, redactor)


def is_said(answer: JsonValue, path: str | None) -> bool:
    """Whether something stands at ``path``: neither missing, null, false nor empty."""
    found = _at(answer, path)
    return found is not MISSING and found not in _NOTHING


def matches(answer: JsonValue, match: Match) -> bool:
    """Whether ``answer`` says what ``match`` wants; true and 1 are not equal."""
    found = value_at(answer, parse_path(match.path))
    if found is MISSING:
        return False
    if not match.equals:
        return found is not None and found is not False
    return any(_same(found, wanted) for wanted in match.equals)


def as_text(value: JsonValue | Missing) -> str:
    """Return a text as it is, all else as JSON; what is missing as nothing."""
    if isinstance(value, Missing):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def index_hint(answer: JsonValue, path: str) -> str:
    """Return the way out where ``path`` names an item of a list like a key, in brackets; ``''`` where it does not."""
    right = with_indices(answer, parse_text_path(path))
    return f" (write {right})" if right else ""


def _text(answer: JsonValue, path: str, where: str, redactor: Redactor) -> str:
    found = value_at(answer, parse_text_path(path))
    if isinstance(found, Missing):
        what = f"answered without {path!r}, where the reply's text is said to be{index_hint(answer, path)}"
        raise _error(f"{what}: {as_text(answer)}", where, redactor)
    if not path:
        return as_text(found)
    return _words(found, path, where, redactor)


def _words(found: JsonValue | Missing, path: str, where: str, redactor: Redactor) -> str:
    """Return what a person would read: null is an empty answer, a number its digits; of several texts a line each."""
    if isinstance(found, list) and EACH in parse_text_path(path):
        return "\n".join(_word(item, path, where, redactor) for item in found if item is not None)
    return _word(found, path, where, redactor)


def _word(found: JsonValue | Missing, path: str, where: str, redactor: Redactor) -> str:
    if isinstance(found, Missing) or found is None:
        return ""
    if isinstance(found, list | dict):
        kind = "a list" if isinstance(found, list) else "an object"
        raise _error(f"has {kind} instead of a text at {path!r}: {as_text(found)}", where, redactor)
    return well_formed(as_text(found))


def _state(found: JsonValue | Missing, path: str, where: str, redactor: Redactor) -> Mapping[str, JsonValue] | None:
    if isinstance(found, Missing) or found is None:
        return None
    if not isinstance(found, dict):
        raise _error(f"has no object at {path!r}, where its state is said to be: {as_text(found)}", where, redactor)
    return found


def _at(answer: JsonValue, path: str | None) -> JsonValue | Missing:
    return MISSING if path is None else value_at(answer, parse_path(path))


def _same(one: JsonValue, other: JsonValue) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return _all_same(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return one == other


def _all_same(one: Sequence[JsonValue], other: Sequence[JsonValue]) -> bool:
    return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))


def _error(text: str, where: str, redactor: Redactor) -> SutError:
    """Clean before the cut: it may leave half of a credential."""
    return SutError(f"{where} {one_line(redactor.clean(text))}")


def _refuse_constant(name: str) -> JsonValue:
    raise UnreadableJsonError(f"{name} is no number of JSON")


def _finite_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise UnreadableJsonError(f"{text[:_MAX_SHOWN]} is too large a number")
    return number


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # Python's own bound, which it keeps for time's sake
        raise UnreadableJsonError(f"a number of {len(text)} characters is too long") from None
