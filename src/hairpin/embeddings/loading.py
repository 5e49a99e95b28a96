"""Loading a model into sentence-transformers, quietly, and from its folder alone.

The only module that imports it, and only when a model is loaded. Must not cache, order or check texts.
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.devices import check_device
from hairpin.embeddings.extras import import_extra
from hairpin.embeddings.remote_code import code_of, refuse_code
from hairpin.errors import EncoderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RawEncode: TypeAlias = "Callable[[Sequence[str]], NDArray[np.floating[Any]]]"
"""Texts to rows of any length and format, in order."""

_MISSING_WEIGHTS: Final = re.compile(r"^(\S+) *\| *(?:MISSING|MISMATCH)\b|newly initialized: \[(.*?)\]", re.MULTILINE)

_one_at_a_time = threading.Lock()
"""What the loader's bars and reports are switched by belongs to the whole process."""


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """What is to be loaded: everything is decided."""

    name: str
    folder: Path
    device: str
    dtype: str
    spec: EncoderSpec


def load_model(plan: LoadPlan) -> RawEncode:
    """Load the model and return what encodes with it. Takes seconds.

    Raises:
        EncoderError: it brings code of its own that is not allowed, a library or the device is missing, or the files
            are no model that sentence-transformers can load.
    """
    if not plan.spec.trust_remote_code:
        refuse_code(plan.name, plan.folder)
    _check_length(plan)
    # A process forked after the tokenizer's threads have run would warn on its standard error; set before it loads.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    library = import_extra("sentence_transformers", needed_for=plan.name)
    check_device(plan.device)
    said: list[str] = []
    try:
        with _one_at_a_time, _heard(said):
            model = _model(library, plan)
    except Exception as error:  # whatever four libraries raise over bad files
        raise EncoderError(
            f"{plan.name}: cannot be loaded from {plan.folder} onto {plan.device}: {_first_line(error)}; check the "
            "files, or take another model or device"
        ) from error

    untrained = _untrained(said)
    if untrained:
        raise EncoderError(
            f"{plan.name}: {len(untrained)} weights are missing in {plan.folder}, {untrained[0]} first; they would be "
            "made up at random; fetch the model again"
        )

    def encode(texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        rows: NDArray[np.floating[Any]] = model.encode(
            list(texts), batch_size=plan.spec.batch_size, show_progress_bar=False, convert_to_numpy=True
        )
        return rows

    return encode


def _model(library: Any, plan: LoadPlan) -> Any:
    torch: Any = import_extra("torch", needed_for=plan.name)
    trusted = plan.spec.trust_remote_code
    elsewhere = trusted and any("--" in name for name in code_of(plan.folder))
    model = library.SentenceTransformer(
        str(plan.folder),
        device=plan.device,
        trust_remote_code=trusted,
        local_files_only=not elsewhere,
        model_kwargs={"torch_dtype": getattr(torch, plan.dtype)},
    )
    # Modules after the transformer are made in float32 whatever was asked for.
    model = model.half() if plan.dtype == "float16" else model.float()
    if plan.spec.max_seq_length is not None:
        model.max_seq_length = plan.spec.max_seq_length
    return model.eval()


def _check_length(plan: LoadPlan) -> None:
    """A text longer than the model has positions would fail only once such a text comes."""
    wanted = plan.spec.max_seq_length
    try:
        has = json.loads((plan.folder / "config.json").read_text(encoding="utf-8")).get("max_position_embeddings")
    except (OSError, ValueError, AttributeError):
        return
    if wanted is not None and isinstance(has, int) and wanted > has:
        raise EncoderError(f"{plan.name}: max_seq_length {wanted} is more than the model's {has} positions")


@contextmanager
def _heard(said: list[str]) -> Iterator[None]:
    """Keep bars and reports of the loader off standard error, collect the reports, and leave all as it was."""
    log: Any = import_extra("transformers.utils.logging", needed_for="loading a model")
    verbosity, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    logger = logging.getLogger("transformers")
    handlers, logger.handlers = logger.handlers, [_Listener(said)]
    log.set_verbosity_warning()
    log.disable_progress_bar()
    try:
        yield
    finally:
        logger.handlers = handlers
        log.set_verbosity(verbosity)
        if bars:
            log.enable_progress_bar()


class _Listener(logging.Handler):
    def __init__(self, said: list[str]) -> None:
        super().__init__()
        self._said = said

    def emit(self, record: logging.LogRecord) -> None:
        self._said.append(record.getMessage())


def _untrained(said: Sequence[str]) -> list[str]:
    """Return the weights that the loader reports as missing, which it fills at random.

    Transformers 5 makes a table of them, 4 a list. A pooler's weights are missing in most models, and not used here.
    """
    names = [
        name
        for text in said
        for table, listed in _MISSING_WEIGHTS.findall(text)
        for name in ([table] if table else re.findall(r"[\w.]+", listed))
    ]
    return [name for name in names if "pooler" not in name]


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:300]}" if lines else type(error).__name__
