"""The conditions of a fault's ``when``: what must hold in a conversation for the fault to act.

Pure predicates over the state in which the fault would act; which faults there are is ``faults.seeded``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from hairpin.testbed.state import DialogueState

CONDITIONS: Mapping[str, Callable[[DialogueState], bool]] = {
    "moving": lambda state: state.vehicle.moving,
    "parked": lambda state: not state.vehicle.moving,
    "dark": lambda state: state.situation.dark,
    "light": lambda state: not state.situation.dark,
    "trip": lambda state: state.destination is not None,
    "no_trip": lambda state: state.destination is None,
    "constrained": lambda state: bool(state.established),
    "unconstrained": lambda state: not state.established,
    "has_stops": lambda state: bool(state.stops),
    "no_stops": lambda state: not state.stops,
    "searching": lambda state: bool(state.results),
    "asking": lambda state: state.pending is not None or state.choice is not None or state.reminding is not None,
    "playing": lambda state: state.player.current is not None,
}
"""``searching``: a list of places has been told; ``asking``: the assistant waits for an answer to a question."""


def holds(names: Iterable[str], state: DialogueState) -> bool:
    """Whether all conditions called ``names`` hold in ``state``. Raises KeyError for one that there is not."""
    return all(CONDITIONS[name](state) for name in names)
