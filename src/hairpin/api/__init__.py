"""The public functions: run a scenario or a campaign from Python, go on with a run, read a stored one.

Import them from ``hairpin``.
"""

from __future__ import annotations

from hairpin.api.campaigns import arun_campaign, run_campaign
from hairpin.api.results import RunResult, load_run
from hairpin.api.resuming import aresume, resume
from hairpin.api.runs import arun, run

__all__ = ["RunResult", "aresume", "arun", "arun_campaign", "load_run", "resume", "run", "run_campaign"]
