"""How one endpoint is reached: its public address, and apart from it the credentials that are added when sending.

It sends nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from yarl import URL

from hairpin.domain.model_spec import AzureModel, CompatibleModel, OpenAiModel
from hairpin.errors import ModelSetupError
from hairpin.llm.model_identity import address_of
from hairpin.sut.redaction import Redactor, basic_credentials, keys_of, public_part, secrets_of


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address and what belongs to it.

    Attributes:
        address: without credentials and query.
        query: parameters of the address, secret ones too.
        credentials: headers that hold the key or the login.
        redactor: knows all of these.
        key_variable: where the key came from.
    """

    address: str
    redactor: Redactor
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    credentials: Mapping[str, str] = field(default_factory=dict, repr=False)
    key_variable: str | None = None


def endpoint_of(spec: OpenAiModel | AzureModel | CompatibleModel, *, environ: Mapping[str, str]) -> Endpoint:
    """Return the endpoint of ``spec`` with its credentials.

    Raises:
        InvalidInputError: its address is no HTTP address.
        ModelSetupError: the key's environment variable is missing, empty or no key, or there is a login beside it.
    """
    url = address_of(spec)
    key = _key_of(url, spec.api_key_env, environ)
    keys = [key] if key else []
    header, scheme = ("api-key", "") if isinstance(spec, AzureModel) else ("Authorization", "Bearer ")
    credentials = {header: f"{scheme}{key}"} if key else {}
    if url.user or url.password:
        credentials = {"Authorization": f"Basic {basic_credentials(url)}"}
    return Endpoint(
        address=public_part(url).rstrip("/"),
        redactor=Redactor((*secrets_of(url), *keys), spoken=(*keys_of(url), *keys)),
        query=dict(url.query),
        credentials=credentials,
        key_variable=spec.api_key_env,
    )


def local_endpoint(base_url: str, key: str) -> Endpoint:
    """Return the endpoint of a server of Hairpin's own."""
    return Endpoint(
        address=base_url,
        redactor=Redactor([key], spoken=[key]),
        credentials={"Authorization": f"Bearer {key}"},
    )


def _key_of(url: URL, variable: str | None, environ: Mapping[str, str]) -> str | None:
    if variable is None:
        return None
    where = public_part(url)
    key = environ.get(variable, "").strip()
    if not key:
        raise ModelSetupError(f"environment variable {variable} is not set; it must hold the key for {where}")
    if not (key.isascii() and key.isprintable()):
        raise ModelSetupError(f"environment variable {variable} holds characters that no key has; set it anew")
    if url.user or url.password:
        raise ModelSetupError(f"{where} has both a user name in its address and a key in {variable}; remove one")
    return key
