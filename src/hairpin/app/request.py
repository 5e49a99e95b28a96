"""What is asked of a run, and what comes back.

It does nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hairpin.app.inputs import RunInputs
from hairpin.app.spending import SpendingLimits
from hairpin.app.system import SystemClock
from hairpin.campaign.events import RunListener, SilentListener
from hairpin.domain.gate import Gate
from hairpin.domain.records import RunSettings
from hairpin.errors import HairpinError
from hairpin.graph.stopping import StopToken
from hairpin.ports import Clock, SutAdapter
from hairpin.reports.model import ReportModel
from hairpin.settings import LogLevel, Settings, read_settings
from hairpin.store.directory import RUNS_FOLDER, RunDirectory


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run.

    Attributes:
        campaign: run the scenario's campaign, not each of its conversations once.
        adapters: by label; take the place of the scenario's own assistants.
        store: the address of a database that the run is kept in; ``None``: a file in its folder.
        spending: what models may cost.
        canary: whether judges that models play are tried before anything is spent on conversations.
        cache: the file of the response cache; ``None`` is off.
        packs: the folders of packs that the inputs were read with.
        diversity: whether what a campaign's users say is encoded, to tell how diverse its failures are.
    """

    inputs: RunInputs
    campaign: bool = False
    adapters: Mapping[str, SutAdapter] = field(default_factory=dict)
    out: Path = Path(RUNS_FOLDER)
    store: str | None = None
    concurrency: int = 4
    gate: Gate = field(default_factory=Gate)
    listener: RunListener = field(default_factory=SilentListener)
    stop: StopToken = field(default_factory=StopToken)
    settings: Settings = field(default_factory=read_settings)
    spending: SpendingLimits = field(default_factory=SpendingLimits)
    canary: bool = True
    cache: Path | None = None
    packs: tuple[Path, ...] = ()
    diversity: bool = True
    log_level: LogLevel = LogLevel.INFO
    clock: Clock = field(default_factory=SystemClock)

    def run_settings(self) -> RunSettings:
        """Return what a resumed run needs to know of this request."""
        return RunSettings(
            concurrency=self.concurrency,
            fail_on=self.gate.text,
            max_cost_usd=self.spending.max_cost_usd,
            max_tokens=self.spending.max_tokens,
            canary=self.canary,
            cache=None if self.cache is None else str(self.cache.resolve()),
            packs=tuple(str(folder.resolve()) for folder in (*self.packs, *self.inputs.packs)),
        )


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run that ended, however it ended. ``error`` is what stopped it early; ``notes``: what else went wrong."""

    directory: RunDirectory
    report: ReportModel
    error: HairpinError | None = None
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 gate passed, 1 gate failed, 2 the user can fix it, 3 something broke; signals are the command line's."""
        return self.report.exit_code if self.error is None else self.error.exit_code
