"""What broke: violated relations one by one, with the question and the answers that were compared.

It decides nothing; the checks were made before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import MetamorphicRelation, Output, RelationCheck
from hairpin.reports.cells import count, missing, number, numbers, text, words
from hairpin.reports.tables import Cell, CellKind, Column, Section, Table

SHOWN = 200
"""So many violations are listed; the tables count all of them, and the CSV of the run has them."""

_MEANS: Mapping[MetamorphicRelation, str] = {
    MetamorphicRelation.RBT: "unlike the gold answer",
    MetamorphicRelation.MR1: "same context, unlike the expected answer",
    MetamorphicRelation.MR2: "another context, yet like that answer",
    MetamorphicRelation.MR3: "two equivalent contexts, unlike answers",
    MetamorphicRelation.MR4: "equivalent and other context, like answers",
    MetamorphicRelation.METAL: "words changed, unlike its own answer",
    MetamorphicRelation.QAASKER: "asked another way, unlike the answer implied",
}


def violations_section(scored: Sequence[ScoredFamily], location: str) -> Section:
    """Return the violations, those of questions that the source run had right first."""
    found = [(each, check) for each in scored for check in each.checks if check.violated]
    rows = sorted(found, key=lambda pair: (pair[1].relation is MetamorphicRelation.RBT, -(pair[1].level or 0)))
    shown = tuple(row for each, check in islice(rows, SHOWN) for row in (_row(each, check),))
    more = f" The first {SHOWN} of {len(found):,} are listed." if len(found) > SHOWN else ""
    table = Table(
        id="violations",
        title="Violated relations",
        note="Those that a source run which was right all along had not shown (L3) come first." + more,
        columns=(
            words("Conversation", header=True),
            Column(name="Turn", kind=CellKind.INTEGER),
            words("Question"),
            words("Relation"),
            words("Answer"),
            words("Compared with"),
            numbers("Similarity"),
            words("Level"),
        ),
        rows=shown,
        empty="No relation was violated.",
    )
    text_ = f"'hairpin show {location} CONVERSATION' prints a replay whole."
    return Section(id="violations", title="Violations", text=(text_,), parts=(table,))


def _row(scored: ScoredFamily, check: RelationCheck) -> tuple[Cell, ...]:
    family = scored.family
    records = {record.planned.id: record for record in (family.source, *family.follow_ups)}
    output = check.outputs[0] if check.outputs else Output(conversation=check.source, position=check.index)
    said = _said(records, output)
    return (
        text(output.conversation),
        count(output.position + 1),
        text(_asked(records, output) or family.derivation.test_seed.questions[check.index].text),
        text(f"{check.relation.value}: {_MEANS[check.relation]}"),
        missing("no answer was given") if said is None else text(said),
        _compared_with(scored, check, records),
        number(check.similarity, "compared by words"),
        missing("without gold answers nobody knows") if check.level is None else text(f"L{check.level}"),
    )


def _compared_with(scored: ScoredFamily, check: RelationCheck, records: Mapping[str, ConversationRecord]) -> Cell:
    """Return the other text: of a group the other output, else the expected or the assistant's own first answer."""
    if len(check.outputs) > 1:
        other = check.outputs[1]
        return text(f"{_said(records, other) or ''} ({other.conversation}, turn {other.position + 1})")
    return text(next(_expected(scored, check, records), ""))


def _expected(scored: ScoredFamily, check: RelationCheck, records: Mapping[str, ConversationRecord]) -> Iterator[str]:
    if check.relation is MetamorphicRelation.QAASKER and check.outputs:
        replay = records[check.outputs[0].conversation].planned.replay
        if replay is not None and replay.expected is not None:
            yield replay.expected
    answers = scored.family.derivation.test_seed.questions[check.index].answers
    if answers and check.relation is not MetamorphicRelation.METAL:
        yield answers[0]
    exchanges = scored.family.source.exchanges
    if check.index < len(exchanges):
        yield exchanges[check.index].assistant


def _said(records: Mapping[str, ConversationRecord], output: Output) -> str | None:
    record = records.get(output.conversation)
    if record is None or output.position >= len(record.exchanges):
        return None
    return record.exchanges[output.position].assistant


def _asked(records: Mapping[str, ConversationRecord], output: Output) -> str:
    record = records.get(output.conversation)
    if record is None or output.position >= len(record.exchanges):
        return ""
    return record.exchanges[output.position].user
