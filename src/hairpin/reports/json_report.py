"""The whole report as JSON, for programs: every conversation, also those that the HTML report only counts.

It only writes down a ``ReportModel``; the short form for pipelines is ``summary.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.base import Value
from hairpin.reports.model import ConversationReport, ReportModel
from hairpin.reports.relation_rows import family_json

_LAST: Final = "conversations"
_FAMILIES: Final = "replay_families"


def json_parts(
    report: ReportModel, conversations: Iterable[ConversationReport], families: Iterable[ScoredFamily] = ()
) -> Iterator[str]:
    """Yield the report as JSON in parts, with all of ``conversations``, one a line, holding one of them at a time.

    ``families``: of replays, with every check; then, too, one a line.
    """
    head = _dumped(report.model_copy(update={_LAST: ()}), indent=2)
    opened, _, _ = head.rpartition("[]\n}")
    yield f"{opened}["
    # Each on one line: a big run's file is half as large and made in half the time.
    yield from _lines(_dumped(conversation, indent=None) for conversation in conversations)
    yield f'],\n  "{_FAMILIES}": ['
    yield from _lines(family_json(families))
    yield "]\n}\n"


def _lines(values: Iterable[str]) -> Iterator[str]:
    """Yield what stands between the brackets of a list, one value a line."""
    separator = "\n    "
    for value in values:
        yield separator + value
        separator = ",\n    "
    if separator[0] == ",":
        yield "\n  "


def _dumped(value: Value, *, indent: int | None) -> str:
    return json.dumps(value.model_dump(mode="json"), ensure_ascii=False, indent=indent, allow_nan=False)
