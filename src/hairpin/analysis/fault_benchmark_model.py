"""What the benchmark of seeded faults counts, and what it comes to.

It computes nothing. Where a figure is undefined it is ``None``, and a reason stands beside it.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from hairpin.analysis.model import Proportion
from hairpin.domain.base import Value
from hairpin.domain.facts import ConversationFacts

CLEAN = "clean"
"""The assistant without faults."""


class Part(StrEnum):
    """What those who built the offline agents worked with, and what was kept from them."""

    IN_SAMPLE = "in-sample"
    HELD_OUT = "held-out"


class Configuration(Value):
    """One configuration of the benchmark: wordings and fault parameters, strategies, and who judges."""

    part: Part
    pool: str
    judge: str


class TrueStrike(Value):
    """One time a fault struck: in which exchange, which label it earns; ``visible``: the reply shows it."""

    t: int = Field(ge=0)
    mode: str
    visible: bool = True


class BenchmarkConversation(Value):
    """One conversation with the assistant that has ``fault``, or is clean.

    Attributes:
        facts: what was found in it.
        strikes: what the assistant's hidden log says of it; none on the clean one.
        tokens: of Hairpin's own model calls for it.
    """

    cell: Configuration
    fault: str
    facts: ConversationFacts
    strikes: tuple[TrueStrike, ...] = ()
    tokens: int = Field(default=0, ge=0)

    @property
    def shown(self) -> frozenset[tuple[int, str]]:
        """The exchanges that show a strike, with the label that each must get."""
        return frozenset((strike.t, strike.mode) for strike in self.strikes if strike.visible)

    @property
    def labels(self) -> frozenset[tuple[int, str]]:
        """The labels that were given, each once per exchange."""
        return frozenset((failure.t, failure.mode) for failure in self.facts.failures)


class Rate(Value):
    """``events`` in ``n``, per 100, with an interval for a count that has no upper bound."""

    events: int = Field(ge=0)
    n: int = Field(ge=0)
    per_100: float | None
    low: float = Field(ge=0)
    high: float | None
    confidence: float = Field(default=0.95, gt=0, lt=1)


class FirstFinding(Value):
    """What it took to find a fault for the first time, in the order of the plan.

    Attributes:
        conversations: held so far, the one that shows it included.
        turns: so many exchanges, up to the one that is rightly labelled.
        tokens: of Hairpin's own model calls for these conversations.
    """

    conversations: int = Field(ge=1)
    turns: int = Field(ge=1)
    tokens: int = Field(ge=0)


class FaultRecall(Value):
    """How a fault was found in one configuration; conversations count where a reply shows a strike.

    Attributes:
        fault: ``None``: all faults together.
        n_conversations: that were held; ``n_turns``: exchanges in them.
        n_invalid: of these, conversations that something else than the assistant spoilt; they count all the same,
            as far as they went.
        n_unseen: strikes that no reply shows, and which therefore count nowhere.
        found: conversations with any label in or after the first exchange that shows a strike.
        labelled: with the right label there.
        at_turn: with the right label in an exchange that shows a strike.
        strikes: strikes with the right label in their exchange.
        first: ``None``: it was never found.
        per_100: exchanges in which it was found, of all exchanges; its inverse is how many turns one finding takes.
        n_other: labels in conversations with the fault that no strike earns; what was spoilt earlier may justify them.
    """

    cell: Configuration
    fault: str | None
    n_conversations: int = Field(ge=0)
    n_turns: int = Field(ge=0)
    n_invalid: int = Field(ge=0)
    n_unseen: int = Field(ge=0)
    found: Proportion
    labelled: Proportion
    at_turn: Proportion
    strikes: Proportion
    first: FirstFinding | None
    per_100: Rate
    n_other: int = Field(ge=0)


class FalseAlarms(Value):
    """What was found in the assistant without faults.

    Attributes:
        alarms: labels, each once per exchange, per 100 exchanges.
        conversations: those with at least one label.
        failed: those that failed, of those that passed or failed.
        by_mode: the labels by failure mode, the most frequent first.
    """

    cell: Configuration
    n_invalid: int = Field(ge=0)
    alarms: Rate
    conversations: Proportion
    failed: Proportion
    by_mode: tuple[tuple[str, int], ...]


class ConfusionRow(Value):
    """What exchanges that show a strike of ``fault`` were labelled with; an exchange can have several labels.

    ``fault`` ``clean``: all exchanges of the assistant without faults. ``labels``: in the order of ``Confusion.modes``.
    """

    fault: str
    earns: tuple[str, ...]
    n: int = Field(ge=0)
    labels: tuple[int, ...]
    none: int = Field(ge=0)


class Confusion(Value):
    """True fault × label, over all strategy pools."""

    part: Part
    judge: str
    modes: tuple[str, ...]
    rows: tuple[ConfusionRow, ...]


class StrategyFinding(Value):
    """What utterances of one strategy did to the assistant with one fault.

    Attributes:
        struck: utterances whose reply shows a strike, of all that the strategy wrote.
        found: of those with a strike, the rightly labelled ones.
    """

    fault: str
    struck: Proportion
    found: Proportion


class StrategyFindings(Value):
    """Faults × one strategy; ``None``: utterances without one."""

    strategy: str | None
    findings: tuple[StrategyFinding, ...]


class StrategyTable(Value):
    """Faults × strategies of one configuration."""

    cell: Configuration
    faults: tuple[str, ...]
    rows: tuple[StrategyFindings, ...]


class IndirectFinding(Value):
    """How a fault is found that no label of an exchange shows.

    Attributes:
        variant: the fault with its parameters; ``clean``: the assistant without, where what is found is made up.
        found: of the conversations that were asked anew (F11) in which a reply shows a strike, or, on the clean one,
            of all: those with a violated relation. Of the assistants checked (F12): those that failed.
        unseen: conversations that were asked anew and in which no reply shows a strike.
    """

    part: Part
    fault: str
    variant: str
    found: Proportion
    unseen: int = Field(default=0, ge=0)


class FaultBenchmark(Value):
    """Everything the benchmark says of faults that labels show."""

    recalls: tuple[FaultRecall, ...]
    alarms: tuple[FalseAlarms, ...]
    confusions: tuple[Confusion, ...]
    strategies: tuple[StrategyTable, ...]

    def overall(self, part: Part) -> tuple[FaultRecall, ...]:
        """Return the recall over all faults together, one for each configuration of ``part``."""
        return tuple(each for each in self.recalls if each.fault is None and each.cell.part is part)
