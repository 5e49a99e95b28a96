"""One structured call: a prompt goes out, an answer of the wanted type comes back, after at most a few repairs.

Retries of requests that failed on their way are ``llm.traffic``'s; every request made here goes through ``Complete``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.model_spec import ModelSpec, StructuredMode
from hairpin.errors import ModelSetupError
from hairpin.llm.answers.modes import WITH_SCHEMA, ModeMemory, refuses
from hairpin.llm.answers.nodes import mend_surrogates
from hairpin.llm.answers.problems import AnswerProblem
from hairpin.llm.answers.schema import shape_of
from hairpin.llm.answers.validate import check_answer, read_answer
from hairpin.llm.completion import CallError, Complete, Completion, CompletionRequest
from hairpin.ports import AnswerT, ChatMessage, ChatPrompt

_REPAIRABLE: Final = frozenset({CallOutcome.NO_ANSWER, CallOutcome.INVALID_ANSWER})
_SHOWN_HEAD: Final = 1_000
_SHOWN_TAIL: Final = 4_000


async def ask_structured(
    complete: Complete,
    prompt: ChatPrompt,
    answer: type[AnswerT],
    *,
    spec: ModelSpec,
    memory: ModeMemory,
    check: Callable[[AnswerT], None] | None = None,
) -> AnswerT:
    """Ask for one answer of type ``answer``.

    An unusable answer is shown to the model together with what is wrong with it, ``spec.repairs`` times at most, each
    time behind the same prompt, so that a prefix cache serves that again. An answer that was cut off is asked for once
    more if ``spec.retry_output_tokens`` allows more. Refusals, content filters and the like are never asked again.

    Args:
        complete: makes one request.
        spec: of the model; a mode that it forces is the only one tried.
        memory: shared by all calls to that endpoint and model.
        check: raises InvalidAnswerError for an answer that is well-formed but cannot be.

    Raises:
        CallError: how the last request ended; ``answer`` holds the raw text.
        ModelSetupError: the endpoint does not take the forced mode.
    """
    call = _Call(complete, prompt, answer, spec, memory, check)
    repair: tuple[ChatMessage, ...] = ()
    for repairs_left in range(spec.repairs, -1, -1):
        try:
            return await call.request(repair)
        except CallError as error:
            if error.outcome not in _REPAIRABLE or not repairs_left:
                raise
            repair = _repair(error, shape_of(answer).words)
    raise AssertionError("the last round returns or raises")


class _Call(Generic[AnswerT]):
    """One call: what stays the same over its requests."""

    def __init__(
        self,
        complete: Complete,
        prompt: ChatPrompt,
        answer: type[AnswerT],
        spec: ModelSpec,
        memory: ModeMemory,
        check: Callable[[AnswerT], None] | None,
    ) -> None:
        self._complete = complete
        self._prompt = prompt
        self._answer = answer
        self._shape = shape_of(answer)
        self._spec = spec
        self._memory = memory
        self._check = check
        self._output_tokens = spec.max_output_tokens

    async def request(self, repair: tuple[ChatMessage, ...]) -> AnswerT:
        """Ask, and once more with a larger output cap if the answer was cut off and there is such a cap."""
        try:
            return await self._in_some_mode(repair)
        except CallError as error:
            if error.outcome is not CallOutcome.TRUNCATED or not self._raise_cap():
                raise
        return await self._in_some_mode(repair)

    def _raise_cap(self) -> bool:
        larger = self._spec.retry_output_tokens
        if larger is None or larger <= self._output_tokens:
            return False
        self._output_tokens = larger
        return True

    async def _in_some_mode(self, repair: tuple[ChatMessage, ...]) -> AnswerT:
        if self._spec.structured_output is not None:
            return await self._in_forced_mode(self._spec.structured_output, repair)
        if self._memory.is_settled:
            return await self._in_strongest_mode(repair)
        async with self._memory.settling():
            return await self._in_strongest_mode(repair)

    async def _in_forced_mode(self, mode: StructuredMode, repair: tuple[ChatMessage, ...]) -> AnswerT:
        try:
            return await self._send(mode, repair)
        except CallError as error:
            if not refuses(error, mode):
                raise
            raise ModelSetupError(
                f"{self._memory.name}: the model does not take structured_output: {mode}: {error.detail}; "
                "leave structured_output out to have the strongest that it takes found"
            ) from error

    async def _in_strongest_mode(self, repair: tuple[ChatMessage, ...]) -> AnswerT:
        while True:
            mode = self._memory.mode
            try:
                return await self._send(mode, repair)
            except CallError as error:
                if not refuses(error, mode):
                    raise
                self._memory.note_refused(mode, error.detail)

    async def _send(self, mode: StructuredMode, repair: tuple[ChatMessage, ...]) -> AnswerT:
        # Every part is a checked value already; checking the schema again would cost more than all else here.
        request = CompletionRequest.model_construct(
            messages=(*self._messages(mode), *repair),
            response_format=self._shape.formats[mode],
            output_tokens=self._output_tokens,
        )
        return await self._complete(request, lambda completion: self._read(completion, mode))

    def _messages(self, mode: StructuredMode) -> tuple[ChatMessage, ...]:
        """Return the prompt; a model that a schema does not bind is told the shape at the end of the request."""
        if mode in WITH_SCHEMA and not self._memory.ignores_schema:
            return self._prompt.messages
        request = f"{self._prompt.request}\n\n{self._shape.words}".lstrip()
        return (*self._prompt.stable, ChatMessage(role="user", text=request))

    def _read(self, completion: Completion, mode: StructuredMode) -> AnswerT:
        self._memory.note_taken(mode)
        text = mend_surrogates(completion.text)
        try:
            answer = self._parse(text, mode)
            check_answer(answer, self._check)
        except AnswerProblem as problem:
            raise CallError(problem.outcome, problem.detail, answer=text, tokens=completion.tokens) from None
        return answer

    def _parse(self, text: str, mode: StructuredMode) -> AnswerT:
        try:
            return read_answer(text, self._answer)
        except AnswerProblem:
            self._memory.note_ignored(mode)
            raise


def _repair(error: CallError, words: str) -> tuple[ChatMessage, ...]:
    """Return what follows the prompt when an answer was unusable: the answer, and what is wrong with it."""
    return (
        ChatMessage(role="assistant", text=_shorten(error.answer.strip()) or "(nothing)"),
        ChatMessage(role="user", text=f"That answer cannot be used: {error.detail}.\n{words}"),
    )


def _shorten(text: str) -> str:
    """Return ``text`` without its middle when it is long: the answer, if there is one, comes at the end."""
    if len(text) <= _SHOWN_HEAD + _SHOWN_TAIL:
        return text
    return f"{text[:_SHOWN_HEAD]}\n[…]\n{text[-_SHOWN_TAIL:]}"
