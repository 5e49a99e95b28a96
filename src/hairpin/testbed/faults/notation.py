"""Faults in short: ``F3@2~0.5?moving``, as the command line takes them and identities name them.

It must not know which faults there are.
"""

from __future__ import annotations

import re
from typing import Final

from hairpin.domain.sut_spec import FaultSpec
from hairpin.errors import InvalidInputError

_FAULT: Final = re.compile(
    r"(?P<id>\w+)(?:@(?P<after>\d{1,6}))?(?:~(?P<probability>0(?:\.\d+)?|1(?:\.0+)?|\.\d+))?"
    r"(?:\?(?P<when>\w+(?:,\w+)*))?"
)


def parse_fault(text: str, *, where: str) -> FaultSpec:
    """Return the fault that ``text`` names: its id, ``@`` after, ``~`` probability, ``?`` conditions with commas.

    Raises:
        InvalidInputError: it is not written so.
    """
    found = _FAULT.fullmatch(text.strip())
    if found is None:
        hint = "write it like F3, F3@2 (after two exchanges), F3~0.5 (every other time) or F3@2~0.5?moving"
        raise InvalidInputError(f"{text!r} is no fault", where=where, hint=hint)
    return FaultSpec(
        id=found["id"],
        after=int(found["after"] or 0),
        probability=float(found["probability"] or 1),
        when=tuple(found["when"].split(",")) if found["when"] else (),
    )


def fault_label(spec: FaultSpec) -> str:
    """Return ``spec`` in short; what is as by default is left out."""
    after = f"@{spec.after}" if spec.after else ""
    chance = f"~{spec.probability:g}" if spec.probability < 1 else ""
    when = f"?{','.join(spec.when)}" if spec.when else ""
    return f"{spec.id}{after}{chance}{when}"
