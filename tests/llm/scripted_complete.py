"""A ``Complete`` that answers from a script and keeps an account, as the gateway does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anyio.lowlevel
import structlog

from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.domain.model_spec import StructuredMode
from hairpin.llm.answers import ModeMemory, mode_of
from hairpin.llm.completion import CallError, Completion, CompletionRequest, ReadT

Reply = str | CallError | Callable[[CompletionRequest], "str | CallError"]


class ScriptedComplete:
    """Gives the replies in turn, the last one for ever; ``account`` says how each request ended."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.requests: list[CompletionRequest] = []
        self.account: list[tuple[CallOutcome, str]] = []

    @property
    def modes(self) -> Sequence[StructuredMode]:
        """In which modes it was asked."""
        return [mode_of(request) for request in self.requests]

    async def __call__(self, request: CompletionRequest, read: Callable[[Completion], ReadT]) -> ReadT:
        self.requests.append(request)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        await anyio.lowlevel.checkpoint()
        try:
            said = reply(request) if callable(reply) else reply
            if isinstance(said, CallError):
                raise said
            value = read(Completion(text=said, finish_reason="stop", tokens=TokenCounts(completion_tokens=7)))
        except CallError as error:
            self.account.append((error.outcome, error.answer))
            raise
        self.account.append((CallOutcome.OK, ""))
        return value


def refusing(*refused: StructuredMode, reply: str) -> Callable[[CompletionRequest], str | CallError]:
    """Return a reply to requests in any mode but the ``refused`` ones."""

    def answer(request: CompletionRequest) -> str | CallError:
        if mode_of(request) in refused:
            return CallError(CallOutcome.UNSUPPORTED, "not here", parameter="response_format")
        return reply

    return answer


def new_memory() -> ModeMemory:
    """Return a memory that knows nothing yet and logs nowhere."""
    return ModeMemory("http://127.0.0.1/v1 m", structlog.wrap_logger(structlog.ReturnLogger()))
