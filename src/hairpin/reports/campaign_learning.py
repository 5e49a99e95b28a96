"""What was learned across conversations: learned beside uniform choice, and what became of each choice.

It computes nothing; the figures are ``analysis.learning``'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hairpin.analysis.learning_model import ChoiceRow, Discoveries, Learned
from hairpin.domain.arm import Arm
from hairpin.reports.campaign_overview import LEAST_FOR_MAGNITUDE
from hairpin.reports.cells import (
    arm_word,
    count,
    counts,
    missing,
    number,
    numbered,
    numbers,
    share,
    spread,
    spreads,
    sut_text,
    text,
    whose,
    words,
    written,
)
from hairpin.reports.cells import percents as shares
from hairpin.reports.glossary import Glossary
from hairpin.reports.tables import Cell, Section, Table

_NO_TASK = "no task combination"
_NEVER = "never used"


def learning_section(learned: Sequence[Learned], titles: Glossary, *, confirmed: bool) -> Section | None:
    """Return what was learned; ``None`` where nothing was to be.

    ``confirmed``: only failures that trials confirmed were rewarded.
    """
    if not learned:
        return None
    # With one assistant the comparison over all is the same once more.
    shown = learned if len(learned) > 2 else learned[1:]
    rewarded = (
        "confirmed distinct failures alone; the counts here are of all that were found"
        if confirmed
        else "distinct failures as they were found, unconfirmed: with confirm, only those that come again would count"
    )
    return Section(
        id="learning",
        title="What was learned",
        text=(_headline(shown[0]), f"Choices were rewarded by {rewarded}."),
        parts=(
            _discoveries(shown),
            _conversations(shown),
            *(_choices(each, index, "strategies", titles) for index, each in enumerate(shown)),
            *(_choices(each, index, "tasks", titles) for index, each in enumerate(shown) if each.tasks),
        ),
    )


def _headline(learned: Learned) -> str:
    found = learned.discoveries
    if found.difference is None or found.p is None or found.low is None or found.high is None:
        return f"Learned and uniform choice cannot be compared: {found.reason}."
    where = "Over all assistants" if learned.sut is None else f"Against {learned.sut}"
    return (
        f"{where}, learned choice found {found.learned.per_100:.1f} distinct failures per 100 conversations and "
        f"uniform choice {found.guided.per_100:.1f}: a difference of {found.difference:+.1f} "
        f"[{found.low:.1f}, {found.high:.1f}], permutation test p = {found.p:.3f}."
    )


def _discoveries(learned: Sequence[Learned]) -> Table:
    return Table(
        id="learned-discoveries",
        title="Distinct failures of learned and uniform choice",
        note="In the first so many rated conversations of both arms, cell by cell, per 100 of them, with 95 % "
        "intervals. p: of a two-sided permutation test that exchanges conversations with the same place in their arms. "
        "Intervals and test take conversations as independent; those of a learner follow from each other.",
        columns=(
            words("Assistant", header=True),
            counts("Conversations of each arm"),
            counts("Learned"),
            counts("Uniform"),
            written("Learned per 100"),
            written("Uniform per 100"),
            written("Difference"),
            numbers("p"),
        ),
        rows=tuple(_discovery_row(each) for each in learned),
    )


def _discovery_row(learned: Learned) -> tuple[Cell, ...]:
    found = learned.discoveries
    difference = (
        missing(found.reason)
        if found.difference is None
        else text(f"{found.difference:+.1f} [{found.low:.1f}, {found.high:.1f}]")
    )
    return (
        sut_text(learned.sut),
        count(found.learned.n),
        count(found.learned.distinct),
        count(found.guided.distinct),
        _per_100(found.learned, found.reason),
        _per_100(found.guided, found.reason),
        difference,
        number(found.p, found.reason, digits=3),
    )


def _per_100(found: Discoveries, reason: str) -> Cell:
    if found.per_100 is None:
        return missing(reason)
    return text(f"{found.per_100:.1f} [{found.low:.1f}, {found.high:.1f}]")


def _conversations(learned: Sequence[Learned]) -> Table:
    measures = (("Failure types per conversation", "failure_types"), ("C", "success_score"))
    first, second = Arm.LEARNED, Arm.GUIDED
    return Table(
        id="learned-compared",
        title="Failure types and success score of learned and uniform choice",
        note="Mann–Whitney U, two-sided. Â12: how often a learned conversation has the greater value, ties half.",
        folded=True,
        columns=(
            words("Assistant", header=True),
            words("Measure"),
            spreads(arm_word(first).capitalize()),
            spreads(arm_word(second).capitalize()),
            numbers("p"),
            numbers("Â12"),
        ),
        rows=tuple(_rank_row(each, title, name) for each in learned for title, name in measures),
    )


def _rank_row(learned: Learned, title: str, name: str) -> tuple[Cell, ...]:
    ranks = getattr(learned.comparison, name)
    few = min(ranks.test.n1, ranks.test.n2) < LEAST_FOR_MAGNITUDE
    return (
        sut_text(learned.sut),
        text(f"{title} (few conversations)" if few else title),
        spread(ranks.first),
        spread(ranks.second),
        number(ranks.test.p, ranks.test.reason, digits=4),
        number(ranks.effect.a12, ranks.effect.reason),
    )


def _choices(learned: Learned, index: int, what: str, titles: Glossary) -> Table:
    of_strategies = what == "strategies"
    rows = learned.strategies if of_strategies else learned.tasks
    named: Callable[[str], str] = (lambda name: titles.strategy(name).title) if of_strategies else _task
    halves = tuple(sum(row.learned[half] for row in rows) for half in (0, 1))
    uses = "turns whose utterance it wrote" if of_strategies else "conversations about it"
    return Table(
        id=numbered(f"learned-{what}", index),
        title=f"{'Strategies' if of_strategies else 'Task combinations'} as they were learned, {whose(learned.sut)}",
        note=f"Uses: {uses}, in conversations that passed or failed. New: distinct failures that it was the first in "
        "its cell to find. Shares: of all uses in the first and in the second half of the learned conversations. At "
        "random and for its finds: in how many learned conversations it was preferred for that reason.",
        folded=index > 0,
        columns=(
            words("Strategy" if of_strategies else "Task combination", header=True),
            counts("Uses, uniform"),
            counts("Uses, learned"),
            counts("New, uniform"),
            counts("New, learned"),
            shares("Share, first half"),
            shares("Share, second half"),
            counts("At random"),
            counts("For its finds"),
        ),
        rows=tuple(_choice_row(row, named(row.name), halves) for row in rows),
    )


def _choice_row(row: ChoiceRow, title: str, halves: Sequence[int]) -> tuple[Cell, ...]:
    parts = (share(n / whole if whole else None, _NEVER) for n, whole in zip(row.learned, halves, strict=True))
    return (
        text(title),
        count(row.guided),
        count(sum(row.learned)),
        count(row.guided_new),
        count(row.learned_new),
        *parts,
        count(row.explored),
        count(row.exploited),
    )


def _task(name: str) -> str:
    return name or _NO_TASK
