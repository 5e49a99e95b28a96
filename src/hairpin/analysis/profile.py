"""The failure-type profile of both arms: enrichment and prevalence (in-car paper, Table V).

It must not test anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hairpin.analysis.model import FailureProfile, ProfileRow, Proportion
from hairpin.analysis.modes import mode_order
from hairpin.analysis.proportions import proportion
from hairpin.analysis.scope import Scope, rated
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.failures import ModeKind


@dataclass(frozen=True, slots=True)
class _ArmCounts:
    """Instances and conversations by mode of one arm's rated conversations."""

    instances: Counter[str]
    conversations: Counter[str]
    n_conversations: int

    def prevalence(self, mode: str) -> Proportion:
        return proportion(self.conversations[mode], self.n_conversations, reason="no rated conversation in this arm")


def failure_profile(facts: Sequence[ConversationFacts], sut: str | None, *, modes: Sequence[str]) -> FailureProfile:
    """Return the profile of ``sut``, or of all assistants: ``modes`` in their order, then others that were found."""
    arms = {arm: rated(Scope(sut=sut, arm=arm).pick(facts)) for arm in (Arm.GUIDED, Arm.BASELINE)}
    guided, baseline = _count(arms[Arm.GUIDED]), _count(arms[Arm.BASELINE])
    rows = mode_order((*arms[Arm.GUIDED], *arms[Arm.BASELINE]), modes)
    return FailureProfile(
        sut=sut,
        guided_instances=guided.instances.total(),
        baseline_instances=baseline.instances.total(),
        rows=tuple(_row(mode, guided, baseline) for mode in rows),
    )


def _count(facts: Sequence[ConversationFacts]) -> _ArmCounts:
    return _ArmCounts(
        instances=Counter(f.mode for fact in facts for f in fact.failures if f.kind is not ModeKind.CHECK),
        conversations=Counter(mode for fact in facts for mode in fact.modes),
        n_conversations=len(facts),
    )


def _row(mode: str, guided: _ArmCounts, baseline: _ArmCounts) -> ProfileRow:
    enrichment, reason = _enrichment(mode, guided, baseline)
    return ProfileRow(
        mode=mode,
        guided_instances=guided.instances[mode],
        baseline_instances=baseline.instances[mode],
        enrichment=enrichment,
        reason=reason,
        guided_prevalence=guided.prevalence(mode),
        baseline_prevalence=baseline.prevalence(mode),
    )


def _enrichment(mode: str, guided: _ArmCounts, baseline: _ArmCounts) -> tuple[float | None, str]:
    """Return (n_S(m) / N_S) / (n_B(m) / N_B), or why it is undefined (design, section 12)."""
    for arm, counts in ((Arm.GUIDED, guided), (Arm.BASELINE, baseline)):
        if counts.instances.total() == 0:
            return None, f"the {arm} arm has no failures"
    if baseline.instances[mode] == 0:
        found = "only guided conversations have it" if guided.instances[mode] else "neither arm has it"
        return None, found
    share = baseline.instances[mode] * guided.instances.total()
    return guided.instances[mode] * baseline.instances.total() / share, ""
