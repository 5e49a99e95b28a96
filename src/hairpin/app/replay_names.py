"""What assistants of several runs are called beside each other: by their labels, and by what differs.

It reads no run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from hairpin.domain.base import Value
from hairpin.domain.families import Family
from hairpin.domain.records import ConversationRecord


class RunSut(Value):
    """One assistant of one run: its label there, the ratio of the run, and how the run is named."""

    sut: str
    ratio: float
    run: str


def unique_names(suts: Sequence[RunSut]) -> tuple[str, ...]:
    """Return a name for each of ``suts``, no two alike: the label; of equal ones with the ratio, the run, or both."""
    ways: tuple[Callable[[RunSut], str], ...] = (
        lambda each: each.sut,
        lambda each: f"{each.sut} (ratio {each.ratio:g})",
        lambda each: f"{each.sut} ({each.run})",
    )
    names: list[str] = []
    for each in suts:
        same = [other for other in suts if other.sut == each.sut]
        names.append(next(way(each) for way in ways if len({way(other) for other in same}) == len(same)))
    twice = {name for name, number in Counter(names).items() if number > 1}
    # A label may itself look like a name that was made.
    return tuple(f"{name} ({n})" if name in twice else name for n, name in enumerate(names, 1))


def renamed(family: Family, name: str) -> Family:
    """Return ``family`` as one of the assistant called ``name``."""
    return family.model_copy(
        update={
            "source": _renamed(family.source, name),
            "follow_ups": tuple(_renamed(record, name) for record in family.follow_ups),
        }
    )


def _renamed(record: ConversationRecord, name: str) -> ConversationRecord:
    return record.model_copy(update={"planned": record.planned.model_copy(update={"sut": name})})
