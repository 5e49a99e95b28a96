"""Which model plays a role, as a value: where it is reached, what is sent along, how hard it may be driven.

Connecting to it is the gateway's work.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hairpin.domain.base import Value


class StructuredMode(StrEnum):
    """How an endpoint is asked for JSON, the strongest first."""

    JSON_SCHEMA_STRICT = "json_schema_strict"
    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


class ModelLimits(Value):
    """How hard an endpoint may be driven. Roles that share an endpoint share its limits: the strictest of each counts.

    ``attempts``: HTTP requests per call at most, whatever they are for: retries, repairs, finding out what the endpoint
    takes. ``max_wait_s``: the longest that a server may make Hairpin wait before the call is given up.
    """

    concurrency: int = Field(default=16, ge=1)
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    attempts: int = Field(default=6, ge=1)
    timeout_s: float = Field(default=120.0, gt=0)
    max_wait_s: float = Field(default=300.0, ge=0)


class ModelPrice(Value):
    """USD per million tokens. ``cached_input`` is the price of tokens served from the provider's prefix cache."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)


class _Model(Value):
    """What every model has. ``parameters`` go into the request as they are; nothing unset is sent but the output cap.

    ``max_output_tokens``: the output cap, always sent. ``retry_output_tokens``: a larger cap to ask again with, once,
    when an answer was cut off. ``repairs``: how often a model is shown its unusable answer and asked again.
    ``structured_output``: ``None`` finds out what the endpoint takes.
    """

    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)
    max_output_tokens: int = Field(default=2048, ge=1)
    retry_output_tokens: int | None = Field(default=None, ge=1)
    repairs: int = Field(default=1, ge=0, le=5)
    structured_output: StructuredMode | None = None
    limits: ModelLimits = ModelLimits()
    price: ModelPrice | None = None


class OpenAiModel(_Model):
    """A model of OpenAI itself."""

    provider: Literal["openai"] = "openai"
    model: str
    api_key_env: str = "OPENAI_API_KEY"


class AzureModel(_Model):
    """A deployment on Azure; ``model`` is what it deploys (for the price), ``deployment`` its name there."""

    provider: Literal["azure"] = "azure"
    endpoint: str
    deployment: str
    api_version: str
    model: str = ""
    api_key_env: str = "AZURE_OPENAI_API_KEY"


class CompatibleModel(_Model):
    """Any server with ``{base_url}/chat/completions``."""

    provider: Literal["openai-compatible"] = "openai-compatible"
    base_url: str
    model: str
    api_key_env: str | None = None


class LocalModel(_Model):
    """A GGUF file served in a child process; without ``gguf`` the environment's HAIRPIN_GGUF is used.

    Its server keeps to any schema, and to the plain one's bounds too, which strict ones have not: a small model that
    goes round in circles is cut short by them.
    """

    provider: Literal["local"] = "local"
    gguf: str | None = None
    context_tokens: int = Field(default=8192, ge=512)
    structured_output: StructuredMode | None = StructuredMode.JSON_SCHEMA
    limits: ModelLimits = ModelLimits(concurrency=1, timeout_s=600.0)


ModelSpec = Annotated[OpenAiModel | AzureModel | CompatibleModel | LocalModel, Field(discriminator="provider")]


def label_of(spec: ModelSpec) -> str:
    """Return provider and model, as reports call them."""
    match spec:
        case AzureModel():
            return f"azure {spec.deployment}"
        case LocalModel():
            name = "HAIRPIN_GGUF" if spec.gguf is None else spec.gguf.replace("\\", "/").rpartition("/")[2]
            return f"local {name}"
    return f"{spec.provider} {spec.model}"
