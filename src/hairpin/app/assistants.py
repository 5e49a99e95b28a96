"""The adapters of a run: built from its scenario, closed at its end.

It opens no session.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import anyio

from hairpin.app.recorded import by_conversation, recordings_of
from hairpin.app.request import RunRequest
from hairpin.domain.recording import Recording
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import RecordedSut
from hairpin.graph.sut_call import describe_error
from hairpin.ports import SutAdapter
from hairpin.settings import Settings, read_settings
from hairpin.sut.build import build_adapter
from hairpin.sut.recorded import RecordedAdapter

CLOSE_TIMEOUT_S = 10.0


def adapters_of(
    scenario: Scenario, settings: Settings | None = None, *, recordings: Sequence[Recording] = ()
) -> Mapping[str, SutAdapter]:
    """Build the adapter of the scenario's own assistant, labelled with its name; no session is opened.

    Args:
        scenario: names it.
        settings: of the environment; by default read from it.
        recordings: what a recorded assistant says again.

    Raises:
        UserError: it cannot be built; says what must be mended.
    """
    used = settings or read_settings()
    if isinstance(scenario.sut, RecordedSut) and scenario.rejudges:
        return _stored_assistants(scenario.sut, by_conversation(scenario, recordings))
    adapter = build_adapter(
        scenario.sut,
        default_gguf=used.gguf,
        environ=used.environ,
        recordings=by_conversation(scenario, recordings),
    )
    return {adapter.describe().name: adapter}


def _stored_assistants(sut: RecordedSut, recordings: Mapping[str, Recording]) -> Mapping[str, SutAdapter]:
    """Return those of a stored run, by their labels there; they say again what they said and nothing else."""
    return {
        label: RecordedAdapter(sut.model_copy(update={"name": who.name, "version": who.version}), recordings)
        for label, who in sut.assistants.items()
    }


def assistants_of(request: RunRequest) -> Mapping[str, SutAdapter]:
    """Build the adapters that a run talks to, by label: those of its campaign, else the scenario's own.

    Raises:
        UserError: one cannot be built; says what must be mended.
    """
    scenario, settings = request.inputs.scenario, request.settings
    spec = scenario.campaign if request.campaign else None
    if spec is None or not spec.suts:
        return adapters_of(scenario, settings, recordings=recordings_of(request.inputs))
    return {
        label: build_adapter(sut, default_gguf=settings.gguf, environ=settings.environ)
        for label, sut in spec.suts.items()
    }


@asynccontextmanager
async def closing_adapters(adapters: Mapping[str, SutAdapter], notes: list[str]) -> AsyncIterator[None]:
    """Close the adapters at the end, whatever happens; what goes wrong then becomes a note."""
    try:
        yield
    finally:
        for label, adapter in adapters.items():
            if problem := await _close(label, adapter):
                notes.append(problem)


async def _close(label: str, adapter: SutAdapter) -> str | None:
    """Close an adapter, shielded and in bounded time; return what went wrong, which must not undo the run."""
    problem = f"did not close within {CLOSE_TIMEOUT_S:g} s"
    with anyio.move_on_after(CLOSE_TIMEOUT_S, shield=True):
        try:
            await adapter.aclose()
            return None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the adapter raises is told, not raised
            problem = f"raised {describe_error(error)} when it was closed"
    return f"the adapter of {label!r} {problem}"
