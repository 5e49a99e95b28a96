"""The libraries of the extra ``embeddings``: whether they are there, and the error when they are not.

Must not import them before they are asked for.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Final

from hairpin.errors import EncoderError

_WAITING: Final = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


def is_installed(module: str) -> bool:
    """Whether ``module`` can be found; it is not imported."""
    if module in sys.modules:
        return sys.modules[module] is not None
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def import_extra(module: str, *, needed_for: str) -> ModuleType:
    """Import a library of the extra. Raises EncoderError that says how to install it."""
    try:
        with _patient_threads():
            return importlib.import_module(module)
    except ImportError as error:
        raise missing(module, needed_for=needed_for, reason=str(error)) from error


@contextmanager
def _patient_threads() -> Iterator[None]:
    """Let torch's threads sleep while they wait for each other, if it is imported now and the user says nothing else.

    By default they spin, which on cores shared with anything else made encoding eight times slower. OpenMP reads the
    variable when it is loaded; afterwards it is taken away, because child processes are not Hairpin's to tune.
    """
    if "torch" in sys.modules or any(name in os.environ for name in _WAITING):
        yield
        return
    os.environ[_WAITING[0]] = "PASSIVE"
    try:
        yield
    finally:
        os.environ.pop(_WAITING[0], None)


def missing(module: str, *, needed_for: str, reason: str = "it is not installed") -> EncoderError:
    """Return the error that names the library and the way to get it."""
    return EncoderError(
        f"{needed_for}: needs {module}, which cannot be imported ({reason}); run: pip install 'hairpin[embeddings]'"
    )
