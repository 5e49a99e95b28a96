"""What an encoder would be, told without loading or fetching anything.

Must not import torch or the model's code; made for ``hairpin doctor``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from hairpin.domain.base import Value
from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.build import VECTORS
from hairpin.embeddings.devices import choose_dtype, known_device
from hairpin.embeddings.extras import is_installed
from hairpin.embeddings.remote import remote_encoder
from hairpin.embeddings.remote_code import refuse_code
from hairpin.embeddings.sources import ModelSource, SourceKind, find_source
from hairpin.errors import EncoderError

_LIBRARIES = ("sentence_transformers", "torch")


class EncoderPreview(Value):
    """What would be used, in one line, or why nothing can be. ``fetches``: it is not on this machine yet."""

    text: str
    usable: bool = True
    fetches: bool = False


def preview_encoder(
    spec: EncoderSpec, *, cache: Path | None, environ: Mapping[str, str] | None = None
) -> EncoderPreview:
    """Say which model ``spec`` leads to, where it lies, on which device it would run and where vectors are kept.

    Of a server, which is not contacted, its address; ``environ``: where its key is looked up, by default the process's.
    """
    if spec.base_url is not None:
        return _of_server(spec, cache, os.environ if environ is None else environ)
    missing = [library for library in _LIBRARIES if not is_installed(library)]
    if missing:
        text = f"none, {' and '.join(missing)} not installed; figures that compare texts need: "
        return EncoderPreview(text=f"{text}pip install 'hairpin[embeddings]'", usable=False)
    try:
        source = find_source(spec)
        if source.folder is not None and not spec.trust_remote_code:
            refuse_code(source.name, source.folder)
    except EncoderError as error:
        return EncoderPreview(text=str(error), usable=False)
    text = f"{source.name}, {_place(source)}; {_device(spec)}; {_cache(cache)}"
    return EncoderPreview(text=text, fetches=source.folder is None)


def _of_server(spec: EncoderSpec, cache: Path | None, environ: Mapping[str, str]) -> EncoderPreview:
    try:
        identity = remote_encoder(spec, environ).identity
    except EncoderError as error:
        return EncoderPreview(text=str(error), usable=False)
    text = f"{identity.model}, of the server {identity.revision}, which gets the texts; {_cache(cache)}"
    return EncoderPreview(text=text)


def _place(source: ModelSource) -> str:
    if source.folder is None:
        return "not on this machine, would be fetched from huggingface.co"
    if source.kind is SourceKind.PACKAGE:
        return "an installed package, nothing is fetched"
    if source.kind is SourceKind.FOLDER:
        return "a folder, nothing is fetched"
    return f"in the cache of huggingface.co at commit {(source.commit or '')[:12]}, nothing is fetched"


def _device(spec: EncoderSpec) -> str:
    device = known_device(spec.device)
    if device is None:
        return "device: CUDA or MPS if there is one when it is loaded, else cpu"
    return f"device: {device}, {choose_dtype(spec, device)}"


def _cache(cache: Path | None) -> str:
    if cache is None:
        return "vectors are not kept"
    path = cache / VECTORS
    return f"vectors are kept in {path}" + ("" if path.exists() else ", which is made with the first one")
