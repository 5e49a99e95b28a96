"""Which assistant a scenario names, as a value.

Building the adapter is the composition root's work.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hairpin.domain.base import Value


class FaultSpec(Value):
    """A seeded fault of the testbed: it can strike once ``after`` exchanges have passed, with ``probability``."""

    id: str
    after: int = Field(default=0, ge=0)
    probability: float = Field(default=1.0, ge=0, le=1)


class TestbedSut(Value):
    """The reference assistant with these faults on."""

    __test__ = False

    provider: Literal["testbed"] = "testbed"
    faults: tuple[FaultSpec, ...] = ()
    wording: str | None = None


class PythonSut(Value):
    """A Python object: ``./file.py:Name`` beside the scenario, ``package.module:Name`` or an entry point's name."""

    provider: Literal["python"] = "python"
    reference: str
    folder: str | None = None


class OpenAiCompatibleSut(Value):
    """A chat model behind ``{base_url}/chat/completions``; the key is read from the environment variable named."""

    provider: Literal["openai-compatible"] = "openai-compatible"
    base_url: str
    model: str
    system_prompt: str | None = None
    api_key_env: str | None = None
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)


class LocalSut(Value):
    """A GGUF file served in a child process; without ``gguf`` the environment's HAIRPIN_GGUF is used."""

    provider: Literal["local"] = "local"
    gguf: str | None = None
    system_prompt: str | None = None
    context_tokens: int = Field(default=8192, ge=512)
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)


SutSpec = Annotated[TestbedSut | PythonSut | OpenAiCompatibleSut | LocalSut, Field(discriminator="provider")]
