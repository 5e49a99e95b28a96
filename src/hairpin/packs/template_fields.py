"""Fields that hold templates of requests, paths into answers, and addresses with placeholders.

Each is checked by itself: that placeholders exist and that no credential is written out. Nothing is filled here, and
no message shows more of a template than the name of a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Final
from urllib.parse import SplitResult, unquote, urlsplit

from pydantic import AfterValidator, JsonValue
from pydantic_core import PydanticCustomError

from hairpin.domain.json_paths import parse_path, parse_text_path
from hairpin.domain.sut_template import placeholders, unknown_placeholders
from hairpin.packs.secrets import is_secret_name
from hairpin.packs.tree_paths import TreePath
from hairpin.packs.validation_messages import invalid
from hairpin.sut.turn_values import SESSION_PLACEHOLDERS, TURN_PLACEHOLDERS

_FROM_ENVIRONMENT: Final = "write {env.NAME}: it is read from the environment variable NAME when it is sent"
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_ESCAPED: Final = re.compile(r"\{\{|\}\}")
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
_PLAIN_NAME: Final = re.compile(r"[a-z_]+(?:\.[a-z_]{1,24}|\[-?\d{1,3}\])*")
_UPPER_CASE: Final = re.compile(r"\{(?P<prefix>ENV\.)?(?P<name>[A-Z][A-Za-z0-9_]*)\}")
_WORDS: Final = re.compile(r"[A-Z]{1,16}(?:_(?:[A-Z]{1,16}|\d{1,3}))*")
_SHOWN_LENGTH: Final = 20
_POLL_PLACEHOLDERS: Final = (*TURN_PLACEHOLDERS, "answer")


def _path(value: str) -> str:
    return _checked_path(value, parse_path)


def _text_path(value: str) -> str:
    return _checked_path(value, parse_text_path)


def _checked_path(value: str, parse: Callable[[str], object]) -> str:
    try:
        parse(value)
    except ValueError as error:
        raise invalid(f"must be a path: {error}", "join names with dots: choices[0].message.content") from error
    return value


def _check_placeholders(value: JsonValue, known: Collection[str], *, at: TreePath = ()) -> None:
    for path, text in _texts(value, at):
        _check_text(text, known, path)


def _texts(value: JsonValue, at: TreePath) -> Iterator[tuple[TreePath, str]]:
    """Yield every text of a template and where it stands; a key stands where its mapping does."""
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from _texts(item, (*at, n))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield at, key
            yield from _texts(item, (*at, key))


def _check_text(text: str, known: Collection[str], at: TreePath) -> None:
    try:
        unknown = unknown_placeholders(text, known)
        names = placeholders(text)
    except ValueError:
        # Its text is not shown, nor kept as the cause: a credential may be in it.
        raise _stray_brace(text, known, at) from None
    if unknown:
        raise invalid(*_unknown(unknown[0], known), at=at)
    if "env" in names:
        raise invalid("has {env} without the name of a variable", "write {env.NAME}", at=at)


def _unknown(name: str, known: Collection[str]) -> tuple[str, str]:
    """Return what is wrong with a placeholder that nobody knows, and the way out."""
    root = _root(name)
    close = get_close_matches(root, known, n=1)
    looks_harmless = bool(close) or len(root) <= _SHOWN_LENGTH
    shown = name if looks_harmless and _PLAIN_NAME.fullmatch(name) else root if looks_harmless else ""
    rest = shown[len(root) :]
    hint = f"did you mean {{{close[0]}{rest}}}?" if close else f"known here: {_listed(known)}"
    return f"has an unknown placeholder {{{shown}}}" if shown else "has an unknown placeholder", hint


def _stray_brace(text: str, known: Collection[str], at: TreePath) -> PydanticCustomError:
    """Return the error for braces that are no placeholder; one around an upper-case name is a variable's, or misspelt.

    A name is shown only when it is made of words: a key in braces is not.
    """
    found = _UPPER_CASE.search(_ESCAPED.sub("", text))
    if found is None:
        hint = "write placeholders like {utterance} or {context.date}, and a brace that is none as {{ or }}"
        return invalid("has a brace that belongs to no placeholder", hint, at=at)
    name = found["name"]
    if found["prefix"] is None and name.lower() in known and name.lower() != "env":
        return invalid(f"has an unknown placeholder {{{name}}}", f"did you mean {{{name.lower()}}}?", at=at)
    variable = name if _WORDS.fullmatch(name) and name != "ENV" else "NAME"
    hint = f"write {{env.{variable}}} for the environment variable {variable}"
    shown = f"{{{found['prefix'] or ''}{name}}}"
    what = f"has an unknown placeholder {shown}" if variable != "NAME" else "has an unknown placeholder"
    return invalid(what, hint, at=at)


def _listed(known: Collection[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(known)).replace("{env}", "{env.NAME}")


def _template(known: Collection[str]) -> Callable[[JsonValue], JsonValue]:
    def check(value: JsonValue) -> JsonValue:
        unquoted = _unquoted(value, known)
        if unquoted is not None:
            what = f"has {{{unquoted}}} without quotes, which YAML reads as a mapping"
            raise invalid(what, f'write "{{{unquoted}}}"')
        at = next(_written_credentials(value), None)
        if at is not None:
            raise invalid("must not hold a credential", _FROM_ENVIRONMENT, at=at)
        _check_placeholders(value, known)
        return value

    return check


def _unquoted(value: JsonValue, known: Collection[str]) -> str | None:
    """Return the placeholder that lost its quotes, which makes a mapping of one key without a value."""
    if isinstance(value, dict):
        key = next(iter(value), "")
        if len(value) == 1 and value[key] is None and _root(key) in known:
            return key
        return next((found for inner in value.values() if (found := _unquoted(inner, known))), None)
    if isinstance(value, list):
        return next((found for inner in value if (found := _unquoted(inner, known))), None)
    return None


def _written_credentials(value: JsonValue, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every value that a key-like name has and that is written out: a text, or a number at the top.

    Deeper a number under such a name is more likely a setting.
    """
    steps: list[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        steps = list(value.items())
    elif isinstance(value, list):
        steps = list(enumerate(value))
    for step, inner in steps:
        is_number = isinstance(inner, int | float) and not isinstance(inner, bool) and not at
        is_literal = is_number or (isinstance(inner, str) and bool(inner) and not _has_placeholder(inner))
        if isinstance(step, str) and is_secret_name(step) and is_literal:
            yield (*at, step)
        yield from _written_credentials(inner, (*at, step))


def _headers(known: Collection[str]) -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    def check(value: Mapping[str, str]) -> Mapping[str, str]:
        for name, text in value.items():
            _check_header(name, text, known)
        return value

    return check


def _check_header(name: str, text: str, known: Collection[str]) -> None:
    if _HEADER_NAME.fullmatch(name) is None:
        raise invalid(f"has {name!r}, which is no name of a header", "use letters, digits and '-'", at=(name,))
    if not text.isprintable():
        raise invalid("holds a line break or control character", "remove it", at=(name,))
    is_secret = is_secret_name(name) or name.lower() in ("cookie", "proxy-authorization")
    if is_secret and text and not _has_placeholder(text):
        raise invalid("must not hold a credential", _FROM_ENVIRONMENT, at=(name,))
    _check_placeholders(text, known, at=(name,))


def _address(schemes: tuple[str, ...], known: Collection[str]) -> Callable[[str], str]:
    example = f"{schemes[0]}://127.0.0.1:8000/chat"

    def check(value: str) -> str:
        parts = _split(value)
        if parts is None or parts.scheme not in schemes or any(character.isspace() for character in value):
            raise invalid(f"must be a {' or '.join(schemes)} URL", f"write it like {example}")
        if _has_written_login(parts) or _has_written_key(parts):
            raise invalid("must not hold a credential", _FROM_ENVIRONMENT)
        _check_placeholders(value, known)
        host = parts.netloc.rpartition("@")[2]
        if any(_root(found[1:-1]) != "env" for found in _PLACEHOLDER.findall(host)):
            raise invalid("has a host that changes from turn to turn", "write it out, or as {env.NAME}")
        return value

    return check


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address, ``None`` when it is none."""
    try:
        # Placeholders are no part of what can be judged; a number in their place leaves a host or a port one.
        plain = urlsplit(_PLACEHOLDER.sub("1", url))
        return urlsplit(url) if plain.hostname and plain.port != 0 else None
    except ValueError:
        return None


def _has_written_login(parts: SplitResult) -> bool:
    """Whether a password is written out, or a user without one: that is a token."""
    login, at, _ = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    secret = password or user
    return bool(at) and bool(secret) and _PLACEHOLDER.fullmatch(secret) is None


def _has_written_key(parts: SplitResult) -> bool:
    """Whether a key-like parameter of the query or the fragment is written out."""
    pairs = (pair.partition("=") for pair in re.split("[&;]", f"{parts.query}&{parts.fragment}"))
    return any(is_secret_name(unquote(name)) and value and not _has_placeholder(value) for name, _, value in pairs)


def _has_placeholder(text: str) -> bool:
    return _PLACEHOLDER.search(_ESCAPED.sub("", text)) is not None


def _root(name: str) -> str:
    return re.split(r"[.\[]", name, maxsplit=1)[0]


def session_template(value: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Check a mapping as a template of what is known when a session opens."""
    _template(SESSION_PLACEHOLDERS)(dict(value))
    return value


PathText = Annotated[str, AfterValidator(_path)]
TextPath = Annotated[str, AfterValidator(_text_path)]
Template = Annotated[JsonValue, AfterValidator(_template(TURN_PLACEHOLDERS))]
SessionTemplate = Annotated[JsonValue, AfterValidator(_template(SESSION_PLACEHOLDERS))]
PollTemplate = Annotated[JsonValue, AfterValidator(_template(_POLL_PLACEHOLDERS))]
Headers = Annotated[Mapping[str, str], AfterValidator(_headers(TURN_PLACEHOLDERS))]
SessionHeaders = Annotated[Mapping[str, str], AfterValidator(_headers(SESSION_PLACEHOLDERS))]
PollHeaders = Annotated[Mapping[str, str], AfterValidator(_headers(_POLL_PLACEHOLDERS))]
UrlTemplate = Annotated[str, AfterValidator(_address(("http", "https"), TURN_PLACEHOLDERS))]
SessionUrlTemplate = Annotated[str, AfterValidator(_address(("http", "https"), SESSION_PLACEHOLDERS))]
PollUrlTemplate = Annotated[str, AfterValidator(_address(("http", "https"), _POLL_PLACEHOLDERS))]
WebSocketUrlTemplate = Annotated[str, AfterValidator(_address(("ws", "wss", "http", "https"), SESSION_PLACEHOLDERS))]
