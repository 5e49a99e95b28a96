"""The licence check: refuses runtime dependencies under the GPL or AGPL, or under a licence nobody has looked at.

It trusts what a distribution declares; it does not read licence texts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from importlib.metadata import Distribution

from dependency_closure import closure, runtime_extras

ALLOWED = (
    re.compile(r"MIT(-0|-CMU)?|MIT licen[cs]e", re.IGNORECASE),
    re.compile(r"(the )?Apache([ -]| software| licen[cs]e|, version|2\.0)*", re.IGNORECASE),
    re.compile(r"BSD([ -]?[0123]-clause| licen[cs]e)?", re.IGNORECASE),
    re.compile(r"[0123]-clause BSD( licen[cs]e)?|0BSD", re.IGNORECASE),
    re.compile(r"ISC( licen[cs]e)?( \(ISCL\))?", re.IGNORECASE),
    re.compile(r"PSF-2\.0|Python-2\.0|CNRI-Python|Python Software Foundation License", re.IGNORECASE),
    re.compile(r"MPL-2\.0|Mozilla Public License 2\.0 \(MPL 2\.0\)", re.IGNORECASE),
    re.compile(r"Unlicense|The Unlicense( \(Unlicense\))?|Zlib|HPND|CC0-1\.0|BSL-1\.0", re.IGNORECASE),
    # the lesser GPL binds changes to the library, not the program that imports it
    re.compile(r"LGPL-(2\.1|3\.0)(-only|-or-later)?|GNU Lesser General Public License v[23].*", re.IGNORECASE),
)
REFUSED = re.compile(r"\bA?GPL|Affero|GNU General Public", re.IGNORECASE)
_TOKEN = re.compile(r"\s*(\(|\)|\bAND\b|\bOR\b)\s*")


def declared(dist: Distribution) -> list[str]:
    """Return the licences a distribution declares, all of which hold: SPDX expression, else classifiers, else field."""
    expression = _header(dist, "License-Expression")
    if expression:
        return expression
    classifiers = [c.rpartition("::")[2].strip() for c in _header(dist, "Classifier") if c.startswith("License ::")]
    named = [c for c in classifiers if c not in ("OSI Approved", "DFSG approved")]
    if named:
        return named
    return [field.strip().splitlines()[0] for field in _header(dist, "License") if field.strip()]


def objection(licences: list[str]) -> str | None:
    """Say why these licences are refused, or ``None`` when they are fine.

    An SPDX expression is fine when a choice it offers is: ``MIT OR GPL-2.0-only`` is, ``MIT AND GPL-2.0-only`` is not.
    """
    if not licences:
        return "declares no licence"
    for licence in licences:
        if not _acceptable(licence):
            why = "is refused" if REFUSED.search(licence) else "is not known to this check (tools/check_licences.py)"
            return f"{licence[:80]!r} {why}"
    return None


def objections(dists: Mapping[str, Distribution]) -> list[str]:
    """Return one line per distribution whose licence is refused."""
    found = [(name, objection(declared(dist))) for name, dist in dists.items()]
    return [f"{name}: {reason}" for name, reason in found if reason is not None]


def _header(dist: Distribution, name: str) -> list[str]:
    return [str(value) for value in dist.metadata.get_all(name) or []]


def _acceptable(expression: str) -> bool:
    if any(pattern.fullmatch(expression.strip()) for pattern in ALLOWED):
        return True  # a whole licence name, which may hold brackets of its own
    tokens = [token for token in _TOKEN.split(expression) if token.strip()]
    if len(tokens) < 2:
        return False
    value, rest = _either(tokens)
    return value and not rest


def _either(tokens: list[str]) -> tuple[bool, list[str]]:
    value, rest = _both(tokens)
    while rest and rest[0] == "OR":
        other, rest = _both(rest[1:])
        value = value or other
    return value, rest


def _both(tokens: list[str]) -> tuple[bool, list[str]]:
    value, rest = _one(tokens)
    while rest and rest[0] == "AND":
        other, rest = _one(rest[1:])
        value = value and other
    return value, rest


def _one(tokens: list[str]) -> tuple[bool, list[str]]:
    if not tokens:
        return False, []
    if tokens[0] == "(":
        value, rest = _either(tokens[1:])
        return value, rest[1:]
    licence = tokens[0].partition(" WITH ")[0]  # an exception only permits more
    return any(pattern.fullmatch(licence) for pattern in ALLOWED), tokens[1:]


def main() -> int:
    """Check what a user of Hairpin with all extras gets; print the objections."""
    dists = closure("hairpin", runtime_extras("hairpin"))
    refused = objections(dists)
    for line in refused:
        print(line, file=sys.stderr)
    print(f"licences: {len(dists)} runtime dependencies, {len(refused)} refused")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
