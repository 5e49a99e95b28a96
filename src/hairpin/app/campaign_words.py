"""What a campaign holds and how long it may take, in words, and what of it a user may not have meant.

It reads no file and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec, Pairing, Split
from hairpin.domain.durations import duration_text
from hairpin.domain.sampling import arm_time_s
from hairpin.llm.campaign_estimate import arm_levels
from hairpin.packs.campaign_formats import DEFAULT_BASELINE_MAX_TURNS, DEFAULT_BASELINE_PERSONA


def campaign_words(spec: CampaignSpec) -> str:
    """Return in one line what a campaign holds."""
    budgets = [] if spec.time_s is None else [f"{duration_text(spec.time_s)} per arm and cell"]
    budgets += [] if spec.conversations is None else [f"{spec.conversations} conversations in all"]
    suts = ", ".join(spec.suts) or "the scenario's own assistant"
    n_phrases = sum(len(pool.phrases) for pool in spec.pools)
    cells = f"{_many(spec.runs, 'run')} against {suts}"
    arms = " and ".join(spec.arms)
    how_long = ", ".join(budgets) or "as long as --time or --conversations say"
    return f"{arms}; {cells}; {n_phrases} seed phrases; {how_long}"


def extent_words(spec: CampaignSpec) -> str:
    """Return in one line how many cells and arms there are, one after another, and how long all of it takes at most."""
    cells = f"{_many(spec.n_cells, 'cell')} ({_many(spec.runs, 'run')} × {_many(spec.n_suts, 'assistant')})"
    cells += " one after another" if spec.n_cells > 1 else ""
    arms = _many(len(spec.arms), "arm")
    conversations = "" if spec.conversations is None else _many(spec.conversations, "conversation")
    total_s = _total_s(spec, spec.time_s)
    if spec.time_s is not None and total_s is not None:
        sooner = f", less if {conversations} are over sooner" if conversations else ""
        return f"{cells}, {_arms_with(spec, arms, spec.time_s)}: {duration_text(total_s)} in all at most{sooner}"
    if conversations:
        return f"{cells}, {arms} in each: {conversations} in all, however long they take"
    times = round(_total_s(spec, 1.0) or 0)
    return f"{cells}, {arms} in each: {times} times what --time says in all at most"


def remarks(spec: CampaignSpec) -> Iterator[str]:
    """Yield what of a campaign comes out otherwise than its numbers and settings look."""
    n, slots, arms = spec.conversations, spec.n_cells * len(spec.arms), len(spec.arms)
    if n is not None and n < slots:
        what = f"{_many(spec.n_cells, 'cell')} × {_many(arms, 'arm')}"
        yield f"{_many(n, 'conversation')} for {what}: the last {slots - n} of these {slots} get none"
    if n is not None and spec.split is Split.COUNT and n % arms:
        even = " or ".join(str(number) for number in (n - n % arms, n + arms - n % arms) if number)
        yield (
            f"{_many(n, 'conversation')} cannot be split by count among {arms} arms, so in one cell the last of "
            f"{spec.arms[0].value} is not begun; --conversations {even} is even"
        )
    if spec.pairing is Pairing.PAIRED and Arm.BASELINE in spec.arms and _has_own_baseline(spec):
        levels = ", ".join(map(str, arm_levels(spec, Arm.BASELINE)))
        yield (
            f"arms are paired, so campaign.baseline (persona {spec.baseline.persona.id}, M = "
            f"{spec.baseline.max_turns}) is not used: the baseline has the guided arm's users, with M = {levels}"
        )


def _total_s(spec: CampaignSpec, time_s: float | None) -> float | None:
    each_s = arm_time_s(spec.model_copy(update={"time_s": time_s}))
    return None if each_s is None else each_s * len(spec.arms) * spec.n_cells


def _arms_with(spec: CampaignSpec, arms: str, time_s: float) -> str:
    in_each = " in each" if spec.n_cells > 1 else ""
    if len(spec.arms) == 1:
        return f"{arms} of {duration_text(time_s)}{in_each}"
    if spec.split is Split.TIME:
        return f"{arms} of {duration_text(time_s)} each"
    shared_s = time_s if spec.split is Split.TOTAL else time_s * len(spec.arms)
    return f"{arms} that share {duration_text(shared_s)}{in_each}"


def _has_own_baseline(spec: CampaignSpec) -> bool:
    own = (spec.baseline.persona.id, spec.baseline.max_turns)
    return own != (DEFAULT_BASELINE_PERSONA, DEFAULT_BASELINE_MAX_TURNS)


def _many(n: int, noun: str) -> str:
    return f"{n} {noun}{'s' * (n != 1)}"
