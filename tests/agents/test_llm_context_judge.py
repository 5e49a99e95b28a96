from __future__ import annotations

from collections.abc import Callable

import pytest

from hairpin.agents.llm.context_judge import CONTEXT_JUDGE_SLOTS, ContextVerdict, LlmContextJudge
from hairpin.domain.briefs import ContextBrief
from hairpin.domain.llm_calls import CallOrigin, Purpose
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.relations import ContextFinding, ContextReason
from hairpin.errors import ProviderStoppedError
from hairpin.ports import AnswerT, ChatPrompt, RoleError
from tests.agents.scripted_model import ScriptedModel, shipped_prompt

pytestmark = pytest.mark.anyio

PROMPT = shipped_prompt("context_judge", CONTEXT_JUDGE_SLOTS)
BRIEF = ContextBrief(
    reference_text="Alex and Bob live in Bonn.",
    question="How old is he?",
    source=("Who is Alex?",),
    follow_up=("Who is Alex?", "Who is Bob?"),
    language="es",
    repeat=4,
    origin=CallOrigin(attempt_id="a1"),
)


class Broken(ScriptedModel):
    """Raises instead of answering."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    async def ask(
        self,
        prompt: ChatPrompt,
        answer: type[AnswerT],
        *,
        origin: CallOrigin,
        check: Callable[[AnswerT], None] | None = None,
    ) -> AnswerT:
        """Raise."""
        raise self.error


@pytest.mark.parametrize("equivalent", [True, False])
async def test_the_verdict_comes_back_with_the_thoughts_behind_it(*, equivalent: bool) -> None:
    model = ScriptedModel({"thought": "he is Bob", "equivalent": equivalent})
    assert await LlmContextJudge(model, PROMPT).check(BRIEF) == ContextFinding(
        equivalent=equivalent, reason=ContextReason.VERDICT, n_calls=1, detail="he is Bob"
    )
    assert model.origins == [CallOrigin(attempt_id="a1", repeat=4, purpose=Purpose.REPLAY)]


def test_the_judge_thinks_before_it_decides() -> None:
    assert list(ContextVerdict.model_fields) == ["thought", "equivalent"]


async def test_a_question_that_needs_the_assistants_reply_is_not_asked_about() -> None:
    model = ScriptedModel()
    finding = await LlmContextJudge(model, PROMPT).check(BRIEF.model_copy(update={"needs_reply": True}))
    assert finding == ContextFinding(equivalent=None, reason=ContextReason.NEEDS_REPLY)
    assert model.asked == []


async def test_a_judge_that_breaks_makes_it_not_applicable_and_says_why() -> None:
    model = Broken(RoleError(StopReason.REFUSED, Role.CONTEXT_JUDGE, "I cannot say"))
    finding = await LlmContextJudge(model, PROMPT).check(BRIEF)
    assert (finding.equivalent, finding.reason, finding.n_calls) == (None, ContextReason.ROLE_FAILED, 1)
    assert "I cannot say" in finding.detail


async def test_a_model_that_takes_no_call_any_more_ends_the_run() -> None:
    with pytest.raises(ProviderStoppedError):
        await LlmContextJudge(Broken(ProviderStoppedError("no quota")), PROMPT).check(BRIEF)


def test_the_judge_sees_the_story_both_contexts_and_the_question() -> None:
    role = LlmContextJudge(ScriptedModel(), PROMPT)
    prompt = role.prompt(BRIEF)
    system, story = prompt.stable
    assert "Spanish" in system.text
    assert "> Alex and Bob live in Bonn." in story.text
    assert "A:\n1. Who is Alex?\n\nContext B:\n1. Who is Alex?\n2. Who is Bob?" in prompt.request
    assert "How old is he?" in prompt.request
    assert role.prompt(BRIEF.model_copy(update={"source": ()})).stable == prompt.stable
