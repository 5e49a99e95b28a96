"""The blame ledger as a section with tables, and one of its rows in words.

It computes nothing: rows are ``domain.ledger``'s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from hairpin.domain.ledger import NOBODY, LedgerCounts, LedgerReason, LedgerRow
from hairpin.domain.outcome import Blame
from hairpin.reports.cells import count, counts, text, words
from hairpin.reports.rater_names import rater_names
from hairpin.reports.tables import Cell, Section, Table
from hairpin.reports.wording import BLAME_WORDS, STANDING_WORDS, STOP_WORDS

LEDGER = "ledger"
"""The id of the section."""

REASON_WORDS: Mapping[str, str] = {
    **{reason.value: told for reason, told in STOP_WORDS.items()},
    LedgerReason.NEVER_BEGUN.value: "it was never begun",
    LedgerReason.NO_OUTCOME.value: "it was begun and has no outcome",
    LedgerReason.UNSCORED.value: "its success score is undefined",
    LedgerReason.UNCONFIRMED.value: "its failure was not confirmed",
    LedgerReason.OVERRIDDEN.value: "people contradict its verdict",
}
"""Why a conversation has no clean verdict, in words."""


def ledger_section(
    rows: Sequence[LedgerRow], *, n_planned: int, said: Sequence[str] = (), tables: Sequence[Table] = ()
) -> Section:
    """Return every conversation without a clean verdict, with who broke it and what shows it.

    Args:
        rows: of the conversations that were begun or planned.
        n_planned: how many there are in all.
        said, tables: what people say beside what the run says, in words and as tables.
    """
    told = [
        f"{n_planned} planned = {n_planned - len(rows)} with a clean verdict + {len(rows)} without: invalid, "
        "inconclusive, missing, or passed or failed and disputed."
    ]
    overridden = sum(bool(row.overridden_by) for row in rows)
    if overridden:
        told.append(
            f"In {overridden} of them a person's word stands in place of the run's; no verdict and no rate changes."
        )
    return Section(id=LEDGER, title="Who broke what", text=(*told, *said), parts=(_totals(rows), _rows(rows), *tables))


def blame_words(blame: Blame | None) -> str:
    """Return who is to blame, in words."""
    return BLAME_WORDS[blame] if blame is not None else NOBODY


def row_words(row: LedgerRow) -> str:
    """Return a row in one paragraph, without its conversation."""
    by = f" (by the word of {rater_names(row.overridden_by)}; the run says {blame_words(row.run_blame)})"
    return f"{blame_words(row.blame)}{by if row.overridden_by else ''}: {REASON_WORDS[row.reason]}; {row.evidence}"


def count_words(found: LedgerCounts) -> str:
    """Return the counts in one line: ``3 = 2 judge + 1 nobody``."""
    parts = " + ".join(f"{number} {who}" for who, number in found.by_blame.items())
    return f"{found.rows} = {parts}" + (f"; {found.overridden} by people's word" if found.overridden else "")


def _totals(rows: Sequence[LedgerRow]) -> Table:
    found = Counter((blame_words(row.blame), REASON_WORDS[row.reason]) for row in rows)
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return Table(
        id="ledger-totals",
        title="Without a clean verdict, by blame and reason",
        columns=(words("Blame", header=True), words("Reason"), counts("Conversations")),
        rows=tuple((text(blame), text(reason), count(number)) for (blame, reason), number in ordered),
        empty="Every conversation has a clean verdict.",
    )


def _rows(rows: Sequence[LedgerRow]) -> Table:
    names = ("Assistant", "Stands as", "Blame", "The run says", "Reason", "Evidence", "By the word of")
    return Table(
        id=LEDGER,
        title="Every conversation without a clean verdict",
        columns=(words("Conversation", header=True), *map(words, names)),
        rows=tuple(_cells(row) for row in rows),
        empty="Every conversation has a clean verdict.",
        folded=len(rows) > 10,
    )


def _cells(row: LedgerRow) -> tuple[Cell, ...]:
    said = (
        row.conversation,
        row.sut,
        STANDING_WORDS[row.standing],
        blame_words(row.blame),
        blame_words(row.run_blame),
        REASON_WORDS[row.reason],
        row.evidence,
        ", ".join(row.overridden_by),
    )
    return tuple(map(text, said))
