"""Deterministic checks on a reply.

Specifications and the pure ones; a user's function is loaded and called elsewhere.
"""

from __future__ import annotations

import re
from typing import Literal

from hairpin.domain.base import Value
from hairpin.domain.failures import CHECK_FAILED, Failure, ModeKind


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


CheckSpec = ContainsCheck | RegexCheck | FunctionCheck


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


def check_failure(result: CheckResult, *, t: int, strategy: str | None) -> Failure:
    """Return the failure instance of a check that did not pass."""
    evidence = f"{result.name}: {result.detail}" if result.detail else result.name
    return Failure(t=t, mode=CHECK_FAILED, kind=ModeKind.CHECK, strategy=strategy, evidence=evidence)
