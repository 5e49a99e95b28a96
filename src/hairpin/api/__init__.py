"""The public functions: run a scenario or a campaign, go on with a run, read a stored one, try or judge it again.

Import them from ``hairpin``. Those that only compare stored runs are in modules of their own, as they load SciPy.
"""

from __future__ import annotations

from hairpin.api.campaigns import arun_campaign, run_campaign
from hairpin.api.confirming import ConfirmResult, aconfirm, confirm
from hairpin.api.rejudging import arejudge, rejudge
from hairpin.api.replaying import areplay, replay
from hairpin.api.results import RunResult, load_run
from hairpin.api.resuming import aresume, resume
from hairpin.api.runs import arun, run

__all__ = [
    "ConfirmResult",
    "RunResult",
    "aconfirm",
    "arejudge",
    "areplay",
    "aresume",
    "arun",
    "arun_campaign",
    "confirm",
    "load_run",
    "rejudge",
    "replay",
    "resume",
    "run",
    "run_campaign",
]
