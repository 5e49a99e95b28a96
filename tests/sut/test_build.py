"""Every assistant that a scenario can name gets its adapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.sut_spec import (
    FaultSpec,
    HttpRequest,
    HttpSut,
    LangGraphSut,
    LocalSut,
    OpenAiCompatibleSut,
    ProcessSut,
    PythonSut,
    SutSpec,
    TestbedSut,
    WebSocketSut,
)
from hairpin.errors import UserError
from hairpin.sut.build import build_adapter
from tests.llm.local_server_fixtures import model_file, put_stand_in


@pytest.mark.parametrize(
    ("spec", "name", "transport"),
    [
        (TestbedSut(), "testbed", "in-process"),
        (TestbedSut(faults=(FaultSpec(id="F1"),), wording="plain"), "testbed", "in-process"),
        (PythonSut(reference="string:capwords"), "string:capwords", "in-process"),
        (OpenAiCompatibleSut(base_url="http://127.0.0.1:9/v1", model="m"), "m", "openai-compatible"),
        (WebSocketSut(url="ws://127.0.0.1:9/chat"), "ws://127.0.0.1:9/chat", "websocket"),
        (ProcessSut(command=("python", "bot.py")), "python bot.py", "process"),
        (LangGraphSut(reference="langchain_core.runnables:RunnablePassthrough", name="app"), "app", "in-process"),
        (HttpSut(request=HttpRequest(url="http://127.0.0.1:9/chat")), "127.0.0.1:9/chat", "http"),
        (LocalSut(), "good.gguf", "local"),
    ],
)
def test_each_kind_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: SutSpec, name: str, transport: str
) -> None:
    put_stand_in(tmp_path, monkeypatch)
    adapter = build_adapter(spec, default_gguf=model_file(tmp_path), environ={})
    assert (adapter.describe().name, adapter.describe().transport) == (name, transport)


def test_what_cannot_be_built_is_said_at_once() -> None:
    for spec in (PythonSut(reference="no_such_module:x"), LocalSut(), OpenAiCompatibleSut(base_url="x", model="m")):
        with pytest.raises(UserError):
            build_adapter(spec, default_gguf=None, environ={})
