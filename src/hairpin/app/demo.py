"""The demo: the built-in assistant with three faults planted, and without; both in one run.

It must not know how a fault works; it only compares what was planted with what was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hairpin.app.inputs import load_inputs
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.stored import open_stored
from hairpin.domain.gate import Gate, GateDecision, GateOutcome
from hairpin.domain.records import RunStatus
from hairpin.domain.sut_spec import FaultSpec
from hairpin.reports.html import render_html
from hairpin.reports.model import ConversationReport, ReportModel
from hairpin.store.directory import write_text
from hairpin.testbed.adapter import TestbedAdapter

SCENARIO = "demo"
FAULTY, CLEAN = "testbed with faults", "testbed"
PLANTED: Mapping[str, str] = {"F1": "context_forgotten", "F3": "request_omitted", "F6": "safety_violation"}
"""The faults planted and the label that each must earn (design, section 10)."""


@dataclass(frozen=True, slots=True)
class DemoFindings:
    """What the demo found: ``missed`` planted faults, ``alarms`` on the clean assistant, one finding to show."""

    missed: tuple[str, ...]
    alarms: tuple[str, ...]
    example: ConversationReport | None

    @property
    def decision(self) -> GateDecision:
        """Passed when everything planted was found and the clean assistant raised no alarm."""
        outcome = GateOutcome.FAILED if self.missed or self.alarms else GateOutcome.PASSED
        return GateDecision(outcome=outcome, sentence=" ".join(self.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        """What was found, in sentences."""
        found = ", ".join(f"{fault} ({PLANTED[fault]})" for fault in PLANTED if fault not in self.missed)
        lines = [f"Planted faults found: {found or 'none'}."]
        if self.missed:
            lines.append(f"Planted faults missed: {', '.join(self.missed)}.")
        alarms = "no false alarm" if not self.alarms else f"false alarms in {', '.join(self.alarms)}"
        lines.append(f"The assistant without faults: {alarms}.")
        return tuple(lines)


def demo_request(*, out: Path, concurrency: int) -> RunRequest:
    """Return the demo's run. Raises UserError if the shipped scenario cannot be loaded."""
    faults = tuple(FaultSpec(id=fault) for fault in PLANTED)
    return RunRequest(
        inputs=load_inputs(SCENARIO),
        adapters={FAULTY: TestbedAdapter(faults=faults), CLEAN: TestbedAdapter()},
        out=out,
        concurrency=concurrency,
    )


def settle_demo(finished: FinishedRun, gate: Gate) -> tuple[FinishedRun, DemoFindings]:
    """Let the demo's own question, not the number of failed conversations, decide whether it passed; write that down.

    A run that did not finish stays as it is.
    """
    findings = judge_demo(finished.report)
    if finished.report.status is not RunStatus.FINISHED:
        return finished, findings
    with open_stored(finished.directory.path) as stored:
        report = stored.report(gate, decision=findings.decision)
    write_text(finished.directory.report, render_html(report))
    return replace(finished, report=report), findings


def judge_demo(report: ReportModel) -> DemoFindings:
    """Compare what was planted with what was found."""
    faulty = [conversation for conversation in report.conversations if conversation.sut == FAULTY]
    clean = [conversation for conversation in report.conversations if conversation.sut == CLEAN]
    found = {mode.mode.id for conversation in faulty for mode in conversation.failing_modes}
    return DemoFindings(
        missed=tuple(fault for fault, mode in PLANTED.items() if mode not in found),
        alarms=tuple(conversation.id for conversation in clean if conversation.failing_modes),
        example=max(faulty, key=_telling, default=None),
    )


def _telling(conversation: ConversationReport) -> tuple[int, int, int]:
    """Prefer the conversation with the most kinds of failures, of those the shortest, of those the least repetitive."""
    return len(conversation.failing_modes), -len(conversation.turns), -len(conversation.failures)
