"""What broke: violated relations one by one, with the question and the answers that were compared.

It decides nothing; the checks were made before.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.metamorphic.detections import detection_of
from hairpin.analysis.metamorphic.model import METHOD_OF
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.relations import MetamorphicRelation, RelationCheck
from hairpin.domain.replay import Method
from hairpin.reports.cells import count, missing, number, numbers, text, words
from hairpin.reports.tables import Cell, CellKind, Column, Section, Table
from hairpin.reports.text import one_line
from hairpin.reports.wording import RELATION_WORDS

SHOWN = 200
"""So many violations are listed; the tables count all of them, and the CSV of the run has them."""

FOLDED_FROM = 26
"""A list of so many rows is folded."""

_ORDER = (Method.MORTAR, Method.METAL, Method.QAASKER, Method.RBT)
"""Baselines can find hundreds; they must not push what MORTAR found off the page."""


def violations_section(scored: Sequence[ScoredFamily], location: str) -> Section:
    """Return the violations: MORTAR's, the baselines', RBT's, of each those that the source run had right first."""
    found = [(each, check) for each in scored for check in each.checks if check.violated]
    rows = sorted(found, key=lambda pair: (_ORDER.index(METHOD_OF[pair[1].relation]), -(pair[1].level or 0)))
    shown = tuple(_row(each, check) for each, check in rows[:SHOWN])
    more = f" The first {SHOWN} of {len(found):,} are listed." if len(found) > SHOWN else ""
    table = Table(
        id="violations",
        title="Violated relations",
        note="By method; of each, those that a source run which was right all along had not shown (L3) come first."
        + more,
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
        folded=len(shown) >= FOLDED_FROM,
    )
    told = f"'hairpin show {location} CONVERSATION' prints a replay whole."
    return Section(id="violations", title="Violations", text=(told,), parts=(table,))


def violation_texts(scored: ScoredFamily, check: RelationCheck) -> tuple[str, ...]:
    """Return a violation in lines: which relation, where, what was asked and answered, and what that is compared with.

    The last line is empty.
    """
    found = detection_of(scored, check)
    similarity = "" if check.similarity is None else f", similarity {check.similarity:.2f}"
    what = f"{check.relation.value}: {RELATION_WORDS[check.relation]}{similarity}"
    return (
        f"{what}: {found.conversation}, turn {found.turn}",
        f"  question       {one_line(found.question)}",
        f"  answer         {one_line(found.answer)}",
        f"  compared with  {one_line(found.compared_with)}{_from(check)}",
        "",
    )


def _row(scored: ScoredFamily, check: RelationCheck) -> tuple[Cell, ...]:
    found = detection_of(scored, check)
    return (
        text(found.conversation),
        count(found.turn),
        text(found.question),
        text(f"{check.relation.value}: {RELATION_WORDS[check.relation]}"),
        text(found.answer),
        text(f"{found.compared_with}{_from(check)}"),
        number(check.similarity, "compared by words"),
        missing(_no_level(check.relation)) if check.level is None else text(f"L{check.level}"),
    )


def _from(check: RelationCheck) -> str:
    """Return where the other output of a group is, in brackets."""
    if len(check.outputs) < 2:
        return ""
    other = check.outputs[1]
    return f" ({other.conversation}, turn {other.position})"


def _no_level(relation: MetamorphicRelation) -> str:
    if relation is MetamorphicRelation.RBT:
        return "levels are of replays only"
    return "without gold answers nobody knows"
