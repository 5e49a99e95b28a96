"""``hairpin sut serve``: one of Hairpin's own assistants as a server."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli.console import errors_as_messages, note, say
from hairpin.errors import InvalidInputError

if TYPE_CHECKING:
    from hairpin.app.sut_serve import Serving
    from hairpin.domain.sut_spec import FaultSpec, StorySut, TestbedSut

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Assistant(StrEnum):
    """What can be served."""

    TESTBED = "testbed"
    STORY = "story"


def serve(
    assistant: Annotated[Assistant, typer.Argument(metavar="ASSISTANT", help="testbed or story.")],
    fault: Annotated[
        list[str] | None,
        typer.Option(
            "--fault",
            metavar="FAULT",
            help="A seeded fault: F1, F1@2 (after two exchanges), F1~0.5 (every other time), F1?moving (under a "
            "condition), or F1@2~0.5?moving. May be repeated.",
        ),
    ] = None,
    wording: Annotated[
        str | None, typer.Option("--wording", metavar="NAME", help="testbed: the wording of every session.")
    ] = None,
    story: Annotated[
        int, typer.Option("--story", metavar="N", min=0, help="story: the story it is about where a context has none.")
    ] = 1,
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0: any free one.")] = 0,
    log: Annotated[
        Path | None,
        typer.Option("--log", metavar="FILE", help="Write when each fault struck to this file, as JSON lines."),
    ] = None,
    max_sessions: Annotated[int, typer.Option("--max-sessions", min=1, help="Sessions open at the same time.")] = 10000,
    idle: Annotated[
        float, typer.Option("--idle", metavar="SECONDS", min=1, help="How long an unused session is kept.")
    ] = 1800,
) -> None:
    """Serve an assistant of Hairpin's own over REST, WebSocket and as an OpenAI-compatible model, until Ctrl-C."""
    from hairpin.app.loop import run_in_loop
    from hairpin.app.sut_serve import ServeRequest, serve_until_signal
    from hairpin.testbed.faults.notation import parse_fault
    from hairpin.testbed.server.sessions import SessionLimits

    with errors_as_messages():
        faults = tuple(parse_fault(text, where="--fault") for text in fault or ())
        request = ServeRequest(
            sut=_sut(assistant, faults, wording=wording, story=story),
            host=host,
            port=port,
            log=log,
            limits=SessionLimits(max_sessions=max_sessions, idle_s=idle),
        )
        if host not in _LOOPBACK:
            note(f"hairpin: whoever reaches {host} can use the assistant; it asks for no password")
        run_in_loop(lambda: serve_until_signal(request, started=_tell))
    note("hairpin: the server has stopped")


def _sut(
    assistant: Assistant, faults: tuple[FaultSpec, ...], *, wording: str | None, story: int
) -> TestbedSut | StorySut:
    from hairpin.domain.sut_spec import StorySut, TestbedSut

    if assistant is Assistant.TESTBED:
        return TestbedSut(faults=faults, wording=wording)
    if wording is not None:
        raise InvalidInputError("the story assistant has no wording sets", where="--wording", hint="leave it out")
    return StorySut(faults=faults, story=story)


def _tell(serving: Serving) -> None:
    say(f"{serving.identity.name} {serving.identity.version} at {serving.url}")
    for transport, snippet in serving.snippets.items():
        say(f"\n# {transport}\n{snippet.rstrip()}")
    note("hairpin: press Ctrl-C to stop")
