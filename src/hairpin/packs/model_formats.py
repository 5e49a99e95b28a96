"""The format of ``models:`` in scenario files: which model plays a role, and how it is driven.

File models, not domain values; ``model_specs`` makes the values. What is left out has the default of the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, JsonValue, Tag, model_validator

from hairpin.domain.model_spec import LocalModel, StructuredMode
from hairpin.domain.panels import MAX_MEMBERS, MAX_REPEATS, PANEL_ROLES
from hairpin.packs.field_types import BaseUrl, EnvironmentName, NonBlank, Parameters, Url
from hairpin.packs.file_model import FileModel, text_or
from hairpin.packs.validation_messages import invalid

OFFLINE: Final = "offline"
LOCAL: Final = "local"
OPENAI_PREFIX: Final = "openai/"

_NEEDS_MORE: Final[Mapping[str, str]] = {
    "openai": "write openai/MODEL or {provider: openai, model: …}",
    "azure": "write {provider: azure, endpoint: …, deployment: …, api_version: …}",
    "openai-compatible": "write {provider: openai-compatible, base_url: …, model: …}",
    "local": "write {provider: local, gguf: …}",
}
_JUDGES: Final = frozenset(role.value for role in PANEL_ROLES)
_NO_TOOLS: Final = "leave it out: roles answer in text or JSON and call no tools"
_WHOLE: Final = "leave it out: answers are read whole"
_CAP: Final = "set max_output_tokens beside parameters; it is sent under the name that the endpoint takes"
_RESERVED: Final[Mapping[str, str]] = {
    "messages": "leave it out: the prompts of the roles are in agents/",
    "model": "set model beside parameters",
    "stream": _WHOLE,
    "stream_options": _WHOLE,
    "n": "leave it out: a call has one answer; 'repeats: N' holds more conversations",
    "response_format": "set structured_output beside parameters",
    "max_tokens": _CAP,
    "max_completion_tokens": _CAP,
    "tools": _NO_TOOLS,
    "tool_choice": _NO_TOOLS,
    "functions": _NO_TOOLS,
    "function_call": _NO_TOOLS,
    "timeout": "set limits: {timeout_s: …} beside parameters",
    "max_retries": "set limits: {attempts: …} beside parameters",
}
"""What the gateway itself decides, and how a user has a say in it."""


def _not_reserved(value: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    for name in value:
        if name in _RESERVED:
            raise invalid("is not free to be set", _RESERVED[name], at=(name,))
    return value


def _model_text(value: str) -> str:
    provider, slash, model = value.partition("/")
    if value in (OFFLINE, LOCAL) or (provider == "openai" and model and not any(map(str.isspace, model))):
        return value
    if provider in _NEEDS_MORE:
        missing = "is not enough to find a model" if not slash or provider == "local" else "lacks an address"
        raise invalid(f"{value!r} {missing}", _NEEDS_MORE[provider])
    hint = (
        "OpenAI's models are written openai/MODEL; other servers: {provider: openai-compatible, base_url: …, model: …}"
    )
    raise invalid(f"must be local, offline or openai/MODEL, not {value!r}", hint)


RequestParameters = Annotated[Parameters, AfterValidator(_not_reserved)]
ModelText = Annotated[NonBlank, AfterValidator(_model_text)]


class LimitsForm(FileModel):
    """How hard an endpoint may be driven."""

    concurrency: Annotated[int, Field(ge=1)] | None = None
    requests_per_minute: Annotated[int, Field(ge=1)] | None = None
    tokens_per_minute: Annotated[int, Field(ge=1)] | None = None
    attempts: Annotated[int, Field(ge=1)] | None = None
    timeout_s: Annotated[float, Field(gt=0)] | None = None
    max_wait_s: Annotated[float, Field(ge=0)] | None = None


class PriceForm(FileModel):
    """USD per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: Annotated[float, Field(ge=0)] | None = None


class _ModelForm(FileModel):
    """What every model can be given."""

    parameters: RequestParameters = Field(default_factory=dict)
    max_output_tokens: int = Field(default=LocalModel.model_fields["max_output_tokens"].default, ge=1)
    retry_output_tokens: Annotated[int, Field(ge=1)] | None = None
    repairs: int = Field(default=LocalModel.model_fields["repairs"].default, ge=0, le=5)
    structured_output: StructuredMode | None = None
    limits: LimitsForm | None = None
    price: PriceForm | None = None
    repeats: Annotated[int, Field(ge=1, le=MAX_REPEATS)] | None = None

    @model_validator(mode="after")
    def _retry_with_more(self) -> Self:
        if self.retry_output_tokens is not None and self.retry_output_tokens <= self.max_output_tokens:
            what = f"must be more than max_output_tokens, which is {self.max_output_tokens}"
            raise invalid(what, "raise it, or leave it out", at=("retry_output_tokens",))
        return self


