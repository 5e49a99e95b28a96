"""What changed in an assistant's side channel from one reply to the next.

It must not say whether a change is right; checks and judges do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from hairpin.domain.base import Value

State = Mapping[str, JsonValue]


class StateChange(Value):
    """One value that is no longer what it was. ``known_before`` is false where nothing stood; so is ``known`` now."""

    path: str
    before: JsonValue = None
    now: JsonValue = None
    known_before: bool = True
    known: bool = True


def state_changes(before: State | None, now: State | None) -> tuple[StateChange, ...]:
    """Return what changed, in the order of ``now``, what is gone last; lists are compared as wholes.

    An assistant that told no state, before or now, gives no changes: nothing is known of them.
    """
    if before is None or now is None:
        return ()
    return tuple(_changes(dict(before), dict(now), ""))


def _changes(before: dict[str, JsonValue], now: dict[str, JsonValue], prefix: str) -> Iterator[StateChange]:
    for key, value in now.items():
        path = f"{prefix}{key}"
        if key not in before:
            yield StateChange(path=path, now=value, known_before=False)
            continue
        old = before[key]
        if isinstance(old, dict) and isinstance(value, dict):
            yield from _changes(old, value, f"{path}.")
        elif old != value or isinstance(old, bool) is not isinstance(value, bool):
            yield StateChange(path=path, before=old, now=value)
    for key in (key for key in before if key not in now):
        yield StateChange(path=f"{prefix}{key}", before=before[key], known=False)
