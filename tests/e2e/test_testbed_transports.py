"""The testbed is the same assistant however it is reached: in-process, over REST, WebSocket or as a chat model."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest

from hairpin.app.inputs import RunInputs, load_inputs
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.domain.conversation import Exchange
from hairpin.domain.scenario import ScriptTurn
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import FaultSpec, SutSpec
from hairpin.domain.users import Context
from hairpin.packs.finder import PackFinder
from hairpin.packs.scenarios import load_scenario
from hairpin.ports import SutAdapter
from hairpin.sut.build import build_adapter
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.faults.base import FaultStrike
from hairpin.testbed.faults.notation import fault_label
from hairpin.testbed.faults.provocations import PROVOCATIONS, Provocation
from hairpin.testbed.faults.seeded import FAULTS
from hairpin.testbed.server.serving import serving
from hairpin.testbed.server.snippets import snippets
from hairpin.testbed.story.adapter import StoryAdapter

pytestmark = pytest.mark.anyio

TRANSPORTS = ("http", "websocket", "openai-compatible")
CONTEXT = {"location": "Munich", "date": "2026-11-29", "time": "17:40", "vehicle": {"battery": 41.5, "moving": True}}
SPOKEN = f"""
id: spoken
seed_phrases:
  - Guide me to Marienplatz while avoiding toll roads
  - Set the temperature to 21 degrees and find a pharmacy near me
personas: [polite, impatient]
contexts: [{json.dumps(CONTEXT)}]
strategies: in_car/paper
rubric: in_car
"""
"""A simulated user, who reacts to what the assistant says."""

TOGETHER = (*(FaultSpec(id=fault) for fault in ("F1", "F3", "F7")), FaultSpec(id="F6", after=1, probability=0.5))
Strikes = Callable[[], Sequence[FaultStrike]]


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> RunInputs:
    """Return what the scenario with a simulated user needs; signals take long to read, so once for all."""
    file = tmp_path_factory.mktemp("spoken") / "spoken.yaml"
    file.write_text(f"{SPOKEN}sut: testbed\n", encoding="utf-8")
    return load_inputs(file)


def scripted(spoken: RunInputs, provocation: Provocation) -> RunInputs:
    """Return the same, but the user says what provokes a fault."""
    script = tuple(ScriptTurn(user=utterance) for utterance in provocation.provoking)
    changes = {"seed_phrases": (), "script": script, "contexts": (provocation.context,), "strategies": ()}
    turn_checks = ((),) * len(script)
    return replace(spoken, scenario=spoken.scenario.model_copy(update=changes), turn_checks=turn_checks)


@dataclass(frozen=True)
class Held:
    """What a run came to, without what may differ between transports; and how the assistant was reached."""

    summary: Mapping[str, Any]
    said: Sequence[object]
    strikes: Sequence[FaultStrike]
    transport: str


async def hold(out: Path, inputs: RunInputs, strikes: Strikes, *, here: TestbedAdapter | None = None) -> Held:
    """Run a scenario against its assistant, or against the one that is ``here``."""
    adapters = {"testbed": here} if here else {}
    finished = await run_scenario(RunRequest(inputs=inputs, adapters=adapters, out=out))
    assert finished.notes == ()
    with open_stored(finished.directory.path) as stored:
        records = list(stored.conversations())
    summary = finished.report.summary.model_dump(mode="json")
    transport = summary["sut"].pop("transport")
    assert [identity.pop("transport") for identity in summary["suts"].values()] == [transport]
    for name in ("run_id", "elapsed_s", "fingerprint"):
        summary.pop(name)
    said = [(r.planned.id, e.t, e.user, e.assistant, e.ended, e.state) for r in records for e in r.exchanges]
    return Held(summary, said, by_conversation(strikes()), transport)


def with_sut(inputs: RunInputs, block: str) -> RunInputs:
    """Return the same scenario with the assistant that the block names."""
    return replace(inputs, scenario=inputs.scenario.model_copy(update={"sut": block_sut(block)}))


def block_sut(block: str) -> SutSpec:
    """Return the assistant that a block names."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "block.yaml"
        file.write_text(f"id: block\nturns: [{{user: Hi}}]\n{block}", encoding="utf-8")
        return load_scenario(file, finder=PackFinder.standard(plugins=[])).sut


def by_conversation(strikes: Sequence[FaultStrike]) -> Sequence[FaultStrike]:
    """Return strikes in the order of conversations, which are held at the same time."""
    return sorted(strikes, key=lambda strike: strike.conversation_id)


def log_of(adapter: TestbedAdapter) -> Sequence[FaultStrike]:
    return adapter.fault_log


async def hold_here(folder: Path, inputs: RunInputs, faults: tuple[FaultSpec, ...]) -> Held:
    adapter = TestbedAdapter(faults)
    return await hold(folder / "here", inputs, partial(log_of, adapter), here=adapter)


async def hold_over_each_transport(folder: Path, inputs: RunInputs, faults: tuple[FaultSpec, ...]) -> list[Held]:
    held = []
    for transport in TRANSPORTS:
        adapter = TestbedAdapter(faults)
        async with serving(adapter, new_id=map("id{}".format, count()).__next__) as place:
            block = snippets(place.authority, adapter.describe())[transport]
            reached = with_sut(inputs, block)
            held.append(await hold(folder / transport, reached, partial(log_of, adapter)))
    return held


