"""Which conversations a campaign holds: an endless plan for each arm of each cell.

Pure, and lazy by passes through the pool. A plain run's plan is ``plan``'s; how long a campaign goes on is decided
elsewhere. A cell is one run against one assistant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hairpin.domain.arm import Arm
from hairpin.domain.balanced import BalancedDraws
from hairpin.domain.campaign import CampaignSpec, Pairing, Split
from hairpin.domain.plan import PlannedConversation, context_key
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.scenario import Scenario


@dataclass(frozen=True, slots=True)
class _User:
    """Whom an arm's conversations are planned for: the levels of persona and M."""

    personas: tuple[str, ...]
    max_turns: tuple[int, ...]


def plan_arm(
    scenario: Scenario, spec: CampaignSpec, *, run: int, sut: str, sut_number: int, arm: Arm
) -> Iterator[PlannedConversation]:
    """Yield the conversations of ``arm`` in run number ``run``, from 0, with assistant number ``sut_number``, from 0.

    The stream never ends, and depends on nothing but the scenario, ``spec``, ``run`` and ``arm``: every assistant meets
    the same users, in the same order. In every prefix each level of seed phrase, persona, M and context is used
    equally often, to within one, and so is each task combination as far as the pool's phrases allow. A pool is used up
    before a phrase comes again; then it comes with a persona, M and context that it has not met together, wherever
    the balance leaves one. Pairs of levels of different factors meet as early as possible.

    ``repeat`` is the pass through the pool, ``index`` the same for ever, however far other arms and cells are.

    Args:
        scenario: where personas and contexts come from; its ``repeats`` have no meaning here.
        spec: the campaign; ``PAIRED`` gives the baseline the users of the guided arm.
        run: below ``spec.runs``.
        sut: the label of the assistant.
        sut_number: its place in the campaign, below ``spec.n_suts``.
        arm: one of ``spec.arms``.

    Raises:
        ValueError: ``run``, ``sut_number`` or ``arm`` is not in the campaign.
    """
    if not 0 <= run < spec.runs or not 0 <= sut_number < spec.n_suts or arm not in spec.arms:
        what = f"run {run}, assistant {sut_number}, arm {arm.value!r}"
        raise ValueError(f"{what}: not in a campaign of {spec.runs} runs, {spec.n_suts} assistants, arms {spec.arms}")
    numbered = enumerate(_users(scenario, spec, run=run, arm=arm))
    place = (run * spec.n_suts + sut_number) * len(spec.arms) + spec.arms.index(arm)
    step, prefix = spec.n_cells * len(spec.arms), _prefix(spec, run, sut_number)
    for number, planned in numbered:
        changes = {
            "index": number * step + place,
            "id": f"{prefix}{arm.value}-{number + 1:03d}",
            "sut": sut,
            "arm": arm,
        }
        yield planned.model_copy(update=changes)


def place_of(spec: CampaignSpec, index: int) -> tuple[int, int]:
    """Return the numbers of cell and arm that the conversation with this ``index`` belongs to."""
    return divmod(index % (spec.n_cells * len(spec.arms)), len(spec.arms))


def share_out(spec: CampaignSpec) -> tuple[tuple[int, ...], ...] | None:
    """Return how many conversations each arm of each cell holds, as ``[cell][arm]``; ``None``: nobody said how many.

    Cells are in the order of runs, and within a run of assistants. What does not divide evenly goes to the first.
    """
    if spec.conversations is None:
        return None
    n_arms = len(spec.arms)
    each, rest = divmod(spec.conversations, spec.n_cells * n_arms)
    return tuple(tuple(each + (cell * n_arms + arm < rest) for arm in range(n_arms)) for cell in range(spec.n_cells))


def arm_time_s(spec: CampaignSpec) -> float | None:
    """Return the active time of one arm in one cell, in seconds; ``None``: nobody said.

    ``Split.TIME``: all of ``time_s``. ``Split.TOTAL``: an equal share of it. ``Split.COUNT``: ``time_s`` on average,
    since arms end at equal numbers of conversations: together they take ``time_s`` times the number of arms.
    """
    if spec.time_s is None:
        return None
    return spec.time_s / len(spec.arms) if spec.split is Split.TOTAL else spec.time_s


def _users(scenario: Scenario, spec: CampaignSpec, *, run: int, arm: Arm) -> Iterator[PlannedConversation]:
    """Yield what the conversations of an arm are about; number, name and assistant are not theirs yet."""
    stream = Arm.GUIDED if spec.pairing is Pairing.PAIRED else arm
    user = _user(scenario, spec, stream)
    pool, contexts = spec.pool_of(run).phrases, scenario.contexts
    keys = [context_key(context) for context in contexts]
    tasks = list(dict.fromkeys(phrase.task for phrase in pool))
    sizes = (len(user.personas), len(user.max_turns), len(contexts))
    root = derive_rng_seed(scenario.rng_seed, scenario.id, "campaign", str(run), stream.value)
    for draw in BalancedDraws([tasks.index(phrase.task) for phrase in pool], sizes, root):
        phrase, (p, m, c) = pool[draw.phrase], draw.levels
        persona, max_turns = user.personas[p], user.max_turns[m]
        path = (scenario.id, str(run), phrase.text, persona, str(max_turns), keys[c], str(draw.pass_number))
        yield PlannedConversation(
            index=0,
            id="",
            sut="",
            arm=stream,
            seed_phrase=phrase.text,
            persona=persona,
            context=contexts[c],
            repeat=draw.pass_number,
            max_turns=max_turns,
            rng_seed=derive_rng_seed(scenario.rng_seed, *path),
            run=run,
            task=phrase.task,
        )


def _user(scenario: Scenario, spec: CampaignSpec, stream: Arm) -> _User:
    if stream is Arm.BASELINE:
        return _User((spec.baseline.persona.id,), (spec.baseline.max_turns,))
    return _User(tuple(persona.id for persona in scenario.personas), spec.max_turns)


def _prefix(spec: CampaignSpec, run: int, sut_number: int) -> str:
    """Return what ids begin with: the run and the assistant, each where there are several."""
    of_run = f"r{run + 1}-" if spec.runs > 1 else ""
    return of_run + (f"s{sut_number + 1}-" if spec.n_suts > 1 else "")
