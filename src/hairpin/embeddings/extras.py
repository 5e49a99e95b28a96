"""The libraries of the extra ``embeddings``: whether they are there, and the error when they are not.

Must not import them before they are asked for.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType

from hairpin.errors import EncoderError


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
        return importlib.import_module(module)
    except ImportError as error:
        raise missing(module, needed_for=needed_for, reason=str(error)) from error


def missing(module: str, *, needed_for: str, reason: str = "it is not installed") -> EncoderError:
    """Return the error that names the library and the way to get it."""
    return EncoderError(
        f"{needed_for}: needs {module}, which cannot be imported ({reason}); run: pip install 'hairpin[embeddings]'"
    )
