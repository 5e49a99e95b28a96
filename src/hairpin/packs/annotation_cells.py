"""One cell of a file of annotations as a value: scores, shares, verdicts, blame, turns and answers to yes or no.

It knows no rows: which cell is whose is ``annotation_files``' work.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, TypeVar

from hairpin.domain.outcome import Blame, Verdict
from hairpin.errors import InvalidInputError, did_you_mean
from hairpin.packs.recording_messages import shown
from hairpin.packs.seed_records import NoSeedError, whole

E = TypeVar("E", bound=StrEnum)

MAX_SCORE: Final = 2

_NUMBER: Final = re.compile(r"[-+]?\d{1,15}([.,]\d{1,15})?")
_YES: Final = frozenset({"true", "yes", "y", "1"})
_NO: Final = frozenset({"false", "no", "n", "0"})


def text_of(value: object, name: str, where: str) -> str:
    """Return a text without outer white space. Raises InvalidInputError."""
    if not isinstance(value, str):
        raise InvalidInputError(f"{name!r} is {shown(value)}, not a text", where=where, hint="write a text")
    try:
        return whole(value.strip())
    except NoSeedError as error:
        raise InvalidInputError(f"{name!r}: {error.what}", where=where, hint=error.hint) from error


def score_of(value: object, name: str, where: str, *, decimal_comma: bool) -> int:
    """Return d_j, 0, 1 or 2. Raises InvalidInputError."""
    number = _number(value, decimal_comma=decimal_comma)
    if number is None or number not in range(MAX_SCORE + 1):
        hint = "write 0, 1 or 2, or leave the cell empty where the rater did not say"
        raise InvalidInputError(f"the score of {name!r} is {shown(value)}", where=where, hint=hint)
    return int(number)


def share_of(value: object, name: str, where: str, *, decimal_comma: bool) -> float:
    """Return a share in [0, 1]. Raises InvalidInputError."""
    number = _number(value, decimal_comma=decimal_comma)
    if number is None or not 0 <= number <= 1:
        hint = "write the share of targets that were completed, from 0 to 1, such as 0.5"
        raise InvalidInputError(f"{name!r} is {shown(value)}", where=where, hint=hint)
    return number


def turn_of(value: object, name: str, where: str) -> int:
    """Return the number of an exchange, from 0. Raises InvalidInputError."""
    number = _number(value, decimal_comma=False)
    if number is None or number < 0 or number != int(number):
        hint = "write the number of the turn as 'hairpin show' has it, from 0"
        raise InvalidInputError(f"{name!r} is {shown(value)}", where=where, hint=hint)
    return int(number)


def yes_or_no(value: object, name: str, where: str) -> bool:
    """Return an answer to yes or no. Raises InvalidInputError."""
    said = str(value).strip().lower() if isinstance(value, str | bool | int) else ""
    if said in _YES or said in _NO:
        return said in _YES
    hint = "write true where the failure happened, false where it did not"
    raise InvalidInputError(f"{name!r} is {shown(value)}", where=where, hint=hint)


def verdict_of(value: object, name: str, where: str) -> Verdict:
    """Return a verdict. Raises InvalidInputError."""
    return _member(Verdict, value, name, where)


def blame_of(value: object, name: str, where: str) -> Blame:
    """Return who is to blame. Raises InvalidInputError."""
    return _member(Blame, value, name, where)


def _member(kind: type[E], value: object, name: str, where: str) -> E:
    said = value.strip().lower() if isinstance(value, str) else None
    known = [member.value for member in kind]
    if said in known:
        return kind(said)
    close = did_you_mean(said or "", known) or ""
    hint = close if close.startswith("did") else f"write one of {', '.join(known)}"
    raise InvalidInputError(f"unknown {name} {shown(value)}", where=where, hint=hint)


def _number(value: object, *, decimal_comma: bool) -> float | None:
    """Return what a cell counts; ``None``: it is no number. 1.0 is 1: spreadsheets write it so."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e15 else None
    text = value.strip() if isinstance(value, str) else ""
    if _NUMBER.fullmatch(text) is None or ("," in text and not decimal_comma):
        return None
    return float(text.replace(",", "."))
