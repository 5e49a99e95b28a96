"""Deterministic checks on a reply.

Specifications and the pure ones; a user's function is loaded and called elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Literal

from pydantic import JsonValue

from hairpin.domain.base import Value
from hairpin.domain.failures import CHECK_FAILED, Failure, ModeKind
from hairpin.domain.json_paths import MISSING, Missing, parse_path, value_at, with_indices


class ContainsCheck(Value):
    """The reply contains ``text``; case matters unless ``ignore_case``."""

    kind: Literal["contains"] = "contains"
    text: str
    ignore_case: bool = True

    @property
    def name(self) -> str:
        """How the check is called in reports."""
        return f"contains {self.text!r}"


class RegexCheck(Value):
    """The reply matches ``pattern`` somewhere (Python ``re`` syntax)."""

    kind: Literal["regex"] = "regex"
    pattern: str

    @property
    def name(self) -> str:
        """How the check is called in reports."""
        return f"regex {self.pattern!r}"


class FunctionCheck(Value):
    """A user's function ``./file.py:name`` (or ``package.module:name``) decides; ``folder``: where it is."""

    kind: Literal["function"] = "function"
    reference: str
    folder: str | None = None

    @property
    def name(self) -> str:
        """How the check is called in reports."""
        return f"function {self.reference}"


class StateCheck(Value):
    """The side channel holds ``equals`` at ``path``; without ``equals`` it holds something there."""

    kind: Literal["state"] = "state"
    path: str
    equals: JsonValue = None

    @property
    def name(self) -> str:
        """How the check is called in reports."""
        wanted = "" if self.equals is None else f" is {json.dumps(self.equals, ensure_ascii=False)}"
        return f"state {self.path}{wanted}"


CheckSpec = ContainsCheck | RegexCheck | FunctionCheck | StateCheck


class CheckResult(Value):
    """What a check said of one reply."""

    name: str
    passed: bool
    detail: str = ""


def contains(check: ContainsCheck, reply: str) -> CheckResult:
    """Apply a ``contains`` check."""
    text, inside = (check.text.casefold(), reply.casefold()) if check.ignore_case else (check.text, reply)
    passed = text in inside
    return CheckResult(name=check.name, passed=passed, detail="" if passed else f"{check.text!r} is not in the reply")


def matches(check: RegexCheck, reply: str) -> CheckResult:
    """Apply a ``regex`` check."""
    passed = re.search(check.pattern, reply) is not None
    return CheckResult(
        name=check.name, passed=passed, detail="" if passed else "the pattern matches nowhere in the reply"
    )


def state_holds(check: StateCheck, state: Mapping[str, JsonValue] | None) -> CheckResult:
    """Apply a ``state`` check to what the side channel said; numbers are equal whatever their type."""
    found = MISSING if state is None else value_at(dict(state), parse_path(check.path))
    if state is None:
        detail = "the assistant told no state"
    elif isinstance(found, Missing):
        right = with_indices(dict(state), parse_path(check.path))
        detail = f"the state has no {check.path!r}" + (f"; write {right}" if right else "")
    elif check.equals is not None and not _same(found, check.equals):
        detail = f"it is {json.dumps(found, ensure_ascii=False)}"
    else:
        detail = "it is null" if found is None else ""
    return CheckResult(name=check.name, passed=not detail, detail=detail)


def _same(found: JsonValue, wanted: JsonValue) -> bool:
    """Whether two JSON values are equal; unlike Python's, ``true`` is not 1."""
    return found == wanted and isinstance(found, bool) == isinstance(wanted, bool)


def check_failure(result: CheckResult, *, t: int, strategy: str | None) -> Failure:
    """Return the failure instance of a check that did not pass."""
    evidence = f"{result.name}: {result.detail}" if result.detail else result.name
    return Failure(t=t, mode=CHECK_FAILED, kind=ModeKind.CHECK, strategy=strategy, evidence=evidence)
