"""Ways to a model, ready to be asked, for tests of what is sent and of what comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog
from structlog.testing import LogCapture

from hairpin.domain.model_spec import CompatibleModel, ModelLimits
from hairpin.llm.completion import CompletionRequest
from hairpin.llm.model_transport import ModelTransport
from hairpin.llm.providers import Providers
from hairpin.ports import ChatMessage

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


class StoppedClock:
    def monotonic(self) -> float:
        return 0.0

    def now(self) -> datetime:
        return NOW


def request(*texts: str, response_format: dict[str, Any] | None = None, output_tokens: int = 64) -> CompletionRequest:
    """Return a request: a system message, then ``texts``, by the user and the assistant in turn."""
    spoken = [
        ChatMessage(role="assistant" if index % 2 else "user", text=text) for index, text in enumerate(texts or ("Hi",))
    ]
    return CompletionRequest(
        messages=(ChatMessage(role="system", text="Be brief."), *spoken),
        response_format=response_format,
        output_tokens=output_tokens,
    )


@asynccontextmanager
async def providers(
    environ: Mapping[str, str] | None = None,
    *,
    log: LogCapture | None = None,
    default_gguf: Path | None = None,
    traced: bool = False,
) -> AsyncIterator[Providers]:
    """Yield the providers of a run, closed afterwards."""
    made = Providers(
        environ=environ or {},
        default_gguf=default_gguf,
        clock=StoppedClock(),
        logger=structlog.wrap_logger(None, processors=[log or LogCapture()]),
        traced=traced,
    )
    try:
        yield made
    finally:
        await made.aclose()


@asynccontextmanager
async def transport(base_url: str, *, timeout_s: float = 20.0, traced: bool = False) -> AsyncIterator[ModelTransport]:
    """Yield the way to a model at ``base_url`` that wants no key."""
    async with providers(traced=traced) as made:
        yield made.transport(spec(base_url, timeout_s=timeout_s))


def spec(base_url: str, *, timeout_s: float = 20.0, model: str = "m", **settings: Any) -> CompatibleModel:
    """Return a model at ``base_url``."""
    return CompatibleModel(base_url=base_url, model=model, limits=ModelLimits(timeout_s=timeout_s), **settings)
