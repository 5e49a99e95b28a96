"""How good the offline agents are: seeded faults found, and alarms on the clean testbed.

Run: ``python benchmarks/offline_agents.py [--wordings plain,formal] [--seeds 2]``. Every shipped scenario of the
testbed is run through the whole engine; the testbed's hidden log says where a fault struck. ``formal`` is the wording
held out: no agent may be built on it.

Last result: see docs/results/offline_agents.md.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from hairpin.app.inputs import load_inputs
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.domain.sut_spec import FaultSpec
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.wording import HELD_OUT_WORDING, IN_SAMPLE_WORDINGS

SCENARIOS = ("combined", "media", "munich_commute", "navigation", "poi_search", "trip_planning", "vehicle_control")
FAULTS: dict[str, tuple[FaultSpec, ...]] = {
    "none": (),
    "F1": (FaultSpec(id="F1", after=2),),
    **{fault: (FaultSpec(id=fault),) for fault in ("F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10")},
}
"""Those that a label of a turn can show; relations between answers show F11, ``hairpin sut check`` shows F12."""

Label = tuple[str, str, int, str]
"""Run, conversation, exchange and mode."""


@dataclass
class Tally:
    """What was struck and what was labelled."""

    struck: set[Label] = field(default_factory=set)
    labelled: set[Label] = field(default_factory=set)
    n_conversations: int = 0
    n_turns: int = 0
    n_passed: int = 0

    def row(self, wording: str, fault: str) -> str:
        found, other = len(self.struck & self.labelled), len(self.labelled - self.struck)
        recall = f"{found}/{len(self.struck)} = {found / len(self.struck):.3f}" if self.struck else "–"
        alarms = f"{other} = {100 * other / self.n_turns:.2f}"
        return (
            f"| {wording} | {fault} | {self.n_conversations} | {self.n_turns} | {recall} | {alarms} | {self.n_passed} |"
        )


async def measure(wording: str, faults: tuple[FaultSpec, ...], seeds: Iterable[int], out: Path) -> Tally:
    tally = Tally()
    for scenario in SCENARIOS:
        for seed in seeds:
            adapter = TestbedAdapter(faults=faults, wording=wording)
            inputs = load_inputs(scenario, overrides={"rng_seed": str(seed)})
            finished = await run_scenario(RunRequest(inputs=inputs, adapters={"testbed": adapter}, out=out))
            name = finished.directory.name
            tally.struck |= {(name, s.conversation_id, s.t, s.mode) for s in adapter.fault_log if s.mode is not None}
            with open_stored(finished.directory.path) as stored:
                for record in stored.conversations():
                    tally.labelled |= {(name, record.planned.id, f.t, f.mode) for f in record.failures}
                    tally.n_turns += len(record.exchanges)
            counts = finished.report.summary.conversations
            tally.n_conversations += counts.planned
            tally.n_passed += counts.passed
    return tally


async def main(wordings: list[str], n_seeds: int) -> None:
    print(
        "| wording | fault | conversations | turns | recall: right label, right turn | others per 100 turns | passed |"
    )
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as out:
        for wording in wordings:
            for fault, specs in FAULTS.items():
                tally = await measure(wording, specs, range(1, n_seeds + 1), Path(out))
                print(tally.row(wording, fault), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Recall and false alarms of the offline agents.")
    parser.add_argument("--wordings", default=",".join((*IN_SAMPLE_WORDINGS, HELD_OUT_WORDING)))
    parser.add_argument("--seeds", type=int, default=1)
    arguments = parser.parse_args()
    anyio.run(main, arguments.wordings.split(","), arguments.seeds)
