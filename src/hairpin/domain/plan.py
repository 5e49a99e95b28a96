"""The plan: which conversations a run holds, in which order, with which random seeds.

Same scenario, same plan, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from pydantic import Field

from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.recording import Recording
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.scenario import Scenario
from hairpin.domain.users import Context


class PlannedConversation(Value):
    """One unit of a run. ``seed_phrase`` is ``None`` for a script; ``sut`` is the label of an assistant of the run.

    ``recording``: the id, in its file, of the conversation that is said again. ``task``: the task combination of the
    seed phrase, where known. In a campaign, ``run`` is the number of the repetition, from 0.
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


def context_key(context: Context) -> str:
    """Return the same text for the same context, whatever the order of its parts and whatever parts later exist."""
    return json.dumps(context.model_dump(mode="json", exclude_defaults=True), sort_keys=True)
