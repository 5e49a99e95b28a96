"""The doctor: whether everything that a scenario needs is there and answers, before a run is paid for.

It stores nothing and changes nothing. Of the assistant one reply is asked for, of each model one short answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from pydantic import BaseModel, Field

from hairpin.app.assistants import adapters_of
from hairpin.app.credentials import credentials_of
from hairpin.app.forecast import estimate_line, estimate_of
from hairpin.app.inputs import RunInputs
from hairpin.app.models import ModelTools, open_models
from hairpin.app.recorded import planned_of
from hairpin.app.spending import SpendingLimits, budget_of
from hairpin.app.system import SystemClock, log_to
from hairpin.domain.base import Value
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.llm_calls import CallOrigin, LlmRequest, Purpose
from hairpin.domain.model_spec import ModelSpec, label_of
from hairpin.domain.outcome import Stop
from hairpin.domain.panels import PlayerKey, Seat, role_of
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut import SessionStart
from hairpin.domain.sut_spec import LangGraphSut, LocalSut, OpenAiCompatibleSut, ProcessSut, PythonSut
from hairpin.embeddings.preview import preview_encoder
from hairpin.errors import EndsRunError, HairpinError
from hairpin.graph.sut_call import call_sut, describe_error
from hairpin.llm.gateway import RoleModel
from hairpin.llm.model_identity import ModelIdentity, identify
from hairpin.llm.traffic.policy import TrafficPolicy
from hairpin.ports import ChatMessage, ChatPrompt, RoleError, SutAdapter, SutSession
from hairpin.settings import LogLevel, Settings
from hairpin.sut.configured import hosts_of
from hairpin.sut.redaction import http_url

_SHOWN = 70
_OWN_CODE = PythonSut | ProcessSut | LangGraphSut
_IMPATIENT = TrafficPolicy(back_off_s=0.05, back_off_max_s=1.0, breaker_calls=1_000)
"""Whoever asks whether a model answers does not want to wait until it does."""

Tell = Callable[["Finding"], None]
Identities = dict[PlayerKey, ModelIdentity | HairpinError]


class Finding(Value):
    """One thing looked at. ``exit_code`` is 0 when it is in order, 2 when the user can mend it, else 3."""

    subject: str
    text: str
    exit_code: int = 0

    @property
    def ok(self) -> bool:
        """Whether it is in order."""
        return self.exit_code == 0


class Ready(BaseModel):
    """What each model is asked for."""

    reasoning: str = Field(description="one short sentence")
    sum: int = Field(description="the sum")


_QUESTION = ChatPrompt(
    stable=(ChatMessage(role="system", text="You answer briefly, as a JSON object."),),
    request="What is 2 + 3? Give a short reasoning and the sum.",
)


async def examine(inputs: RunInputs, settings: Settings, report: Tell) -> None:
    """Look at hosts, keys, models, assistant, encoder and the size of the run, in that order; ``report`` what is found.

    What is wrong is a finding and no error; whatever can still be looked at is.
    """
    clean = credentials_of(inputs.scenario, settings.environ).clean

    def tell(finding: Finding) -> None:
        report(finding.model_copy(update={"text": clean(finding.text)}))

    identities = _identities(inputs.cast.models, settings)
    tell(_hosts(inputs, identities))
    tell(
        Finding(
            subject="telemetry",
            text="none; traces to LangSmith "
            + ("are sent, to its own host: HAIRPIN_LANGSMITH asks for them" if settings.langsmith else "off"),
        )
    )
    for role, identity in identities.items():
        if isinstance(identity, HairpinError):
            tell(_wrong(_subject(role, inputs.cast.models[role]), identity))
        elif identity.key_variable is not None:
            tell(_key(role, identity))
    await _models(inputs, settings, identities, tell)
    await _assistant(inputs, settings, tell)
    for finding in _encoders(inputs.scenario, settings):
        tell(finding)
    tell(Finding(subject="estimate", text=estimate_line(estimate_of(inputs))))


def _identities(models: Mapping[PlayerKey, ModelSpec], settings: Settings) -> Identities:
    found: Identities = {}
    for role, spec in models.items():
        try:
            found[role] = identify(spec, environ=settings.environ, default_gguf=settings.gguf)
        except HairpinError as error:
            found[role] = error
    return found


def _hosts(inputs: RunInputs, identities: Identities) -> Finding:
    users: dict[str, list[str]] = {}
    for role, identity in identities.items():
        if isinstance(identity, ModelIdentity):
            for host in identity.hosts:
                users.setdefault(host, []).append(_words(role))
    sut = inputs.scenario.sut
    if isinstance(sut, OpenAiCompatibleSut):
        users.setdefault(_host_of(sut.base_url), []).append("assistant")
    for host in hosts_of(sut):
        users.setdefault(host, []).append("assistant")
    for spec in _encoder_specs(inputs.scenario):
        if spec.base_url is not None:
            users.setdefault(_host_of(spec.base_url), []).append("encoder")
    named = "; ".join(f"{host} ({', '.join(who)})" for host, who in sorted(users.items())) or "none"
    own = "; what the assistant's own code contacts, Hairpin cannot know" if isinstance(sut, _OWN_CODE) else ""
    local = any(spec.provider == "local" for spec in inputs.cast.models.values()) or isinstance(sut, LocalSut)
    served = "; model files are served on 127.0.0.1" if local else ""
    return Finding(subject="hosts contacted", text=named + served + own)


def _host_of(address: str) -> str:
    url = http_url(address, where="base_url")
    return f"{url.host}:{url.explicit_port}" if url.explicit_port else str(url.host)


def _key(role: PlayerKey, identity: ModelIdentity) -> Finding:
    there = "is set" if identity.key_present else "is not set; it must hold the key"
    return Finding(
        subject=f"key of the {_words(role)}",
        text=f"{identity.key_variable} {there}",
        exit_code=0 if identity.key_present else 2,
    )


async def _models(inputs: RunInputs, settings: Settings, identities: Identities, tell: Tell) -> None:
    """Ask every model that can be reached one question."""
    askable = {role for role, found in identities.items() if isinstance(found, ModelIdentity) and found.key_present}
    if not askable:
        return
    requests = _Requests()
    with log_to(Path(os.devnull), level=LogLevel.ERROR) as logger:
        cast = inputs.cast.only(askable)
        tools = ModelTools(
            settings=settings,
            logger=logger,
            clock=SystemClock(),
            log=requests,
            budget=budget_of(cast, inputs.prices, SpendingLimits()),
            rng_seed=inputs.scenario.rng_seed,
            policy=_IMPATIENT,
        )
        try:
            async with open_models(cast, inputs.prices, tools) as models:
                for roles in _alike(models.by_role):
                    tell(await _ask(roles, models.by_role[roles[0]], requests))
        except HairpinError as error:
            tell(_wrong("models", error))


@dataclass(slots=True)
class _Requests:
    """Implements ``ports.LlmRequestLog``: what the last call took."""

    all: list[LlmRequest] = field(default_factory=list)

    async def record_request(self, request: LlmRequest) -> None:
        self.all.append(request)


def _alike(models: Mapping[PlayerKey, RoleModel]) -> list[list[PlayerKey]]:
    """Return the roles in groups that are played by the same model in the same way: it is asked once."""
    groups: list[list[PlayerKey]] = []
    for role, model in models.items():
        for group in groups:
            if models[group[0]].spec == model.spec:
                group.append(role)
                break
        else:
            groups.append([role])
    return groups


async def _ask(roles: Sequence[PlayerKey], model: RoleModel, requests: _Requests) -> Finding:
    subject, before = f"{label_of(model.spec)}, {', '.join(map(_words, roles))}", len(requests.all)
    try:
        answer = await model.ask(_QUESTION, Ready, origin=CallOrigin(purpose=Purpose.DOCTOR))
    except (RoleError, EndsRunError) as error:
        return _wrong(subject, error)
    made = requests.all[before:]
    tokens = made[-1].tokens
    used = f"{tokens.prompt_tokens} + {tokens.completion_tokens} tokens" if tokens.prompt_tokens else "tokens unknown"
    odd = "" if answer.sum == 5 else f"; it says that 2 + 3 is {answer.sum}"
    n_requests = "1 request" if len(made) == 1 else f"{len(made)} requests"
    text = f"answers in {made[-1].latency_ms:.0f} ms as {made[-1].mode} ({n_requests}, {used}){odd}"
    return Finding(subject=subject, text=text)


async def _assistant(inputs: RunInputs, settings: Settings, tell: Tell) -> None:
    """Open a session, say the first thing that the user would say, and close it again."""
    if inputs.recordings is not None:
        found = inputs.recordings.imported()
        tell(Finding(subject="assistant", text=f"recorded, nothing is asked; {found.sentence()}"))
        return
    try:
        adapters = adapters_of(inputs.scenario, settings)
    except HairpinError as error:
        tell(_wrong("assistant", error))
        return
    for label, adapter in adapters.items():
        try:
            tell(await _say_hello(label, adapter, inputs))
        except Exception as error:  # noqa: BLE001 - whatever the adapter raises is a finding
            tell(_wrong(f"assistant {label}", error))
        finally:
            with anyio.move_on_after(10, shield=True):
                await adapter.aclose()


async def _say_hello(label: str, adapter: SutAdapter, inputs: RunInputs) -> Finding:
    scenario = inputs.scenario
    planned = next(iter(planned_of(inputs, (label,))))
    start = SessionStart(conversation_id="doctor", context=planned.context, rng_seed=scenario.rng_seed)
    with anyio.fail_after(scenario.turn_timeout_s):
        session = await adapter.open(start)
    try:
        return await _first_reply(f"assistant {label}", session, _first_said(planned, scenario), inputs)
    finally:
        with anyio.move_on_after(10, shield=True):
            await session.close()


async def _first_reply(subject: str, session: SutSession, utterance: str, inputs: RunInputs) -> Finding:
    clock = SystemClock()
    started_s = clock.monotonic()
    reply = await call_sut(session, utterance, timeout_s=inputs.scenario.turn_timeout_s, replied_before=False)
    if isinstance(reply, Stop):
        return Finding(subject=subject, text=f"{reply.reason}: {reply.detail}", exit_code=3)
    latency_ms = (clock.monotonic() - started_s) * 1000
    return Finding(subject=subject, text=f"answers in {latency_ms:.0f} ms: “{_excerpt(reply.text)}”")


def _first_said(planned: PlannedConversation, scenario: Scenario) -> str:
    """Return what the user says first: a test seed's first question, the seed phrase, or the script's first line."""
    if planned.replay is not None:
        return planned.replay.texts[0]
    return planned.seed_phrase or scenario.script[0].user


def _encoder_specs(scenario: Scenario) -> dict[EncoderSpec, bool]:
    """Return what turns texts into vectors, each once, and whether the run does without it where it is not there."""
    campaign, replays = scenario.campaign, scenario.metamorphic
    found: dict[EncoderSpec, bool] = {}
    if campaign is not None:
        found[campaign.encoder] = campaign.encoder == EncoderSpec()
    if replays is not None:
        found[replays.encoder] = False
    return found or {EncoderSpec(): True}


def _encoders(scenario: Scenario, settings: Settings) -> Iterator[Finding]:
    """Say which models would compare texts. The default one that is not there is a fault only where it is needed."""
    for spec, optional in _encoder_specs(scenario).items():
        preview = preview_encoder(spec, cache=settings.cache_dir, environ=settings.environ)
        yield Finding(subject="encoder", text=preview.text, exit_code=0 if preview.usable or optional else 2)


def _wrong(subject: str, error: Exception) -> Finding:
    code = error.exit_code if isinstance(error, HairpinError) else 3
    text = error.detail if isinstance(error, RoleError) else describe_error(error)
    return Finding(subject=subject, text=text, exit_code=code)


def _subject(role: PlayerKey, spec: ModelSpec) -> str:
    return f"{_words(role)}, {label_of(spec)}"


def _words(player: PlayerKey) -> str:
    words = role_of(player).value.replace("_", " ")
    return f"{words} {player.number + 1}" if isinstance(player, Seat) else words


def _excerpt(text: str) -> str:
    line = " ".join(text.split()) or "(no answer)"
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
