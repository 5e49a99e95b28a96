"""Names of speakers in a text: finding who speaks in it, and making names in it harmless.

It must not decide whether a text is what a user says; ``agents.llm.guards`` does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_PRONOUNS: Final = ("you", "me", "ich", "moi", "yo")
USER_LABELS: Final = (
    *("user", "human", "customer", "client", "caller", "person", *_PRONOUNS),
    *("nutzer", "nutzerin", "benutzer", "benutzerin", "kunde", "kundin", "mensch"),
    *("utilisateur", "utilisatrice", "cliente", "usuario", "usuaria", "humano"),
)
ASSISTANT_LABELS: Final = (
    *("assistant", "ai", "ai assistant", "voice assistant", "bot", "chatbot", "system", "agent", "model"),
    *("assistent", "assistentin", "sprachassistent", "ki"),
    *("assistante", "asistente", "ia"),
)
"""Names in front of a colon by which models mark who speaks."""

COLON_ALIKE: Final = "꞉"
"""What stands for the colon behind a name that is shown but must not name a speaker."""

_COLONS: Final = f":{COLON_ALIKE}∶"
_START: Final = r"(?:\A|\n|(?<=[.!?…])\s)"
_NO_PRONOUN: Final = "".join(rf"(?<!\b{pronoun})" for pronoun in _PRONOUNS)
_INITIAL: Final = re.compile(rf"{_START}\s*([A-Z])[ ]?[{_COLONS}]\s")
_ASSISTANT_INITIALS: Final = frozenset("AS")
_USER_INITIALS: Final = frozenset("UHQPC")
_NAMED: Final = re.compile(
    rf"\b({'|'.join(sorted({*USER_LABELS, *ASSISTANT_LABELS} - {*_PRONOUNS}, key=len, reverse=True))})"
    rf"((?:\s*\([^)\n]*\))?[*_\])>\s]*)[:：]",
    re.IGNORECASE,
)


def plain_letters(text: str) -> str:
    """Return ``text`` in plain letters and signs (NFKC), each in the place where it was."""
    return "".join(plain if len(plain := unicodedata.normalize("NFKC", sign)) == 1 else sign for sign in text)


def unnamed(text: str) -> str:
    """Return ``text`` so that no name in it is followed by a colon, as a speaker's would be."""
    return _NAMED.sub(lambda match: f"{match[1]}{match[2]}{COLON_ALIKE}", text)


def find_label(text: str, own: Iterable[str] = ()) -> re.Match[str] | None:
    """Return the first speaker's name in ``text``, at the start of it, of a line or of a sentence."""
    return _label(own, anywhere=True).search(plain_letters(text))


def leading_user_label(text: str, own: Iterable[str] = ()) -> re.Match[str] | None:
    """Return the name of the user in front of ``text``, if it is the only name in it. ``own``: its further names."""
    own = tuple(own)
    found = _label(own, anywhere=False).match(plain_letters(text))
    alone = found is not None and _speaker(found, own) == "user" and len(speakers(text, own)) == 1
    return found if alone else None


def speakers(text: str, own: Iterable[str] = ()) -> list[str]:
    """Return who speaks in ``text``, as the labels in it say; what stands before the first label has a speaker too."""
    own, text = tuple(own), plain_letters(text)
    initials = {match[1] for match in _INITIAL.finditer(text)}
    if initials & _ASSISTANT_INITIALS and initials & _USER_INITIALS:
        return sorted(initials)
    found = list(_label(own, anywhere=True).finditer(text))
    before = bool(found) and any(character.isalnum() for character in text[: found[0].start()])
    return ["unnamed"] * before + [_speaker(match, own) for match in found]


def _label(own: Iterable[str], *, anywhere: bool) -> re.Pattern[str]:
    """Match a speaker's name and colon, or its name and a dash where the name is no pronoun."""
    names = {*USER_LABELS, *ASSISTANT_LABELS, *(name.casefold() for name in own if name)}
    marked = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    start = _START if anywhere else r"\A"
    return re.compile(
        rf"{start}\s*[*_\[(<]*(?P<name>{marked})(?:\s*\([^)\n]*\))?[*_\])>]*"
        rf"(?:\s*[{_COLONS}]|{_NO_PRONOUN}\s+[-–—](?=\s))[*_]*\s*",
        re.IGNORECASE,
    )


def _speaker(found: re.Match[str], own: Iterable[str]) -> str:
    users = {*USER_LABELS, *(name.casefold() for name in own)}
    return "user" if found["name"].casefold() in users else "assistant"
