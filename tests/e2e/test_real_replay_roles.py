"""A real small model as decontextualiser, reference answerer and context judge (``HAIRPIN_GGUF``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.agents.llm.context_judge import CONTEXT_JUDGE_SLOTS, LlmContextJudge
from hairpin.agents.llm.decontextualiser import DECONTEXTUALISER_SLOTS, LlmDecontextualiser
from hairpin.agents.llm.reference_answerer import REFERENCE_ANSWERER_SLOTS, UNKNOWN, LlmReferenceAnswerer
from hairpin.domain.briefs import AnswerBrief, ContextBrief, RewriteBrief
from hairpin.domain.llm_calls import Purpose
from hairpin.domain.outcome import Role
from hairpin.domain.relations import ContextReason
from tests.agents.scripted_model import shipped_prompt
from tests.e2e.local_role import RequestList, local_models

pytestmark = [pytest.mark.llm, pytest.mark.anyio, pytest.mark.timeout(1200)]

STORY = "Ada moved to Bonn in 1990 with her two dogs. She works in a bakery near the river."
OPENER = ("How do you know when your garage door opener is going bad?", "Now it stopped working. Why?")
ROLES = (Role.DECONTEXTUALISER, Role.REFERENCE_ANSWERER, Role.CONTEXT_JUDGE)


async def test_a_small_model_rewrites_answers_and_judges_in_the_form_asked_for(gguf: Path) -> None:
    """What it says is its own affair, but for what is easy."""
    requests = RequestList()
    async with local_models(gguf, requests, *ROLES) as models:
        writer = LlmDecontextualiser(
            models[Role.DECONTEXTUALISER], shipped_prompt("decontextualiser", DECONTEXTUALISER_SLOTS)
        )
        answerer = LlmReferenceAnswerer(
            models[Role.REFERENCE_ANSWERER], shipped_prompt("reference_answerer", REFERENCE_ANSWERER_SLOTS)
        )
        judge = LlmContextJudge(models[Role.CONTEXT_JUDGE], shipped_prompt("context_judge", CONTEXT_JUDGE_SLOTS))
        question = "How much does it cost for someone to fix it?"
        short = await writer.rewrite(RewriteBrief(reference_text=None, earlier=OPENER, question=question))
        clear = "What is the capital of Peru?"
        kept = await writer.rewrite(RewriteBrief(reference_text=None, earlier=OPENER, question=clear))
        told = await answerer.answer(AnswerBrief(reference_text=STORY, question="Where did Ada move?"))
        untold = await answerer.answer(AnswerBrief(reference_text=STORY, question="Who is the king of Norway?"))
        brief = ContextBrief(reference_text=STORY, question="When?", source=(OPENER[0],), follow_up=OPENER)
        finding = await judge.check(brief)
    assert short.startswith("How much")
    assert kept == clear
    assert "bonn" in told.casefold()
    assert untold == UNKNOWN
    assert finding.reason is ContextReason.VERDICT
    assert finding.detail
    assert {request.origin.purpose for request in requests.all} == {Purpose.REPLAY}
