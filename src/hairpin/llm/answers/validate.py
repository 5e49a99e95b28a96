"""From the text of a message to an answer of its type, or one line on what is wrong with it.

Asks nobody; what is wrong is said in words that a model can act on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pydantic import ValidationError

from hairpin.llm.answers.extract import extract_object
from hairpin.llm.answers.lenient import JsonObject
from hairpin.llm.answers.nodes import Faults
from hairpin.llm.answers.problems import AnswerProblem, invalid_answer, show
from hairpin.llm.answers.schema import AnswerShape, shape_of
from hairpin.ports import AnswerT, InvalidAnswerError

_FAULTS_TOLD: Final = 5
_DETAIL_CHARS: Final = 600


def read_answer(text: str, answer: type[AnswerT]) -> AnswerT:
    """Return the answer that ``text`` ends in.

    Raises:
        AnswerProblem: it holds none, or none that can be used.
    """
    shape = shape_of(answer)
    try:
        return validate(extract_object(text, shape.keys), answer, shape)
    except RecursionError:
        raise invalid_answer("the JSON object is nested too deep") from None


def validate(parsed: JsonObject, answer: type[AnswerT], shape: AnswerShape) -> AnswerT:
    """Return ``parsed`` as an object of ``answer``; keys that nobody asked for are left out.

    Raises:
        AnswerProblem: a key is missing, or has a value that its field does not take.
    """
    faults = Faults()
    read = shape.root.read(parsed, (), faults)
    if faults.found:
        raise _problem(faults.found)
    try:
        return answer.model_validate(read)
    except ValidationError as error:
        raise _problem([_tell(fault["loc"], fault["msg"], fault["input"]) for fault in error.errors()]) from None


def check_answer(answer: AnswerT, check: Callable[[AnswerT], None] | None) -> None:
    """Let the role say whether a well-formed answer can be.

    Raises:
        AnswerProblem: it cannot.
    """
    if check is None:
        return
    try:
        check(answer)
    except InvalidAnswerError as error:
        raise _problem([str(error)]) from error


def _tell(path: Sequence[str | int], message: str, value: object) -> str:
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
    given = "" if isinstance(value, dict | list) else f", not {show(value)}"
    return f"{where}: {message}{given}" if where else message


def _problem(faults: Sequence[str]) -> AnswerProblem:
    more = len(faults) - _FAULTS_TOLD
    told = "; ".join(faults[:_FAULTS_TOLD]) + (f"; and {more} more" if more > 0 else "")
    return invalid_answer(" ".join(told.split())[:_DETAIL_CHARS])
