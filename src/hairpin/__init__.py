"""Hairpin tests conversational assistants through many-turn conversations.

Everything named in ``__all__`` is public and imported on first use; everything else is private until 1.0.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hairpin.api import RunResult, aresume, arun, arun_campaign, load_run, resume, run, run_campaign
    from hairpin.domain.conversation import Exchange
    from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
    from hairpin.ports import SutAdapter, SutSession
    from hairpin.sut.base import TextAdapter

__all__ = [
    "Capabilities",
    "Exchange",
    "RunResult",
    "SessionStart",
    "SutAdapter",
    "SutIdentity",
    "SutReply",
    "SutSession",
    "TextAdapter",
    "aresume",
    "arun",
    "arun_campaign",
    "load_run",
    "resume",
    "run",
    "run_campaign",
]

_HOMES = {
    "Capabilities": "hairpin.domain.sut",
    "Exchange": "hairpin.domain.conversation",
    "RunResult": "hairpin.api",
    "SessionStart": "hairpin.domain.sut",
    "SutAdapter": "hairpin.ports",
    "SutIdentity": "hairpin.domain.sut",
    "SutReply": "hairpin.domain.sut",
    "SutSession": "hairpin.ports",
    "TextAdapter": "hairpin.sut.base",
    "aresume": "hairpin.api",
    "arun": "hairpin.api",
    "arun_campaign": "hairpin.api",
    "load_run": "hairpin.api",
    "resume": "hairpin.api",
    "run": "hairpin.api",
    "run_campaign": "hairpin.api",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'hairpin' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted((*globals(), *__all__))
