"""The format of ``sut:`` in scenario files: which assistant, and how it is reached.

File models, not domain values; ``sut_forms`` makes the values. What is left out has the default of the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, JsonValue, Tag, model_validator

from hairpin.packs.field_types import BaseUrl, EnvironmentName, Identifier, NonBlank, Parameters, unique
from hairpin.packs.file_model import FileModel, text_or
from hairpin.packs.template_fields import (
    Headers,
    PathText,
    PollHeaders,
    PollTemplate,
    PollUrlTemplate,
    SessionHeaders,
    SessionTemplate,
    SessionUrlTemplate,
    Template,
    TextPath,
    UrlTemplate,
    WebSocketUrlTemplate,
    session_template,
)
from hairpin.packs.validation_messages import invalid


class FaultForm(FileModel):
    """A seeded fault with its parameters."""

    id: Identifier
    after: int = Field(default=0, ge=0)
    probability: float = Field(default=1.0, ge=0, le=1)
    when: tuple[Identifier, ...] = ()


FaultChoice = Annotated[
    Annotated[Identifier, Tag("text")] | Annotated[FaultForm, Tag("FaultForm")], text_or("FaultForm")
]


def _fault_id(fault: str | FaultForm) -> str:
    return fault if isinstance(fault, str) else fault.id


class TestbedForm(FileModel):
    """``{provider: testbed, …}``."""

    __test__ = False

    provider: Literal["testbed"]
    faults: Annotated[tuple[FaultChoice, ...], unique(_fault_id)] = ()
    wording: Identifier | None = None


class StoryForm(FileModel):
    """``{provider: story, …}``."""

    provider: Literal["story"]
    faults: Annotated[tuple[FaultChoice, ...], unique(_fault_id)] = ()
    story: int = Field(default=1, ge=0)


class PythonForm(FileModel):
    """``{provider: python, adapter: ./my_ica.py:MyIca, options: {…}}``."""

    provider: Literal["python"]
    adapter: NonBlank
    options: Parameters = Field(default_factory=dict)


class RecordedForm(FileModel):
    """``{provider: recorded, file: chats.jsonl}``: conversations made elsewhere."""

    provider: Literal["recorded"]
    file: NonBlank
    format: Literal["auto", "turns", "openai"] = "auto"
    end_tokens: tuple[NonBlank, ...] = ()
    name: NonBlank | None = None
    version: str = ""
    strict: bool = False


class _NamedForm(FileModel):
    """What every assistant reached by configuration can be given."""

    name: NonBlank | None = None
    version: str = ""
    max_sessions: Annotated[int, Field(ge=1)] | None = None


class _PromptedForm(FileModel):
    """What every chat model can be given."""

    system_prompt: str | None = None
    system_prompt_file: NonBlank | None = None
    parameters: Parameters = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_prompt(self) -> Self:
        if self.system_prompt is not None and self.system_prompt_file is not None:
            hint = "keep system_prompt or system_prompt_file"
            raise invalid("stands beside system_prompt", hint, at=("system_prompt_file",))
        return self


class OpenAiCompatibleForm(_NamedForm, _PromptedForm):
    """``{provider: openai-compatible, …}``."""

    provider: Literal["openai-compatible"]
    base_url: BaseUrl
    model: NonBlank
    api_key_env: EnvironmentName | None = None
    context: Literal["text", "json"] = "text"
    state: PathText | None = None


class LocalForm(_PromptedForm):
    """``{provider: local, …}``."""

    provider: Literal["local"]
    gguf: NonBlank | None = None
    context_tokens: int = Field(default=8192, ge=512)


class MatchForm(FileModel):
    """``{path: status, equals: done}``; ``equals`` may be a list of values, of which one must be there."""

    path: PathText
    equals: JsonValue = None


class ReplyForm(FileModel):
    """Where the parts of a reply are; a text alone is the path of the words."""

    text: TextPath = ""
    ended: PathText | None = None
    state: PathText | None = None
    error: PathText | None = None


ReplyChoice = Annotated[Annotated[TextPath, Tag("text")] | Annotated[ReplyForm, Tag("ReplyForm")], text_or("ReplyForm")]

HttpMethod = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


class SessionRequestForm(FileModel):
    """A request that opens or closes a session."""

    url: SessionUrlTemplate
    method: HttpMethod = "POST"
    headers: SessionHeaders = Field(default_factory=dict)
    body: SessionTemplate = None


class PollRequestForm(FileModel):
    """A request that fetches a reply, and what its answer says when it is there."""

    url: PollUrlTemplate
    method: HttpMethod = "GET"
    headers: PollHeaders = Field(default_factory=dict)
    body: PollTemplate = None
    until: MatchForm
    interval_s: float = Field(default=0.5, gt=0)


class HttpSessionForm(FileModel):
    """Sessions that the assistant keeps; without ``open`` the id is in the answer to the first turn."""

    open: SessionRequestForm | None = None
    id: PathText | None = None
    close: SessionRequestForm | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.open is None and self.close is None and self.id is None:
            raise invalid("is empty", "add open, id or close, or remove session")
        return self


class HttpStreamForm(FileModel):
    """An answer in pieces."""

    format: Literal["sse", "lines"] = "sse"
    text: TextPath = ""
    done: str | None = "[DONE]"
    until: MatchForm | None = None
    full: bool = False


class HttpForm(_NamedForm):
    """``{provider: http, url: …, body: {…}, reply: …}``."""

    provider: Literal["http"]
    url: UrlTemplate
    method: HttpMethod = "POST"
    headers: Headers = Field(default_factory=dict)
    body: Template = None
    reply: ReplyChoice = ""
    session: HttpSessionForm | None = None
    stream: HttpStreamForm | None = None
    poll: PollRequestForm | None = None
    idempotent_turns: bool = False
    retries: int = Field(default=0, ge=0, le=10)
    max_reply_bytes: int = Field(default=1024**2, ge=1)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.retries and not self.idempotent_turns:
            hint = "set idempotent_turns: true if a turn that is heard twice does no harm, or remove retries"
            raise invalid("would send a turn twice", hint, at=("retries",))
        if self.stream is not None and self.poll is not None:
            raise invalid("stands beside stream", "keep stream or poll", at=("poll",))
        words = self.reply if isinstance(self.reply, str) else self.reply.text
        if self.stream is not None and words:
            hint = "say where the words of a piece are in stream.text alone"
            raise invalid("names the words of a whole answer, beside stream", hint, at=("reply",))
        return self


class WebSocketForm(_NamedForm):
    """``{provider: websocket, url: ws://…, send: {…}, reply: …}``."""

    provider: Literal["websocket"]
    url: WebSocketUrlTemplate
    headers: SessionHeaders = Field(default_factory=dict)
    subprotocols: tuple[NonBlank, ...] = ()
    hello: SessionTemplate = None
    ready: MatchForm | None = None
    send: Template = "{utterance}"
    reply: ReplyChoice = ""
    only: MatchForm | None = None
    until: MatchForm | None = None
    full: bool = False
    max_reply_bytes: int = Field(default=1024**2, ge=1)


class ProcessForm(_NamedForm):
    """``{provider: process, command: [python, my_bot.py]}``."""

    provider: Literal["process"]
    command: Annotated[tuple[NonBlank, ...], Field(min_length=1)]
    environment: Headers = Field(default_factory=dict)
    hello: SessionTemplate = None
    send: Template | None = None
    bye: SessionTemplate = None
    reply: ReplyChoice | None = None
    id: PathText | None = None
    max_reply_bytes: int = Field(default=1024**2, ge=1)


class LangGraphForm(_NamedForm):
    """``{provider: langgraph, graph: ./app.py:graph}``."""

    provider: Literal["langgraph"]
    graph: NonBlank
    input: Template = None
    config: Annotated[Mapping[str, JsonValue], AfterValidator(session_template)] = Field(default_factory=dict)
    reply: ReplyChoice | None = None


ProviderForm = Annotated[
    TestbedForm
    | StoryForm
    | PythonForm
    | RecordedForm
    | OpenAiCompatibleForm
    | LocalForm
    | HttpForm
    | WebSocketForm
    | ProcessForm
    | LangGraphForm,
    Field(discriminator="provider"),
]
SutForm = Annotated[
    Annotated[NonBlank, Tag("text")] | Annotated[ProviderForm, Tag("ProviderForm")], text_or("ProviderForm")
]
