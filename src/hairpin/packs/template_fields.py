"""Fields that hold templates of requests, paths into answers, and addresses with placeholders.

Each is checked by itself: that placeholders exist and that no credential is written out. Nothing is filled here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, JsonValue

from hairpin.domain.json_paths import parse_path
from hairpin.domain.sut_template import placeholders, unknown_placeholders
from hairpin.errors import did_you_mean
from hairpin.packs.secrets import is_secret_name, secret_within
from hairpin.packs.validation_messages import invalid
from hairpin.sut.turn_values import SESSION_PLACEHOLDERS, TURN_PLACEHOLDERS

_FROM_ENVIRONMENT: Final = "write {env.NAME}: it is read from the environment variable NAME when it is sent"
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")


def _path(value: str) -> str:
    try:
        parse_path(value)
    except ValueError as error:
        raise invalid(f"must be a path: {error}", "join names with dots: choices[0].message.content") from error
    return value


def _checked(value: JsonValue, known: Collection[str]) -> None:
    try:
        unknown = unknown_placeholders(value, known)
        names = placeholders(value)
    except ValueError as error:
        hint = "placeholders are written {utterance}; a brace is {{ or }}"
        raise invalid(f"is no template: {error}", hint) from error
    if unknown:
        root = re.split(r"[.\[]", unknown[0], maxsplit=1)[0]
        hint = did_you_mean(root, sorted(known)) or "leave it out"
        raise invalid(f"has an unknown placeholder {{{unknown[0]}}}", hint)
    if "env" in names:
        raise invalid("has {env} without the name of a variable", "write {env.NAME}")


def _template(known: Collection[str]) -> Callable[[JsonValue], JsonValue]:
    def check(value: JsonValue) -> JsonValue:
        unquoted = _unquoted(value)
        if unquoted is not None:
            what = f"has {{{unquoted}}} without quotes, which YAML reads as a mapping"
            raise invalid(what, f'write "{{{unquoted}}}"')
        _checked(value, known)
        at = secret_within(value) if isinstance(value, dict) else None
        if at is not None and not _has_placeholder(value, at):
            raise invalid("must not hold a credential", _FROM_ENVIRONMENT, at=at)
        return value

    return check


def _unquoted(value: JsonValue) -> str | None:
    """Return the placeholder that lost its quotes, which makes a mapping of one key without a value."""
    if isinstance(value, dict):
        if len(value) == 1 and next(iter(value.values())) is None and next(iter(value)) in TURN_PLACEHOLDERS:
            return next(iter(value))
        return next((found for inner in value.values() if (found := _unquoted(inner))), None)
    if isinstance(value, list):
        return next((found for inner in value if (found := _unquoted(inner))), None)
    return None


def _has_placeholder(value: JsonValue, at: tuple[str | int, ...]) -> bool:
    for step in at:
        value = value[step] if isinstance(value, dict | list) else None  # type: ignore[index]  # a path
    return isinstance(value, str) and bool(_PLACEHOLDER.search(value))


def _headers(value: Mapping[str, str]) -> Mapping[str, str]:
    for name, text in value.items():
        if _HEADER_NAME.fullmatch(name) is None:
            raise invalid(f"has {name!r}, which is no name of a header", "use letters, digits and '-'", at=(name,))
        if not text.isprintable():
            raise invalid("holds a line break or control character", "remove it", at=(name,))
        _checked(text, TURN_PLACEHOLDERS)
        if (is_secret_name(name) or name.lower() == "cookie") and _PLACEHOLDER.search(text) is None:
            raise invalid("must not hold a credential", _FROM_ENVIRONMENT, at=(name,))
    return value


def _address(schemes: tuple[str, ...], known: Collection[str]) -> Callable[[str], str]:
    example = f"{schemes[0]}://127.0.0.1:8000/chat"

    def check(value: str) -> str:
        _checked(value, known)
        # Placeholders are no part of what can be judged; a word in their place leaves an address an address.
        plain = _PLACEHOLDER.sub("1", value)
        try:
            parts = urlsplit(plain)
            usable = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable or any(character.isspace() for character in value):
            raise invalid(f"must be a {' or '.join(schemes)} URL", f"write it like {example}")
        if _written_user(value) or _secret_parameter(value):
            raise invalid("must not hold a credential", _FROM_ENVIRONMENT)
        return value

    return check


def _written_user(url: str) -> bool:
    """Whether a user or password is written out."""
    user_info, at, _ = urlsplit(url).netloc.rpartition("@")
    return bool(at) and any(part and not _PLACEHOLDER.fullmatch(part) for part in user_info.split(":"))


def _secret_parameter(url: str) -> bool:
    """Whether a key-like parameter of the query is written out."""
    pairs = (pair.partition("=") for pair in urlsplit(url).query.split("&"))
    return any(is_secret_name(name) and value and not _PLACEHOLDER.search(value) for name, _, value in pairs)


def session_template(value: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Check a mapping as a template of what is known when a session opens."""
    _template(SESSION_PLACEHOLDERS)(dict(value))
    return value


PathText = Annotated[str, AfterValidator(_path)]
Template = Annotated[JsonValue, AfterValidator(_template(TURN_PLACEHOLDERS))]
SessionTemplate = Annotated[JsonValue, AfterValidator(_template(SESSION_PLACEHOLDERS))]
PollTemplate = Annotated[JsonValue, AfterValidator(_template((*TURN_PLACEHOLDERS, "answer")))]
Headers = Annotated[Mapping[str, str], AfterValidator(_headers)]
UrlTemplate = Annotated[str, AfterValidator(_address(("http", "https"), TURN_PLACEHOLDERS))]
PollUrlTemplate = Annotated[str, AfterValidator(_address(("http", "https"), (*TURN_PLACEHOLDERS, "answer")))]
WebSocketUrlTemplate = Annotated[str, AfterValidator(_address(("ws", "wss", "http", "https"), SESSION_PLACEHOLDERS))]