def assert_equal(held: Sequence[Held], expected: Held) -> None:
    assert [one.transport for one in held] == list(TRANSPORTS)
    for one in held:
        assert one.said == expected.said
        assert one.strikes == expected.strikes
        assert one.summary == expected.summary


@pytest.mark.parametrize("provocation", PROVOCATIONS, ids=lambda provocation: provocation.fault)
async def test_each_fault_is_the_same_over_every_transport(
    provocation: Provocation, spoken: RunInputs, tmp_path: Path
) -> None:
    inputs, faults = scripted(spoken, provocation), (provocation.spec,)
    expected = await hold_here(tmp_path, inputs, faults)
    assert {strike.fault for strike in expected.strikes} == {provocation.fault}
    assert_equal(await hold_over_each_transport(tmp_path, inputs, faults), expected)


def test_every_fault_that_stays_within_a_conversation_is_among_them() -> None:
    assert {provocation.fault for provocation in PROVOCATIONS} == {fault.id for fault in FAULTS} - {"F12"}


@pytest.mark.parametrize("faults", [(), TOGETHER], ids=["none", "several"])
async def test_a_simulated_user_has_the_same_conversations_over_every_transport(
    faults: tuple[FaultSpec, ...], spoken: RunInputs, tmp_path: Path
) -> None:
    expected = await hold_here(tmp_path, spoken, faults)
    assert expected.summary["conversations"]["completed"] == 4
    assert bool(expected.strikes) is bool(faults)
    assert_equal(await hold_over_each_transport(tmp_path, spoken, faults), expected)


def test_a_server_started_by_a_user_is_reached_by_the_blocks_that_it_prints(spoken: RunInputs, tmp_path: Path) -> None:
    expected = anyio.run(hold_here, tmp_path, spoken, TOGETHER)
    log = tmp_path / "strikes.jsonl"
    faults = [part for fault in TOGETHER for part in ("--fault", fault_label(fault))]
    command = [sys.executable, "-c", "from hairpin.cli import main; main()", "sut", "serve", "testbed"]
    held: list[Held] = []
    with subprocess.Popen([*command, "--log", str(log), *faults], stdout=subprocess.PIPE, text=True) as server:
        try:
            blocks = printed_blocks(server)
            for transport in TRANSPORTS:
                strikes = partial(read_log, log, after=len(read_log(log)))
                reached = with_sut(spoken, blocks[transport])
                held.append(anyio.run(hold, tmp_path / transport, reached, strikes))
        finally:
            server.terminate()
    assert server.returncode == 0
    assert_equal(held, expected)


def printed_blocks(server: subprocess.Popen[str]) -> dict[str, str]:
    """Return the block under each ``# transport`` that the server prints."""
    assert server.stdout is not None
    blocks: dict[str, str] = {}
    transport = ""
    for line in server.stdout:
        if line.startswith("# "):
            transport = line[2:].strip()
        elif transport:
            blocks[transport] = blocks.get(transport, "") + line
        if line.startswith("  state: "):  # the last line of the last block
            break
    return blocks


def read_log(log: Path, *, after: int = 0) -> Sequence[FaultStrike]:
    lines = log.read_text(encoding="utf-8").splitlines()
    return [FaultStrike.model_validate_json(line) for line in lines[after:]]


STORY_TALK = (
    "Where does Mina live?",
    "What does she keep there?",
    "Where does Nora live?",
    "What does she keep there?",
)
STORY_TEXT = (
    "Mina is a woman. She lives in the mill. She keeps a red kite in the mill.\n\n"
    "Nora is a woman. Nora lives in the tower. She keeps an old drum in the tower."
)


async def test_the_story_assistant_says_the_same_over_every_transport() -> None:
    """Its reference text, and what a session was handed over, travel too."""
    faults = (FaultSpec(id="F10", after=1), FaultSpec(id="F11"))
    start = SessionStart(
        conversation_id="c1",
        context=Context(reference_text=STORY_TEXT),
        rng_seed=3,
        history=(Exchange(t=0, user=STORY_TALK[0], assistant="In the mill."),),
    )
    expected_adapter = StoryAdapter(faults)
    expected = await told(expected_adapter, start)
    assert {strike.fault for strike in expected_adapter.fault_log} == {"F10", "F11"}
    for transport in TRANSPORTS:
        served = StoryAdapter(faults)
        async with serving(served, new_id=map("id{}".format, count()).__next__) as place:
            spec = block_sut(snippets(place.authority, served.describe())[transport])
            adapter = build_adapter(spec, default_gguf=None, environ={})
            assert await told(adapter, start) == expected
            await adapter.aclose()
        assert served.fault_log == expected_adapter.fault_log
        assert (adapter.describe().name, adapter.describe().version) == ("story", served.describe().version)
        assert adapter.capabilities.accepts_history


async def told(adapter: SutAdapter, start: SessionStart) -> list[tuple[str, object]]:
    session = await adapter.open(start)
    replies = [await session.send(question) for question in STORY_TALK[1:]]
    await session.close()
    return [(reply.text, reply.state) for reply in replies if isinstance(reply, SutReply)]
