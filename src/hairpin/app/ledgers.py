"""The blame ledger of a stored run: folded beside the report from the same rows.

It must not read the store; whoever asks hands over the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hairpin.domain.annotations import Annotation
from hairpin.domain.ledger import LedgerRow, ledger_row, words_by_conversation
from hairpin.domain.records import ConversationRecord
from hairpin.reports.glossary import Glossary
from hairpin.reports.ledger import ledger_section
from hairpin.reports.model import ConversationReport
from hairpin.reports.tables import Section, Table

if TYPE_CHECKING:
    from hairpin.analysis.peoples_word import PeoplesWordFold


class Ledger:
    """Rows of the conversations that pass by, by what people say and by which failures are not confirmed."""

    def __init__(self, annotations: Sequence[Annotation], unconfirmed: Mapping[str, str] | None = None) -> None:
        self._said = words_by_conversation(annotations)
        self._unconfirmed = unconfirmed or {}
        self._people = _people_of(annotations) if annotations else None
        self._rows: list[LedgerRow] = []
        self._n_planned = 0

    def watching(self, records: Iterable[ConversationRecord]) -> Iterator[ConversationRecord]:
        """Yield ``records`` as they are, and note on the way what belongs in the ledger."""
        for record in records:
            if record.planned.for_itself and record.planned.replay is None:
                self._note(record)
            yield record

    def row(self, record: ConversationRecord) -> LedgerRow | None:
        """Return the row of a conversation; ``None``: its verdict is clean, or it gets none."""
        planned = record.planned
        return ledger_row(record, self._said.get(planned.id, ()), unconfirmed=self._unconfirmed.get(planned.id, ""))

    def marked(self, report: ConversationReport, record: ConversationRecord) -> ConversationReport:
        """Return ``report`` with the row of its conversation."""
        row = self.row(record)
        return report if row is None else report.model_copy(update={"ledger": row})

    def sections(self, titles: Glossary) -> tuple[Section, ...]:
        """Return the section of what passed by; none where every verdict is clean and nobody says anything."""
        if not self._rows and self._people is None:
            return ()
        said, tables = self._of_people(titles)
        return (ledger_section(self._rows, n_planned=self._n_planned, said=said, tables=tables),)

    def _note(self, record: ConversationRecord) -> None:
        self._n_planned += 1
        row = self.row(record)
        if row is not None:
            self._rows.append(row)
        if self._people is not None:
            self._people.add(record)

    def _of_people(self, titles: Glossary) -> tuple[tuple[str, ...], tuple[Table, ...]]:
        if self._people is None:
            return (), ()
        from hairpin.reports.peoples_word import peoples_tables, peoples_words

        found = self._people.result()
        return (peoples_words(found),), peoples_tables(found, titles)


def _people_of(annotations: Sequence[Annotation]) -> PeoplesWordFold:
    # The statistics take seconds to load: only where people say something.
    from hairpin.analysis.peoples_word import PeoplesWordFold

    return PeoplesWordFold(annotations)
