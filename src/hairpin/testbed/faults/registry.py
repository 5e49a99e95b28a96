"""From fault specifications to the faults of a session.

It must not draw or strike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hairpin.domain.sut_spec import FaultSpec
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.testbed.faults.base import Fault, FaultSession
from hairpin.testbed.faults.chain import Faults
from hairpin.testbed.faults.conditions import CONDITIONS
from hairpin.testbed.faults.seeded import FAULTS

_BY_ID: Mapping[str, type[Fault]] = {fault.id: fault for fault in FAULTS}

HELD_OUT_PARAMETERS: tuple[FaultSpec, ...] = tuple(
    spec
    for fault in FAULTS
    for spec in (
        FaultSpec(id=fault.id, after=3, probability=0.35),
        FaultSpec(id=fault.id, after=1, probability=0.8, when=("moving",)),
    )
)
"""Parameters that those who build judges never use: they show how judges do on faults that strike otherwise."""


def check_faults(specs: Sequence[FaultSpec]) -> None:
    """Check that every fault exists, with its conditions, and none is given twice.

    Raises:
        UnknownReferenceError: an id that no fault has, or a condition that there is not.
        InvalidInputError: a fault given twice.
    """
    seen: set[str] = set()
    for spec in specs:
        if spec.id not in _BY_ID:
            raise UnknownReferenceError("fault", spec.id, where="testbed", known=_BY_ID)
        for name in spec.when:
            if name not in CONDITIONS:
                raise UnknownReferenceError("condition", name, where=f"testbed, fault {spec.id}", known=CONDITIONS)
        if spec.id in seen:
            raise InvalidInputError(f"fault {spec.id!r} is given twice", where="testbed", hint="give each fault once")
        seen.add(spec.id)


def session_faults(specs: Sequence[FaultSpec], session: FaultSession) -> Faults:
    """Return the faults of ``session``, in the order in which they act."""
    order = {fault.id: rank for rank, fault in enumerate(FAULTS)}
    chosen = sorted(specs, key=lambda spec: order[spec.id])
    return Faults([_BY_ID[spec.id](spec, session) for spec in chosen], session)
