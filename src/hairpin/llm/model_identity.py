"""Who a model is and where it is reached, as far as anybody may know: no credentials.

Nothing is contacted and nothing is started to find it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from yarl import URL

from hairpin.domain.base import Value
from hairpin.domain.model_spec import AzureModel, CompatibleModel, LocalModel, ModelSpec, OpenAiModel
from hairpin.errors import ModelSetupError
from hairpin.sut.redaction import http_url, keys_of, public_part

OPENAI_ADDRESS: Final = "https://api.openai.com/v1"
"""Said explicitly, so that no variable of the environment sends requests elsewhere."""


class ModelIdentity(Value):
    """What may be said of a model.

    Attributes:
        provider: ``openai``, ``azure``, ``openai-compatible`` or ``local``.
        model: its name in requests; of Azure what the deployment deploys, else the deployment.
        endpoint: scheme, host, port and path; ``local:`` and the file's name for a model file.
        endpoint_key: equal for models that share limits: the same endpoint, reached with the same key.
        hosts: what is contacted, with the port where the address names one; empty for a model file.
        key_variable: the environment variable that holds the key, ``None`` when there is no key.
        key_present: whether it holds one; true when none is needed.
        variant: what else an answer depends on: the harmless part of the address's query, the version of the API, the
            model file itself.
    """

    provider: str
    model: str
    endpoint: str
    endpoint_key: str
    hosts: tuple[str, ...] = ()
    key_variable: str | None = None
    key_present: bool = True
    variant: str = ""

    @property
    def name(self) -> str:
        """Provider and model, as reports call it."""
        return f"{self.provider} {self.model}"


def identify(spec: ModelSpec, *, environ: Mapping[str, str], default_gguf: Path | None) -> ModelIdentity:
    """Return who ``spec`` names.

    Raises:
        InvalidInputError: its address is no HTTP address.
        ModelSetupError: no model file is named.
    """
    if isinstance(spec, LocalModel):
        return _local(spec, default_gguf)
    url = address_of(spec)
    variable = spec.api_key_env
    endpoint = public_part(url).rstrip("/")
    if isinstance(spec, AzureModel):
        endpoint = f"{endpoint}/openai/deployments/{spec.deployment}"
    return ModelIdentity(
        provider=spec.provider,
        model=(spec.model or spec.deployment) if isinstance(spec, AzureModel) else spec.model,
        endpoint=endpoint,
        endpoint_key=f"{endpoint} {variable or ''}".rstrip(),
        hosts=(_host_of(url),),
        key_variable=variable,
        key_present=variable is None or bool(environ.get(variable, "").strip()),
        variant=_variant(url, spec),
    )


def address_of(spec: OpenAiModel | AzureModel | CompatibleModel) -> URL:
    """Return the address that ``spec`` names, credentials and all. Raises InvalidInputError."""
    match spec:
        case OpenAiModel():
            return URL(OPENAI_ADDRESS)
        case AzureModel():
            return http_url(spec.endpoint, where="endpoint")
        case CompatibleModel():
            return http_url(spec.base_url, where="base_url")


def gguf_of(spec: LocalModel, default_gguf: Path | None) -> Path:
    """Return the model file. Raises ModelSetupError when none is named."""
    gguf = Path(spec.gguf).expanduser() if spec.gguf else default_gguf
    if gguf is None:
        raise ModelSetupError(
            "models: provider local needs a model file: set gguf, or the environment variable HAIRPIN_GGUF"
        )
    return gguf


def _local(spec: LocalModel, default_gguf: Path | None) -> ModelIdentity:
    gguf = gguf_of(spec, default_gguf)
    return ModelIdentity(
        provider=spec.provider,
        model=gguf.name,
        endpoint=f"local:{gguf.name}",
        endpoint_key=f"local:{gguf.absolute()}:{spec.context_tokens}",
        variant=f"{_file_mark(gguf)} {spec.context_tokens}",
    )


def _variant(url: URL, spec: OpenAiModel | AzureModel | CompatibleModel) -> str:
    secret = set(keys_of(url))
    query = "&".join(f"{name}={value}" for name, value in url.query.items() if value not in secret)
    return f"{query} {spec.api_version}" if isinstance(spec, AzureModel) else query


def _file_mark(gguf: Path) -> str:
    """Return what tells model files of one name apart without reading them: size and time of the last change."""
    try:
        found = gguf.stat()
    except OSError:
        return ""
    return f"{found.st_size} {found.st_mtime_ns}"


def _host_of(url: URL) -> str:
    return f"{url.host}:{url.explicit_port}" if url.explicit_port else str(url.host)
