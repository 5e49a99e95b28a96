"""How messages speak of users' code and of what it raised, whatever that code does to being printed.

It only words; what an error means is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable


def text_of(error: BaseException) -> str:
    """Return the text of ``error``; the name of its type when the text is empty or cannot be made."""
    try:
        return str(error) or type(error).__name__
    except Exception:  # noqa: BLE001  # an error whose own __str__ raises still has to be reported
        return type(error).__name__


def typed_text_of(error: BaseException) -> str:
    """Return ``Type: text``, or the type alone when there is no text."""
    kind, text = type(error).__name__, text_of(error)
    return kind if text == kind else f"{kind}: {text}"


def name_of(function: Callable[..., object]) -> str:
    """Return how to call ``function`` in a message."""
    return str(getattr(function, "__qualname__", None) or type(function).__name__)


def disarmed(name: str, error: BaseException) -> RuntimeError:
    """Return an ordinary error for one that would look like the end of Hairpin or of this task."""
    return RuntimeError(f"{name} raised {typed_text_of(error)}")
