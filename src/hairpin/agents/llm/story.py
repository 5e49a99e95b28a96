"""A story and questions about it in a prompt: the story first, so that a server's prefix cache serves every question.

It must not shorten a story or say what a question means.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hairpin.agents.llm.transcript import fenced, one_line
from hairpin.ports import ChatMessage, ChatPrompt

NO_QUESTIONS: Final = "(none)"
"""How an empty list of questions is shown."""


def story_prompt(system: str, reference_text: str | None, request: str) -> ChatPrompt:
    """Return a prompt with instructions, then the story if there is one, then the request.

    All but the request is the same for every question about the story.
    """
    story = (ChatMessage(role="user", text=f"The story:\n{fenced(reference_text)}"),) if reference_text else ()
    return ChatPrompt(stable=(ChatMessage(role="system", text=system), *story), request=request)


def question_list(questions: Iterable[str]) -> str:
    """Return questions as lines, numbered from 1; ``(none)`` when there are none."""
    return "\n".join(f"{number}. {one_line(text)}" for number, text in enumerate(questions, 1)) or NO_QUESTIONS
