"""What one endpoint is known to take with one model: the strongest way to ask it for JSON.

Sends nothing; callers report what they saw.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import anyio
from structlog.typing import FilteringBoundLogger

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.model_spec import StructuredMode
from hairpin.llm.completion import CallError, CompletionRequest

_LADDER: Final = tuple(StructuredMode)
_PATIENCE_S: Final = 5.0
"""A mode is refused at once; whoever has waited this long waits for an answer, which means that it was taken."""
_TELLTALES: Final = ("response_format", "json_schema", "json_object", "structured output")
WITH_SCHEMA: Final = frozenset({StructuredMode.JSON_SCHEMA_STRICT, StructuredMode.JSON_SCHEMA})


class ModeMemory:
    """What all callers of one endpoint and model share. One of them finds out, the others wait for it.

    Args:
        name: endpoint and model, as messages call them.
        logger: is told once of every step down.
    """

    def __init__(self, name: str, logger: FilteringBoundLogger) -> None:
        self.name = name
        self._logger = logger
        self._mode = _LADDER[0]
        self._is_settled = False
        self._ignores_schema = False
        self._finding_out = anyio.Lock()

    @property
    def mode(self) -> StructuredMode:
        """The strongest mode that has not been refused."""
        return self._mode

    @property
    def is_settled(self) -> bool:
        """Whether ``mode`` has been taken."""
        return self._is_settled

    @property
    def ignores_schema(self) -> bool:
        """Whether an answer has shown that a schema is accepted and not kept to, so that words are needed too."""
        return self._ignores_schema

    @asynccontextmanager
    async def settling(self) -> AsyncIterator[None]:
        """Hold back while somebody else finds out the mode; whoever comes in first, or after a failure, finds out."""
        finds_out = False
        if not self._is_settled:
            with anyio.move_on_after(_PATIENCE_S):
                await self._finding_out.acquire()
                finds_out = True
        if finds_out and self._is_settled:
            self._finding_out.release()
            finds_out = False
        try:
            yield
        finally:
            if finds_out:
                self._finding_out.release()

    def note_taken(self, mode: StructuredMode) -> None:
        """The endpoint answered a request in ``mode``."""
        if mode is self._mode:
            self._is_settled = True

    def note_refused(self, mode: StructuredMode, detail: str) -> None:
        """The endpoint does not take ``mode``: nobody asks in it again. TEXT asks for nothing, and is never refused."""
        if mode is not self._mode:
            return
        self._mode = _LADDER[_LADDER.index(mode) + 1]
        self._is_settled = False
        self._logger.info("structured_output_lowered", model=self.name, refused=mode, mode=self._mode, detail=detail)

    def note_ignored(self, mode: StructuredMode) -> None:
        """An answer in ``mode`` was not of the shape that its schema prescribes."""
        if mode in WITH_SCHEMA and not self._ignores_schema:
            self._ignores_schema = True
            self._logger.info("schema_ignored", model=self.name, mode=mode)


def refuses(error: CallError, mode: StructuredMode) -> bool:
    """Return whether ``error`` says that the endpoint does not take ``mode``."""
    if mode is StructuredMode.TEXT:
        return False
    if error.outcome is CallOutcome.UNSUPPORTED and (error.parameter or "").startswith("response_format"):
        return True
    unnamed = error.outcome in (CallOutcome.UNSUPPORTED, CallOutcome.REJECTED) and error.parameter is None
    return unnamed and any(word in error.detail.lower() for word in _TELLTALES)


def mode_of(request: CompletionRequest) -> StructuredMode:
    """Return the mode in which ``request`` asks for JSON."""
    wanted = request.response_format
    if wanted is None:
        return StructuredMode.TEXT
    if wanted["type"] == "json_object":
        return StructuredMode.JSON_OBJECT
    schema = wanted["json_schema"]
    is_strict = isinstance(schema, dict) and schema.get("strict") is True
    return StructuredMode.JSON_SCHEMA_STRICT if is_strict else StructuredMode.JSON_SCHEMA
