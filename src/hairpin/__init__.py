"""Hairpin tests conversational assistants through many-turn conversations.

Everything named in ``__all__`` is public and imported on first use; everything else is private until 1.0.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hairpin.api import (
        ConfirmResult,
        RunResult,
        aconfirm,
        arejudge,
        areplay,
        aresume,
        arun,
        arun_campaign,
        confirm,
        load_run,
        rejudge,
        replay,
        resume,
        run,
        run_campaign,
    )
    from hairpin.api.agreements import agreement
    from hairpin.api.benchmarking import abenchmark_faults, benchmark_faults
    from hairpin.api.comparing import compare
    from hairpin.app.fault_benchmark import BenchmarkReport
    from hairpin.domain.conversation import Exchange
    from hairpin.domain.reproduction import ReproductionReport
    from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
    from hairpin.ports import SutAdapter, SutSession
    from hairpin.reports.agreement import AgreementReport
    from hairpin.reports.comparison import ComparisonReport
    from hairpin.sut.base import TextAdapter

__all__ = [
    "AgreementReport",
    "BenchmarkReport",
    "Capabilities",
    "ComparisonReport",
    "ConfirmResult",
    "Exchange",
    "ReproductionReport",
    "RunResult",
    "SessionStart",
    "SutAdapter",
    "SutIdentity",
    "SutReply",
    "SutSession",
    "TextAdapter",
    "abenchmark_faults",
    "aconfirm",
    "agreement",
    "arejudge",
    "areplay",
    "aresume",
    "arun",
    "arun_campaign",
    "benchmark_faults",
    "compare",
    "confirm",
    "load_run",
    "rejudge",
    "replay",
    "resume",
    "run",
    "run_campaign",
]

_HOMES = {
    "AgreementReport": "hairpin.reports.agreement",
    "BenchmarkReport": "hairpin.app.fault_benchmark",
    "Capabilities": "hairpin.domain.sut",
    "ComparisonReport": "hairpin.reports.comparison",
    "ConfirmResult": "hairpin.api",
    "Exchange": "hairpin.domain.conversation",
    "ReproductionReport": "hairpin.domain.reproduction",
    "RunResult": "hairpin.api",
    "SessionStart": "hairpin.domain.sut",
    "SutAdapter": "hairpin.ports",
    "SutIdentity": "hairpin.domain.sut",
    "SutReply": "hairpin.domain.sut",
    "SutSession": "hairpin.ports",
    "TextAdapter": "hairpin.sut.base",
    "abenchmark_faults": "hairpin.api.benchmarking",
    "aconfirm": "hairpin.api",
    "agreement": "hairpin.api.agreements",
    "arejudge": "hairpin.api",
    "areplay": "hairpin.api",
    "aresume": "hairpin.api",
    "arun": "hairpin.api",
    "arun_campaign": "hairpin.api",
    "benchmark_faults": "hairpin.api.benchmarking",
    "compare": "hairpin.api.comparing",
    "confirm": "hairpin.api",
    "load_run": "hairpin.api",
    "rejudge": "hairpin.api",
    "replay": "hairpin.api",
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
