"""What a campaign is: its arms, runs, seed pools and budgets.

Pure values. Which conversations follow from them is ``domain.sampling``; the clock is ``campaign.pace``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.learning_spec import LearningSpec
from hairpin.domain.sut_spec import SutSpec
from hairpin.domain.users import Persona


class Split(StrEnum):
    """How arms share what a campaign may take (design, section 12).

    ``TIME``: each arm gets all of the time, run for run. ``COUNT``: equal numbers of conversations. ``TOTAL``: the time
    is shared out.
    """

    TIME = "time"
    COUNT = "count"
    TOTAL = "total"


class Pairing(StrEnum):
    """Whether the arms meet the same users.

    ``INDEPENDENT``: the baseline has its own persona and M (in-car paper, section IV-B), and the learned arm chooses
    task combinations. ``PAIRED``: seed phrase, persona, context, M and random seed are those of the guided conversation
    with the same number, so that only the strategies differ.
    """

    INDEPENDENT = "independent"
    PAIRED = "paired"


class SeedPhrase(Value):
    """A seed phrase with the task combination it asks for; ``""`` where nobody said which."""

    text: str = Field(min_length=1)
    task: str = ""


class SeedPool(Value):
    """Seed phrases, each once, that one run draws from without replacement."""

    name: str
    phrases: tuple[SeedPhrase, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if len({phrase.text for phrase in self.phrases}) < len(self.phrases):
            raise ValueError(f"pool {self.name!r} has a phrase twice")
        return self


class BaselineSpec(Value):
    """The baseline arm's user and M where arms are independent (in-car paper, section IV-B: neutral, M = 8)."""

    persona: Persona
    max_turns: int = Field(default=8, ge=1)


class CampaignSpec(Value):
    """A campaign over a scenario, resolved. Its conversations are ``domain.sampling``'s.

    Attributes:
        time_s: active time of each arm in each cell, in seconds; a cell is one run against one assistant. With
            ``Split.TOTAL`` the arms of a cell share it.
        conversations: how many conversations are planned in all, shared evenly by cells and arms.
        max_distinct_failures: a cell's arm starts nothing new once it has found so many.
        arms: in the order in which ties between them are broken; with the learned one goes the guided one.
        split: how arms share time.
        pairing: whether arms meet the same users.
        runs: repetitions of the whole, each with the next pool of seed phrases.
        max_turns: the levels of M.
        pools: run i draws from pool i, counted from the start again when there are fewer pools than runs.
        suts: assistants by label; empty: the scenario's own.
        baseline: the baseline arm's user.
        encoder: what turns utterances into vectors, for the diversity of failures.
        retries: how often a conversation that Hairpin or a provider broke is tried again, at once.
        learning: how the learned arm learns.
    """

    time_s: float | None = Field(default=None, gt=0)
    conversations: int | None = Field(default=None, ge=1)
    max_distinct_failures: int | None = Field(default=None, ge=1)
    arms: tuple[Arm, ...] = Field(default=(Arm.GUIDED,), min_length=1)
    split: Split = Split.TIME
    pairing: Pairing = Pairing.INDEPENDENT
    runs: int = Field(default=1, ge=1)
    max_turns: tuple[int, ...] = Field(min_length=1)
    pools: tuple[SeedPool, ...] = Field(min_length=1)
    suts: Mapping[str, SutSpec] = Field(default_factory=dict)
    baseline: BaselineSpec
    retries: int = Field(default=1, ge=0)
    encoder: EncoderSpec = EncoderSpec()
    learning: LearningSpec = LearningSpec()

    @model_validator(mode="after")
    def _levels_once(self) -> Self:
        for name, levels in (("arms", self.arms), ("max_turns", self.max_turns)):
            if len(set(levels)) < len(levels):
                raise ValueError(f"{name} has a level twice: {list(levels)}")
        if min(self.max_turns) < 1:
            raise ValueError(f"max_turns must be at least 1: {list(self.max_turns)}")
        if not self.compares_learning:
            raise ValueError(f"the learned arm is always compared with uniform choice, the guided arm: {self.arms}")
        return self

    @property
    def compares_learning(self) -> bool:
        """Whether uniform choice stands beside the learned arm, if there is one."""
        return Arm.LEARNED not in self.arms or Arm.GUIDED in self.arms

    @property
    def n_suts(self) -> int:
        """How many assistants are tested; without any here it is the scenario's own."""
        return len(self.suts) or 1

    @property
    def n_cells(self) -> int:
        """How many cells there are: runs × assistants."""
        return self.runs * self.n_suts

    def pool_of(self, run: int) -> SeedPool:
        """Return the pool that run number ``run``, from 0, draws from."""
        return self.pools[run % len(self.pools)]
