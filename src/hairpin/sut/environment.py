"""The environment variables that templates name, ``{env.NAME}``.

It reads no environment: whoever has it passes it in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from hairpin.domain.json_paths import parse_path
from hairpin.domain.sut_template import placeholders
from hairpin.errors import UserError


def variables_named(templates: Iterable[JsonValue]) -> tuple[str, ...]:
    """Return the names of the variables in ``templates``, in alphabetical order. Raises ValueError."""
    paths = (parse_path(name) for template in templates for name in placeholders(template))
    return tuple(sorted({str(path[1]) for path in paths if path[0] == "env" and len(path) > 1}))


def environment_values(templates: Iterable[JsonValue], environ: Mapping[str, str], *, where: str) -> dict[str, str]:
    """Return the values of the variables in ``templates``; they go into the values of a template as ``env``.

    Raises:
        UserError: one is not set or empty; names it and ``where`` it is needed.
    """
    found = {name: environ.get(name, "").strip() for name in variables_named(templates)}
    missing = [name for name, value in found.items() if not value]
    if missing:
        names = " and ".join(missing)
        which, verb = ("variable", "is") if len(missing) == 1 else ("variables", "are")
        raise UserError(f"environment {which} {names} {verb} not set; the configuration of {where} asks for it")
    return found
