"""Where a model runs and in which number format.

Imports torch only when the answer depends on the hardware.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.extras import import_extra, is_installed
from hairpin.errors import EncoderError

if TYPE_CHECKING:
    from types import ModuleType

_NO_ACCELERATOR = re.compile(r"^(cuda|hip)\b[^=\n]*=\s*None\s*$", re.MULTILINE)


def known_device(device: str) -> str | None:
    """Return where ``device`` leads if that can be told without importing torch, else ``None``."""
    if device != "auto":
        return device
    if not _may_have_accelerator():
        return "cpu"
    torch = sys.modules.get("torch")
    return None if torch is None else _best(torch)


def choose_device(device: str) -> str:
    """Return the device to run on: ``auto`` is cuda, else mps, else cpu."""
    known = known_device(device)
    return known if known is not None else _best(import_extra("torch", needed_for="device auto"))


def check_device(device: str) -> None:
    """Raise EncoderError if torch does not have ``device`` here."""
    torch = import_extra("torch", needed_for=f"device {device}")
    kind, _, number = device.partition(":")
    if kind == "cuda" and not torch.cuda.is_available():
        problem = f"torch {torch.__version__} sees no CUDA device here"
    elif kind == "cuda" and number and int(number) >= torch.cuda.device_count():
        problem = f"there are {torch.cuda.device_count()} CUDA devices, counted from 0"
    elif kind == "mps" and not torch.backends.mps.is_available():
        problem = f"torch {torch.__version__} has no MPS here"
    else:
        return
    raise EncoderError(f"device {device!r}: {problem}; set device: auto or cpu")


def choose_dtype(spec: EncoderSpec, device: str) -> str:
    """Return the number format: what ``spec`` says, else float16 on CUDA and float32 elsewhere."""
    return spec.dtype or ("float16" if device.startswith("cuda") else "float32")


def _best(torch: ModuleType) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _may_have_accelerator() -> bool:
    """Read it off torch's build: importing torch takes seconds, and most builds for the CPU say so in a file."""
    if not is_installed("torch"):
        return False
    spec = importlib.util.find_spec("torch")
    if sys.platform == "darwin" or spec is None or spec.origin is None:
        return True
    try:
        version = Path(spec.origin).with_name("version.py").read_text(encoding="utf-8")
    except OSError:
        return True
    return {match.group(1) for match in _NO_ACCELERATOR.finditer(version)} != {"cuda", "hip"}
