"""All credentials that a run works with, to keep them out of everything it writes.

Endpoints and adapters mask their own; this is for what passes them by, such as a library's traceback.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from yarl import URL

from hairpin.domain.model_spec import AzureModel, CompatibleModel
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import OpenAiCompatibleSut
from hairpin.sut.redaction import Redactor, secrets_of


def credentials_of(scenario: Scenario, environ: Mapping[str, str]) -> Redactor:
    """Return what knows the keys and passwords of the scenario's assistant and of the models that play roles."""
    return Redactor(secret for spec in (scenario.sut, *scenario.models.values()) for secret in _secrets(spec, environ))


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