class OpenAiModelForm(_ModelForm):
    """``{provider: openai, …}``, or ``openai/MODEL`` for short."""

    provider: Literal["openai"]
    model: NonBlank
    api_key_env: EnvironmentName | None = None


class AzureModelForm(_ModelForm):
    """``{provider: azure, …}``; ``model`` is what the deployment deploys."""

    provider: Literal["azure"]
    endpoint: Url
    deployment: NonBlank
    api_version: NonBlank
    model: NonBlank | None = None
    api_key_env: EnvironmentName | None = None


class CompatibleModelForm(_ModelForm):
    """``{provider: openai-compatible, …}``."""

    provider: Literal["openai-compatible"]
    base_url: BaseUrl
    model: NonBlank
    api_key_env: EnvironmentName | None = None


class LocalModelForm(_ModelForm):
    """``{provider: local, …}``, or ``local`` for short."""

    provider: Literal["local"]
    gguf: NonBlank | None = None
    context_tokens: int = Field(default=LocalModel.model_fields["context_tokens"].default, ge=512)

    @model_validator(mode="after")
    def _room_for_a_prompt(self) -> Self:
        needed = self.retry_output_tokens or self.max_output_tokens
        if needed >= self.context_tokens:
            what = f"leaves no room for a prompt beside {needed} tokens of output"
            raise invalid(what, "raise context_tokens, or lower max_output_tokens", at=("context_tokens",))
        return self


ModelForm = Annotated[
    OpenAiModelForm | AzureModelForm | CompatibleModelForm | LocalModelForm, Field(discriminator="provider")
]
ModelChoice = Annotated[
    Annotated[ModelText, Tag("text")] | Annotated[ModelForm, Tag("ModelForm")], text_or("ModelForm")
]


class PanelForm(FileModel):
    """``{panel: […], repeats: 1}``: several judges decide together; each model is asked ``repeats`` times."""

    panel: Annotated[tuple[ModelChoice, ...], Field(min_length=1, max_length=MAX_MEMBERS)]
    repeats: Annotated[int, Field(ge=1, le=MAX_REPEATS)] = 1

    @model_validator(mode="after")
    def _repeats_once(self) -> Self:
        for index, member in enumerate(self.panel):
            if not isinstance(member, str) and member.repeats is not None:
                raise invalid("stands at one member", "set repeats beside panel", at=("panel", index, "repeats"))
        return self

    @model_validator(mode="after")
    def _offline_once(self) -> Self:
        """Refuse votes of the offline judge that would look like a second opinion."""
        offline = [index for index, member in enumerate(self.panel) if member == OFFLINE]
        if len(offline) > 1:
            raise invalid("is the offline judge again, who only says the same", "remove it", at=("panel", offline[1]))
        if len(offline) == len(self.panel) and self.repeats > 1:
            hint = "name a model, or leave repeats out"
            raise invalid("asks the offline judge again, who only says the same", hint, at=("repeats",))
        return self


def _judge_form(value: object) -> str:
    if isinstance(value, str | int | float | None):
        return "text"
    return (
        "PanelForm" if isinstance(value, PanelForm) or (isinstance(value, dict) and "panel" in value) else "ModelForm"
    )


JudgeChoice = Annotated[
    Annotated[ModelText, Tag("text")] | Annotated[PanelForm, Tag("PanelForm")] | Annotated[ModelForm, Tag("ModelForm")],
    Discriminator(_judge_form),
]


class ModelsForm(FileModel):
    """Which model plays which role; ``default`` plays every role that is not named, ``offline`` keeps one offline.

    The ``simulator_reviewer`` is offline unless it is named itself: a call per conversation is not to be had unasked.
    """

    default: ModelChoice | None = None
    extractor: ModelChoice | None = None
    simulator: ModelChoice | None = None
    strategist: ModelChoice | None = None
    turn_judge: JudgeChoice | None = None
    conversation_judge: JudgeChoice | None = None
    simulator_reviewer: ModelChoice | None = None
    decontextualiser: ModelChoice | None = None
    reference_answerer: ModelChoice | None = None
    context_judge: ModelChoice | None = None
    question_writer: ModelChoice | None = None

    @model_validator(mode="after")
    def _chosen(self) -> Self:
        empty = [key for key in self.model_fields_set if getattr(self, key) is None]
        if empty:
            hint = "name a model, write offline, or leave the key out"
            raise invalid("is empty", hint, at=(min(empty),))
        for key in sorted(self.model_fields_set - _JUDGES):
            if getattr(getattr(self, key), "repeats", None) is not None:
                hint = "remove it: turn_judge and conversation_judge alone decide, and can decide several times"
                raise invalid("has no votes to count here", hint, at=(key, "repeats"))
        return self
