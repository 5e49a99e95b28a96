from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.agents.llm.seed_writer import SEED_WRITER_SLOTS, LlmSeedWriter, SeedBrief, WrittenPhrases
from hairpin.domain.llm_calls import CallOrigin, Purpose
from hairpin.domain.prompts import SEED_WRITER
from hairpin.packs.finder import PackFinder
from hairpin.packs.prompts import find_prompt
from hairpin.ports import ChatPrompt

pytestmark = pytest.mark.anyio


class Writer:
    """Implements ``ports.ChatModel``: writes the same each time, and keeps what it was asked."""

    name = "fake m"

    def __init__(self, *phrases: str) -> None:
        self.phrases = list(phrases)
        self.asked: list[tuple[ChatPrompt, CallOrigin]] = []

    async def ask(
        self, prompt: ChatPrompt, answer: type, *, origin: CallOrigin, check: object = None
    ) -> WrittenPhrases:
        assert answer is WrittenPhrases
        self.asked.append((prompt, origin))
        return WrittenPhrases(phrases=self.phrases)


async def test_the_shipped_prompt_shows_task_examples_and_what_is_there_in_the_language() -> None:
    prompt, _ = find_prompt(SEED_WRITER, PackFinder.standard(project=Path.cwd()), slots=SEED_WRITER_SLOTS)
    model = Writer("Take  me\nhome", "")
    brief = SeedBrief(
        task="find food", examples=("Find\nfood",), known=("Any food?",), number=7, language="de", draft=2
    )
    assert await LlmSeedWriter(model, prompt).write(brief) == ("Take me home", "")  # type: ignore[arg-type]  # one form
    ((asked, origin),) = model.asked
    assert "German" in asked.stable[0].text
    assert all(line in asked.request for line in ("find food", "> Find food", "> Any food?", "Write 7 new"))
    assert "{{" not in asked.stable[0].text + asked.request
    assert (origin.purpose, origin.draft) == (Purpose.SEEDS, 2)


async def test_where_there_is_nothing_to_show_it_says_so() -> None:
    prompt, _ = find_prompt(SEED_WRITER, PackFinder.standard(project=Path.cwd()), slots=SEED_WRITER_SLOTS)
    request = LlmSeedWriter(Writer(), prompt).prompt(SeedBrief(task="any", number=1)).request  # type: ignore[arg-type]
    assert request.count("(none)") == 2
