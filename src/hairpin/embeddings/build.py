"""From a description to an encoder: finds the model, says which vectors it makes, and puts the cache before it.

Must not load the model: that happens with the first text whose vector is not cached.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.cached import CachedEncoder
from hairpin.embeddings.devices import choose_device, choose_dtype
from hairpin.embeddings.digests import folder_digest
from hairpin.embeddings.hub import fetch
from hairpin.embeddings.loading import LoadPlan, load_model
from hairpin.embeddings.remote import remote_encoder
from hairpin.embeddings.remote_code import refuse_code
from hairpin.embeddings.sentences import CHARACTERS_PER_CALL, SentenceEncoder
from hairpin.embeddings.sources import ModelSource, find_source
from hairpin.errors import EncoderError
from hairpin.ports import Encoder, EncoderIdentity

VECTORS: Final = "vectors.sqlite"
"""The file of the cache folder that holds vectors."""

_DIGESTS: Final = "model_digests.json"


def load_encoder(
    spec: EncoderSpec,
    *,
    cache: Path | None,
    warn: Callable[[str], None] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Encoder:
    """Return the encoder that ``spec`` describes. Blocks: reads a model's files, and fetches one that is not here.

    A server is not contacted before the first text whose vector is not cached.

    Args:
        spec: which model, and how it is run.
        cache: the folder for vectors, which is made if need be; ``None`` keeps none.
        warn: hears, once, of trouble with the cache; by default the logger ``hairpin.embeddings``.
        environ: where the key of a server is looked up; by default the process's environment.

    Raises:
        EncoderError: no such model, it cannot be fetched, it brings code that may not run, or a key is missing.
    """
    if spec.base_url is not None:
        encoder: Encoder = remote_encoder(spec, os.environ if environ is None else environ)
    else:
        encoder = _local(spec, cache)
    return encoder if cache is None else CachedEncoder(encoder, cache / VECTORS, warn=warn)


def _local(spec: EncoderSpec, cache: Path | None) -> SentenceEncoder:
    source = find_source(spec)
    if source.folder is None:
        source = fetch(source, spec.revision)
    folder = source.folder
    assert folder is not None, "what was fetched has a folder"
    if not spec.trust_remote_code:
        refuse_code(source.name, folder)
    device = choose_device(spec.device)
    dtype = choose_dtype(spec, device)
    identity = EncoderIdentity(source.name, _revision(source, folder, spec, cache), dtype)
    plan = LoadPlan(name=source.name, folder=folder, device=device, dtype=dtype, spec=spec)
    call_cost = CHARACTERS_PER_CALL if device == "cpu" else math.inf
    return SentenceEncoder(identity, lambda: load_model(plan), call_cost=call_cost)


def _revision(source: ModelSource, folder: Path, spec: EncoderSpec, cache: Path | None) -> str:
    """Return the commit, or the digest of the files; a length of one's own makes other vectors."""
    try:
        content = source.commit or folder_digest(folder, memory=None if cache is None else cache / _DIGESTS)
    except OSError as error:
        raise EncoderError(f"{source.name}: its files cannot be read: {error}; check {folder}") from error
    return content if spec.max_seq_length is None else f"{content}, {spec.max_seq_length} tokens"
