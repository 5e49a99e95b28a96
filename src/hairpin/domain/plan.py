"""The plan: which conversations a run holds, in which order, with which random seeds.

Same scenario, same plan, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from pydantic import Field

from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.known_transcripts import CanaryTruth, KnownTranscript
from hairpin.domain.preference import Preference
from hairpin.domain.recording import Recording
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.scenario import Scenario
from hairpin.domain.test_seeds import TestSeed
from hairpin.domain.trials import MAX_TRIALS, Trial, TrialKind
from hairpin.domain.users import Context


class PlannedConversation(Value):
    """One unit of a run. ``seed_phrase`` is ``None`` for a script; ``sut`` is the label of an assistant of the run.

    ``recording``: the id, in its file, of the conversation that is said again. ``task``: the task combination of the
    seed phrase, where known. In a campaign, ``run`` is the number of the repetition, from 0. ``replay``: the questions
    of a test seed, which it asks in place of any other user's words. ``trial``: which conversation it tries to make
    again. ``canary``: the transcript with a known judgement that it says again, and ``truth``: that judgement.
    ``preference``: what was learnt for it.
    """

    index: int = Field(ge=0)
    id: str
    sut: str
    arm: Arm = Arm.GUIDED
    seed_phrase: str | None
    persona: str
    context: Context
    repeat: int = Field(ge=0)
    max_turns: int = Field(ge=1)
    rng_seed: int
    recording: str | None = None
    run: int = Field(default=0, ge=0)
    task: str = ""
    replay: Replay | None = None
    trial: Trial | None = None
    canary: str | None = None
    truth: CanaryTruth | None = None
    preference: Preference | None = None

    @property
    def for_itself(self) -> bool:
        """Whether it is one of those that the run was started for; the others are in no figure of conversations."""
        return self.index < FOLLOW_UPS_FROM

    @property
    def is_follow_up(self) -> bool:
        """Whether it was derived from another conversation of the run."""
        return self.replay is not None and self.replay.source is not None

    @property
    def is_aside(self) -> bool:
        """Whether it was made to try Hairpin itself: a trial or a canary. It has a verdict but is in no figure."""
        return self.trial is not None or self.canary is not None

    @property
    def asks_assistant(self) -> bool:
        """Whether the assistant takes part; where a trial or canary only judges anew, stored replies are said again."""
        rejudged = self.trial is not None and self.trial.kind is TrialKind.REJUDGE
        return self.canary is None and not rejudged


def plan_conversations(scenario: Scenario, suts: Sequence[str]) -> Iterator[PlannedConversation]:
    """Yield ``suts`` × seed phrases × personas × contexts × repeats, in that order.

    The random seed depends on what is planned and not on its place or the assistant, so that adding a conversation
    shifts no other, and two assistants meet the same users.
    """
    index = 0
    phrases: tuple[str | None, ...] = scenario.seed_phrases or (None,)
    cells = [
        (phrase, persona.id, context, repeat)
        for phrase in phrases
        for persona in scenario.personas
        for context in scenario.contexts
        for repeat in range(scenario.repeats)
    ]
    for sut in suts:
        for phrase, persona, context, repeat in cells:
            path = (scenario.id, phrase or "", persona, context_key(context), str(repeat))
            yield PlannedConversation(
                index=index,
                id=f"c{index + 1:04d}",
                sut=sut,
                seed_phrase=phrase,
                persona=persona,
                context=context,
                repeat=repeat,
                max_turns=scenario.max_turns,
                rng_seed=derive_rng_seed(scenario.rng_seed, *path),
                task=scenario.tasks.get(phrase or "", ""),
            )
            index += 1


def plan_recordings(
    scenario: Scenario, suts: Sequence[str], recordings: Sequence[Recording]
) -> Iterator[PlannedConversation]:
    """Yield ``suts`` × recordings, each as often as the scenario repeats; M is the length of the recording."""
    cells = [(recording, repeat) for recording in recordings for repeat in range(scenario.repeats)]
    for index, (sut, (recording, repeat)) in enumerate((sut, cell) for sut in suts for cell in cells):
        yield PlannedConversation(
            index=index,
            id=f"c{index + 1:04d}",
            sut=sut,
            seed_phrase=None,
            persona=scenario.personas[0].id,
            context=recording.context or scenario.contexts[0],
            repeat=repeat,
            max_turns=len(recording.exchanges),
            rng_seed=derive_rng_seed(scenario.rng_seed, scenario.id, "recording", recording.id, str(repeat)),
            recording=recording.id,
        )


def plan_test_seeds(
    scenario: Scenario, suts: Sequence[str], seeds: Sequence[TestSeed]
) -> Iterator[PlannedConversation]:
    """Yield ``suts`` × test seeds × repeats, each asked as it is (RBT); their follow-ups are planned as they end."""
    cells = [(seed, repeat) for seed in seeds for repeat in range(scenario.repeats)]
    for index, (sut, (seed, repeat)) in enumerate((sut, cell) for sut in suts for cell in cells):
        asked = tuple(ReplayedQuestion(text=text, index=place) for place, text in enumerate(seed.texts))
        yield PlannedConversation(
            index=index,
            id=f"c{index + 1:04d}",
            sut=sut,
            seed_phrase=None,
            persona=scenario.personas[0].id,
            context=seed.context,
            repeat=repeat,
            max_turns=len(asked),
            rng_seed=derive_rng_seed(scenario.rng_seed, scenario.id, "test seed", seed.id, str(repeat)),
            replay=Replay(method=Method.RBT, test_seed=seed.id, questions=asked),
        )


FOLLOW_UPS_FROM = 1 << 44
"""Numbers in the plan from here on are those of follow-ups; what is run for itself is numbered from 0."""

MAX_FOLLOW_UPS = 1 << 12
"""So many follow-ups one conversation can have."""


def follow_up_index(source: PlannedConversation, number: int) -> int:
    """Return the number in the plan of follow-up ``number``, from 0, of ``source``: the same whenever it is planned.

    Raises:
        ValueError: there are more than MAX_FOLLOW_UPS.
    """
    if not 0 <= number < MAX_FOLLOW_UPS:
        raise ValueError(f"follow-up {number} of {source.id}: a conversation has at most {MAX_FOLLOW_UPS}")
    return FOLLOW_UPS_FROM + source.index * MAX_FOLLOW_UPS + number


TRIALS_FROM = 1 << 60
CANARIES_FROM = 1 << 61

_KINDS = tuple(TrialKind)


def plan_trial(source: PlannedConversation, kind: TrialKind, number: int, *, from_turn: int = 0) -> PlannedConversation:
    """Return trial ``number`` of ``kind`` of ``source``, which must be planned for itself.

    The same trial is the same whenever it is planned. All keep the random seed of their source, by which judges are
    asked and the assistant is told to draw, but those that are simulated anew, which get one of their own, as do
    replays from the second on: an assistant that draws by its random seed alone would only say again what it said.

    Raises:
        ValueError: there are more than MAX_TRIALS of a kind.
    """
    if not source.for_itself or not 0 <= number < MAX_TRIALS:
        raise ValueError(f"trial {number} of {source.id}: at most {MAX_TRIALS} of what was planned for itself")
    index = TRIALS_FROM + (source.index * len(_KINDS) + _KINDS.index(kind)) * MAX_TRIALS + number
    anew = kind is TrialKind.RESIMULATE or (kind is TrialKind.REPLAY and number > 0)
    rng_seed = derive_rng_seed(source.rng_seed, "trial", kind.value, str(number)) if anew else source.rng_seed
    return source.model_copy(
        update={
            "index": index,
            "id": f"{source.id}~{kind.value}{number + 1}",
            "rng_seed": rng_seed,
            "trial": Trial(source=source.id, kind=kind, number=number, from_turn=from_turn),
        }
    )


def trial_indexes(source: PlannedConversation) -> range:
    """Return the numbers in the plan that trials of ``source`` can have."""
    first = TRIALS_FROM + source.index * len(_KINDS) * MAX_TRIALS
    return range(first, first + len(_KINDS) * MAX_TRIALS)


def plan_canary(after: PlannedConversation, transcript: KnownTranscript) -> PlannedConversation:
    """Return the saying again of ``transcript`` that follows ``after``.

    It is held as ``after`` was, so that no judge can tell: after a conversation that grew from a seed phrase its
    targets are found in its first utterance.
    """
    if not after.for_itself:
        raise ValueError(f"a canary follows what was planned for itself, not {after.id}")
    return after.model_copy(
        update={
            "index": CANARIES_FROM + after.index,
            "id": f"{after.id}~canary",
            "seed_phrase": None if after.seed_phrase is None else transcript.exchanges[0].user,
            "task": "",
            "context": transcript.context,
            "recording": None,
            "max_turns": len(transcript.exchanges),
            "rng_seed": derive_rng_seed(after.rng_seed, "canary", transcript.id),
            "canary": transcript.id,
            "truth": transcript.truth,
            "preference": None,
        }
    )


def context_key(context: Context) -> str:
    """Return the same text for the same context, whatever the order of its parts and whatever parts later exist."""
    return json.dumps(context.model_dump(mode="json", exclude_defaults=True), sort_keys=True)
