"""All credentials that a run works with, to keep them out of everything it writes.

Endpoints and adapters mask their own; this is for what passes them by, such as a library's traceback.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from yarl import URL

from hairpin.domain.model_spec import AzureModel, CompatibleModel, LocalModel, ModelSpec
from hairpin.domain.outcome import Role
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import OpenAiCompatibleSut
from hairpin.errors import ModelSetupError, UserError
from hairpin.llm.endpoint import endpoint_of
from hairpin.llm.local_server import check_gguf, check_runtime
from hairpin.llm.model_identity import gguf_of
from hairpin.llm.response_cache import check_cache
from hairpin.settings import Settings
from hairpin.sut.redaction import Redactor, secrets_of


def credentials_of(scenario: Scenario, environ: Mapping[str, str]) -> Redactor:
    """Return what knows the keys and passwords of the scenario's assistant and of the models that play roles."""
    return Redactor(secret for spec in (scenario.sut, *scenario.models.values()) for secret in _secrets(spec, environ))


def require_access(models: Mapping[Role, ModelSpec], settings: Settings, *, cache: Path | None = None) -> None:
    """Check, without contacting anybody, that each of ``models`` has its key, or its file and what serves it.

    Args:
        models: by the role that they play.
        settings: of the environment.
        cache: the file of the response cache, made if there is none; ``None`` is off.

    Raises:
        UserError: some have not, all said at once; or the cache cannot be used.
    """
    lacking: dict[str, list[Role]] = {}
    for role, spec in models.items():
        try:
            _require(spec, settings)
        except UserError as error:
            lacking.setdefault(str(error), []).append(role)
    if lacking:
        lines = [f"{', '.join(_words(role) for role in roles)}: {text}" for text, roles in lacking.items()]
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


def _address(spec: object) -> str | None:
    match spec:
        case OpenAiCompatibleSut() | CompatibleModel():
            return spec.base_url
        case AzureModel():
            return spec.endpoint
    return None
