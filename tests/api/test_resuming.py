"""Runs gone on with from Python, also those whose assistant is a Python object that no file names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

import hairpin
from hairpin.errors import InvalidInputError, UserError

SCENARIO = "id: ride\nsut: testbed\nseed_phrases: [Guide me home, Find a bakery]\nmax_turns: 2\n"
Function = Callable[[str], Awaitable[str]]


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "s.yaml"
    path.write_text(SCENARIO)
    return path


async def polite(utterance: str) -> str:
    return "Of course."


async def stopped(scenario: Path, labels: tuple[str, ...], *, conversations: int = 6) -> Path:
    """Run a campaign against ``labels``, stop it in its third reply, and return its folder."""
    replies = 0
    async with anyio.create_task_group() as group:

        async def until_the_third(utterance: str) -> str:
            nonlocal replies
            replies += 1
            if replies == 3:
                group.cancel_scope.cancel()
                await anyio.sleep_forever()
            return "Of course."

        suts = dict.fromkeys(labels, until_the_third)
        await hairpin.arun_campaign(
            scenario, conversations=conversations, sut=suts, out=scenario.parent / "runs", concurrency=1, fail_on="none"
        )
    (folder,) = (scenario.parent / "runs").iterdir()
    return folder


def told(result: hairpin.RunResult) -> list[tuple[int, str, str | None, str]]:
    rows = [conversation.planned for conversation in result.conversations()]
    return sorted((row.index, row.sut, row.seed_phrase, row.persona) for row in rows)


@pytest.mark.anyio
async def test_a_campaign_against_a_function_goes_on_to_its_end_as_if_never_stopped(scenario: Path) -> None:
    folder = await stopped(scenario, ("ica",))
    assert hairpin.load_run(folder).summary.conversations.completed < 6
    result = await hairpin.aresume(folder, sut=polite)
    assert (result.summary.status, result.summary.conversations.completed) == ("finished", 6)
    whole = await hairpin.arun_campaign(
        scenario, conversations=6, sut={"ica": polite}, out=scenario.parent / "whole", concurrency=1, fail_on="none"
    )
    assert told(result) == told(whole)


@pytest.mark.anyio
async def test_several_assistants_are_given_by_their_labels_in_any_order(scenario: Path) -> None:
    folder = await stopped(scenario, ("zeta", "alpha"))
    with pytest.raises(InvalidInputError, match="sut: the run has 2 assistants; give them by label: 'alpha', 'zeta'"):
        await hairpin.aresume(folder, sut=polite)
    with pytest.raises(InvalidInputError, match=r"assistants are others than those given: 'alpha'; .*'zeta', 'alpha'"):
        await hairpin.aresume(folder, sut={"alpha": polite})
    result = await hairpin.aresume(folder, sut={"alpha": polite, "zeta": polite})
    whole = await hairpin.arun_campaign(
        scenario,
        conversations=6,
        sut={"zeta": polite, "alpha": polite},
        out=scenario.parent / "whole",
        concurrency=1,
        fail_on="none",
    )
    assert told(result) == told(whole)


@pytest.mark.anyio
async def test_without_its_python_object_a_run_is_not_resumed_and_the_way_is_named(scenario: Path) -> None:
    folder = await stopped(scenario, ("ica",))
    with pytest.raises(InvalidInputError, match=r"Python object 'ica'.*hairpin\.resume\(run, sut=…\)"):
        await hairpin.aresume(folder)


@pytest.mark.anyio
async def test_another_assistant_is_refused_unless_that_is_allowed(scenario: Path) -> None:
    folder = await stopped(scenario, ("ica",))
    with pytest.raises(InvalidInputError, match=r"any more: sut\.ica;"):
        await hairpin.aresume(folder, sut=str.upper)
    result = await hairpin.aresume(folder, sut=str.upper, allow_changed=True)
    assert result.summary.conversations.completed == 6


def test_a_plain_run_goes_on_too_and_a_finished_one_stays(scenario: Path) -> None:
    result = hairpin.run(scenario, out=scenario.parent / "runs", fail_on="none")
    again = hairpin.resume(result.path)
    assert again.summary.conversations == result.summary.conversations
    with pytest.raises(InvalidInputError, match="time: must be a duration"):
        hairpin.resume(result.path, time="soon")
    with pytest.raises(InvalidInputError, match="no time to be given more of"):
        hairpin.resume(result.path, time=5)


@pytest.mark.anyio
async def test_inside_a_loop_the_async_form_is_named(scenario: Path) -> None:
    with pytest.raises(UserError, match=r"await hairpin\.aresume"):
        hairpin.resume(scenario)
