"""A model file as the assistant under test: a stand-in for the model, and in tests marked ``llm`` a real one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import LocalSut
from hairpin.domain.users import Context
from hairpin.errors import SutConnectionError, SutError, UserError
from hairpin.ports import SutSession
from hairpin.sut.local import DEFAULT_PARAMETERS, LocalAdapter
from tests.llm.local_server_fixtures import is_running, model_file, put_stand_in, wait_until_gone

pytestmark = pytest.mark.anyio

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")
START = SessionStart(conversation_id="c0001", context=Context(location="Lyon"))


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_stand_in(tmp_path, monkeypatch)


async def told(adapter: LocalAdapter) -> dict[str, Any]:
    """What reached the stand-in: settings and request."""
    session = await adapter.open(START)
    found = await said(session)
    await session.close()
    await adapter.aclose()
    return found


async def said(session: SutSession) -> dict[str, Any]:
    """What the stand-in tells of itself and of the request; ``settings`` has its process id, too."""
    reply = await session.send("hi")
    assert isinstance(reply, SutReply)
    found: dict[str, Any] = json.loads(reply.text)
    return found


@pytest.mark.usefixtures("stand_in")
async def test_the_model_is_asked_with_prompt_context_and_parameters(tmp_path: Path) -> None:
    spec = LocalSut(
        gguf=str(model_file(tmp_path)), system_prompt="Be brief.", context_tokens=1024, parameters={"max_tokens": 9}
    )
    found = await told(LocalAdapter(spec, n_parallel=2))
    assert found["request"] == {
        "model": "good.gguf",
        "messages": [
            {"role": "system", "content": "Be brief.\n\nCurrent context\nLocation: Lyon"},
            {"role": "user", "content": "hi"},
        ],
        **DEFAULT_PARAMETERS,
        "max_tokens": 9,
    }
    settings = found["settings"]
    assert (settings["n_ctx"], settings["n_parallel"]) == (2 * 1024, 2), "each conversation has its own context"
    assert (settings["hostnames"], settings["alias"]) == (["127.0.0.1"], ["good.gguf"])
    assert settings["omp"] == "passive"


@pytest.mark.usefixtures("stand_in")
async def test_the_environments_model_file_is_used_when_the_scenario_names_none(tmp_path: Path) -> None:
    adapter = LocalAdapter(LocalSut(), default_gguf=model_file(tmp_path, "default"))
    assert (adapter.describe().name, adapter.describe().transport) == ("default.gguf", "local")
    assert (await told(adapter))["request"]["model"] == "default.gguf"


def test_no_model_file_at_all_is_the_users_to_mend() -> None:
    with pytest.raises(UserError, match="set gguf, or the environment variable HAIRPIN_GGUF"):
        LocalAdapter(LocalSut())


@pytest.mark.usefixtures("stand_in")
def test_the_identity_changes_with_file_prompt_parameters_and_context_size(tmp_path: Path) -> None:
    gguf = str(model_file(tmp_path))
    same_name = tmp_path / "elsewhere"
    same_name.mkdir()
    (same_name / "good.gguf").write_text("GGUF other weights", encoding="utf-8")
    specs = [
        LocalSut(gguf=gguf),
        LocalSut(gguf=str(same_name / "good.gguf")),
        LocalSut(gguf=gguf, system_prompt="x"),
        LocalSut(gguf=gguf, parameters={"temperature": 0}),
        LocalSut(gguf=gguf, context_tokens=1024),
    ]
    identities = {LocalAdapter(spec).describe() for spec in specs}
    assert len(identities) == len(specs)
    assert {identity.name for identity in identities} == {"good.gguf"}
    assert LocalAdapter(specs[0]).describe() in identities


@on_linux
@pytest.mark.usefixtures("stand_in")
async def test_a_server_that_dies_is_an_error_of_the_turn_and_then_unreachable(tmp_path: Path) -> None:
    adapter = LocalAdapter(LocalSut(gguf=str(model_file(tmp_path))))
    session = await adapter.open(START)
    pid = (await said(session))["settings"]["pid"]
    with pytest.raises(SutError):
        await session.send("die")
    await session.close()
    await wait_until_gone(pid)
    with pytest.raises(SutConnectionError, match=r"good\.gguf ended by itself with signal 9"):
        await adapter.open(START)
    await adapter.aclose()


@on_linux
@pytest.mark.usefixtures("stand_in")
async def test_closing_the_adapter_ends_the_server(tmp_path: Path) -> None:
    adapter = LocalAdapter(LocalSut(gguf=str(model_file(tmp_path))))
    pid = (await said(await adapter.open(START)))["settings"]["pid"]
    assert is_running(pid)
    await adapter.aclose()
    assert not is_running(pid)


@pytest.mark.llm
@pytest.mark.timeout(300)
async def test_a_real_model_answers_two_turns_and_reports_its_tokens(gguf: Path) -> None:
    adapter = LocalAdapter(
        LocalSut(context_tokens=1024, system_prompt="Answer in one short sentence.", parameters={"max_tokens": 24}),
        default_gguf=gguf,
    )
    session = await adapter.open(START)
    for utterance in ("My name is Kim. What is the capital of France?", "And of Italy?"):
        reply = await session.send(utterance)
        assert isinstance(reply, SutReply)
        assert reply.text.strip()
        assert reply.usage is not None
        assert reply.usage.completion_tokens
    await session.close()
    await adapter.aclose()


@pytest.mark.llm
@pytest.mark.timeout(300)
async def test_a_real_model_whose_context_is_full_says_so(gguf: Path) -> None:
    adapter = LocalAdapter(LocalSut(context_tokens=512), default_gguf=gguf)
    session = await adapter.open(START)
    with pytest.raises(SutError, match="context"):
        await session.send("word " * 1000)
    await session.close()
    await adapter.aclose()
