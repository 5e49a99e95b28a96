"""Every relation check and every context check of a run, with the texts that were compared: as CSV and JSON, in parts.

It decides nothing and holds one family at a time: a big run has hundreds of thousands of checks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from hairpin.analysis.metamorphic.detections import compared_text
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.base import Value
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import ContextCheck, Output, RelationCheck
from hairpin.domain.replay import NotApplicable
from hairpin.reports.cells import count, counts, missing, number, numbers, text, words
from hairpin.reports.csv_tables import csv_parts
from hairpin.reports.tables import Cell, Column

Families: TypeAlias = Callable[[], Iterable[ScoredFamily]]
"""Gives all families of a run with their checks, in plan order; may be a stream."""


class RelationRow(Value):
    """A relation check with its texts: the question as asked, the answer, and what that was compared with."""

    check: RelationCheck
    question: str
    answer: str
    compared_with: str


class ContextRow(Value):
    """A context check with its question and the earlier questions on both sides."""

    check: ContextCheck
    question: str
    source: tuple[str, ...]
    follow_up: tuple[str, ...]


class FamilyRows(Value):
    """All that was checked of one source conversation and its follow-ups."""

    source: str
    test_seed: str
    sut: str
    follow_ups: tuple[str, ...]
    not_applicable: tuple[NotApplicable, ...]
    relation_checks: tuple[RelationRow, ...]
    context_checks: tuple[ContextRow, ...]


def rows_of(scored: ScoredFamily) -> FamilyRows:
    """Return the rows of one family."""
    family = scored.family
    records = {record.planned.id: record for record in (family.source, *family.follow_ups)}
    contexts = (_context_row(scored, records.get(check.conversation), check) for check in family.context_checks)
    return FamilyRows(
        source=family.source.planned.id,
        test_seed=scored.seed,
        sut=scored.sut,
        follow_ups=family.derivation.follow_ups,
        not_applicable=family.derivation.not_applicable,
        relation_checks=tuple(
            _relation_row(scored, records.get(_output(check).conversation), check) for check in scored.checks
        ),
        context_checks=tuple(row for row in contexts if row is not None),
    )


def _output(check: RelationCheck) -> Output:
    return check.outputs[0] if check.outputs else Output(conversation=check.source, position=check.index)


def _relation_row(scored: ScoredFamily, record: ConversationRecord | None, check: RelationCheck) -> RelationRow:
    position = _output(check).position
    said = record.exchanges[position] if record is not None and position < len(record.exchanges) else None
    question = scored.family.derivation.test_seed.questions[check.index].text
    return RelationRow(
        check=check,
        question=question if said is None else said.user,
        answer="" if said is None else said.assistant,
        compared_with="" if check.violated is None else compared_text(scored, check),
    )


def _context_row(scored: ScoredFamily, record: ConversationRecord | None, check: ContextCheck) -> ContextRow | None:
    if record is None or record.planned.replay is None:
        return None
    replay = record.planned.replay
    return ContextRow(
        check=check,
        question=replay.questions[check.position].text,
        source=scored.family.derivation.test_seed.texts[: check.index],
        follow_up=replay.texts[: check.position],
    )


def family_json(families: Iterable[ScoredFamily]) -> Iterator[str]:
    """Yield the rows of each family as one line of JSON."""
    for scored in families:
        yield json.dumps(rows_of(scored).model_dump(mode="json"), ensure_ascii=False, allow_nan=False)


def relation_checks_csv(families: Iterable[ScoredFamily]) -> Iterator[str]:
    """Yield ``relation-checks.csv`` in parts: a line for every check, applicable or not; turns from 0."""
    columns = (
        words("Assistant"),
        words("Test seed"),
        words("Source"),
        words("Relation"),
        counts("Question number"),
        words("Question"),
        words("Kind"),
        words("Conversation"),
        counts("Turn"),
        words("Answer"),
        words("Other conversation"),
        words("Compared with"),
        numbers("Similarity"),
        counts("Pairs"),
        words("Result"),
        counts("Level"),
        words("Why not applicable"),
    )
    return csv_parts(columns, _relation_cells(families))


def _relation_cells(families: Iterable[ScoredFamily]) -> Iterator[tuple[Cell, ...]]:
    for scored in families:
        found = rows_of(scored)
        for row in found.relation_checks:
            check, output = row.check, _output(row.check)
            yield (
                text(found.sut),
                text(found.test_seed),
                text(found.source),
                text(check.relation.value),
                count(check.index + 1),
                text(row.question),
                text(check.kind),
                text(output.conversation),
                count(output.position),
                text(row.answer),
                text(check.outputs[1].conversation if len(check.outputs) > 1 else ""),
                text(row.compared_with),
                number(check.similarity, "not compared"),
                count(check.n_pairs),
                text({True: "violated", False: "holds", None: "not applicable"}[check.violated]),
                missing("no level") if check.level is None else count(check.level),
                text(check.reason),
            )


def context_checks_csv(families: Iterable[ScoredFamily]) -> Iterator[str]:
    """Yield ``context-checks.csv`` in parts: a line for every check, with all that decided it; turns from 0."""
    columns: tuple[Column, ...] = (
        words("Assistant"),
        words("Test seed"),
        words("Source"),
        words("Conversation"),
        counts("Turn"),
        counts("Question number"),
        words("Question"),
        words("Method"),
        counts("Repeat"),
        words("Result"),
        words("Decided by"),
        words("Rewrite in the source"),
        words("Rewrite in the follow-up"),
        words("Reference answer in the source"),
        words("Reference answer in the follow-up"),
        numbers("cos_Q"),
        numbers("cos_A"),
        counts("Calls"),
        words("Detail"),
    )
    return csv_parts(columns, _context_cells(families))


def _context_cells(families: Iterable[ScoredFamily]) -> Iterator[tuple[Cell, ...]]:
    for scored in families:
        found = rows_of(scored)
        for row in found.context_checks:
            check, finding = row.check, row.check.finding
            yield (
                text(found.sut),
                text(found.test_seed),
                text(found.source),
                text(check.conversation),
                count(check.position),
                count(check.index + 1),
                text(row.question),
                text(check.method.value),
                count(check.repeat),
                text({True: "equivalent", False: "not equivalent", None: "not applicable"}[finding.equivalent]),
                text(finding.reason.value),
                *(text(each) for each in finding.rewrites or ("", "")),
                *(text(each) for each in finding.answers or ("", "")),
                number(finding.cos_q, "not compared"),
                number(finding.cos_a, "not compared"),
                count(finding.n_calls),
                text(finding.detail),
            )
