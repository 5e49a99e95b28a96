"""From the assistant that a scenario names to an adapter that reaches it.

It opens nothing: adapters connect and load when a session opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from hairpin.domain.recording import Recording
from hairpin.domain.sut_spec import (
    HttpSut,
    LangGraphSut,
    LocalSut,
    OpenAiCompatibleSut,
    ProcessSut,
    PythonSut,
    RecordedSut,
    StorySut,
    SutSpec,
    TestbedSut,
    WebSocketSut,
)
from hairpin.ports import SutAdapter
from hairpin.sut.http_adapter import HttpAdapter
from hairpin.sut.langgraph import LangGraphAdapter
from hairpin.sut.local import LocalAdapter
from hairpin.sut.openai_compatible import OpenAiCompatibleAdapter
from hairpin.sut.process import ProcessAdapter
from hairpin.sut.recorded import RecordedAdapter
from hairpin.sut.references import adapter_of_reference
from hairpin.sut.websocket import WebSocketAdapter
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.story.adapter import StoryAdapter


def build_adapter(
    spec: SutSpec,
    *,
    default_gguf: Path | None,
    environ: Mapping[str, str],
    log_path: Path | None = None,
    recordings: Mapping[str, Recording] | None = None,
) -> SutAdapter:
    """Return the adapter for ``spec``.

    Args:
        spec: which assistant.
        default_gguf: the model file of a local model that names none.
        environ: where keys are looked up.
        log_path: where a server of Hairpin's own writes its log; ``None``: nowhere.
        recordings: what a recorded assistant says again, by the id of the conversation.

    Raises:
        UserError: a reference, an address, a parameter or a model file is wrong.
    """
    match spec:
        case TestbedSut() | StorySut():
            return _own_adapter(spec)
        case PythonSut():
            return adapter_of_reference(spec)
        case RecordedSut():
            return RecordedAdapter(spec, recordings or {})
        case HttpSut():
            return HttpAdapter(spec, environ=environ)
        case WebSocketSut():
            return WebSocketAdapter(spec, environ=environ)
        case ProcessSut():
            return ProcessAdapter(spec, environ=environ)
        case LangGraphSut():
            return LangGraphAdapter(spec, environ=environ)
        case OpenAiCompatibleSut():
            return OpenAiCompatibleAdapter(spec, environ=environ)
        case LocalSut():
            return LocalAdapter(spec, default_gguf=default_gguf, log_path=log_path)
        case _:
            assert_never(spec)


def _own_adapter(spec: TestbedSut | StorySut) -> SutAdapter:
    if isinstance(spec, StorySut):
        return StoryAdapter(faults=spec.faults, story=spec.story)
    return TestbedAdapter(faults=spec.faults, wording=spec.wording)
