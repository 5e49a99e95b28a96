"""All credentials that a run works with, to keep them out of everything it writes.

Endpoints and adapters mask their own; this is for what passes them by, such as a library's traceback.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from pydantic import JsonValue
from yarl import URL

from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.model_spec import AzureModel, CompatibleModel, LocalModel, ModelSpec
from hairpin.domain.outcome import Role
from hairpin.domain.panels import PlayerKey, role_of
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import OpenAiCompatibleSut, SutSpec
from hairpin.errors import AdapterFaultError, ModelSetupError, UserError
from hairpin.llm.endpoint import endpoint_of
from hairpin.llm.local_server import check_gguf, check_runtime
from hairpin.llm.model_identity import gguf_of
from hairpin.llm.response_cache import check_cache
from hairpin.settings import Settings
from hairpin.sut.configured import addresses_of, templates_of
from hairpin.sut.environment import variables_named
from hairpin.sut.http_requests import fill_address
from hairpin.sut.redaction import Redactor, keys_of, secrets_of


def credentials_of(scenario: Scenario, environ: Mapping[str, str], *, further: Iterable[str] = ()) -> Redactor:
    """Return what knows the keys and passwords of the scenario's assistants, encoders and models that play roles.

    ``further``: others that must not be shown either.
    """
    suts = (scenario.sut, *(scenario.campaign.suts.values() if scenario.campaign else ()))
    encoders = [part.encoder for part in (scenario.campaign, scenario.metamorphic) if part is not None]
    members = [member for panel in scenario.panels.values() for member in panel.members if member is not None]
    asked = (*scenario.models.values(), *members)
    named = [secret for spec in (*suts, *encoders, *asked) for secret in _secrets(spec, environ)]
    in_templates = [secret for sut in suts for secret in _secrets_in_templates(sut, environ)]
    return Redactor((*named, *in_templates, *further))


def require_access(models: Mapping[PlayerKey, ModelSpec], settings: Settings, *, cache: Path | None = None) -> None:
    """Check, without contacting anybody, that each of ``models`` has its key, or its file and what serves it.

    Args:
        models: by the role that they play, or by their seat on a panel.
        settings: of the environment.
        cache: the file of the response cache, made if there is none; ``None`` is off.

    Raises:
        UserError: some have not, all said at once; or the cache cannot be used.
    """
    lacking: dict[str, list[str]] = {}
    for player, spec in models.items():
        try:
            _require(spec, settings)
        except UserError as error:
            lacking.setdefault(str(error), []).append(_words(role_of(player)))
    if lacking:
        lines = [f"{', '.join(dict.fromkeys(roles))}: {text}" for text, roles in lacking.items()]
        raise ModelSetupError("\n".join(lines))
    if models and cache is not None:
        check_cache(cache)


def _require(spec: ModelSpec, settings: Settings) -> None:
    if isinstance(spec, LocalModel):
        gguf = gguf_of(spec, settings.gguf)
        check_runtime()
        check_gguf(gguf)
    else:
        endpoint_of(spec, environ=settings.environ)


def _words(role: Role) -> str:
    return role.value.replace("_", " ")


def _secrets(spec: object, environ: Mapping[str, str]) -> Iterator[str]:
    variable = getattr(spec, "api_key_env", None)
    if variable is not None:
        yield environ.get(variable, "").strip()
    address = _address(spec)
    if address is not None:
        yield from secrets_of(URL(address))


def _secrets_in_templates(sut: SutSpec, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the variables that the templates of an assistant name, and the logins in its addresses."""
    variables: dict[str, JsonValue] = {
        name: environ.get(name, "").strip() for name in variables_named(templates_of(sut))
    }
    yield from (str(value) for value in variables.values())
    for address in addresses_of(sut):
        # A variable that makes it no address is told when a session opens.
        with suppress(AdapterFaultError):
            yield from keys_of(fill_address(address, {"env": variables}))


def _address(spec: object) -> str | None:
    match spec:
        case OpenAiCompatibleSut() | CompatibleModel() | EncoderSpec():
            return spec.base_url
        case AzureModel():
            return spec.endpoint
    return None
