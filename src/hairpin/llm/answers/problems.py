"""Why a text holds no usable answer.

The words go to the model, which is to mend it, and into the record of the request.
"""

from __future__ import annotations

from typing import Final

from hairpin.domain.llm_calls import CallOutcome

_SHOWN_CHARS: Final = 60


class AnswerProblem(Exception):  # noqa: N818  # the model's mistake, caught and repaired; no error of ours
    """A text without a usable answer: ``outcome`` is no_answer or invalid_answer, ``detail`` one line for the model."""

    def __init__(self, outcome: CallOutcome, detail: str) -> None:
        self.outcome = outcome
        self.detail = detail
        super().__init__(detail)


def no_answer(detail: str) -> AnswerProblem:
    """Return the problem of a text in which no object stands for an answer."""
    return AnswerProblem(CallOutcome.NO_ANSWER, detail)


def invalid_answer(detail: str) -> AnswerProblem:
    """Return the problem of an answer that cannot be taken as it is."""
    return AnswerProblem(CallOutcome.INVALID_ANSWER, detail)


def show(value: object) -> str:
    """Return ``value`` on one line, cut to what helps to find it."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, an object of thousands of levels
        return f"a {type(value).__name__}"
    cut = text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
    return repr(cut) if isinstance(value, str) else cut
