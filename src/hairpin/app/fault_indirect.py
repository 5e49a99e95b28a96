"""Faults that no label of an exchange shows: stale answers by replays, leaks by the check of sessions.

It must not decide what a relation or a check finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import anyio

from hairpin.analysis.fault_benchmark_model import CLEAN, IndirectFinding, Part
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.analysis.proportions import proportion
from hairpin.app.fault_truth import strikes_in
from hairpin.app.fault_units import LEAKING, BenchmarkPlan, Unit, parameters, wordings
from hairpin.app.stored import StoredRun
from hairpin.app.sut_check import CheckRequest, check_sut, load_check
from hairpin.domain.sut_spec import FaultSpec, TestbedSut
from hairpin.settings import Settings
from hairpin.testbed.faults.notation import fault_label
from hairpin.testbed.wording import IN_SAMPLE_WORDINGS

NOTHING_REPLAYED = "no conversation shows a strike"


async def replay_findings(stored: StoredRun, unit: Unit) -> list[IndirectFinding]:
    """Return, for each assistant of ``unit``, in how many conversations that were asked anew a relation is violated.

    Raises:
        InvalidInputError: another version of the testbed made the run.
    """
    families = list(stored.scored_families())
    return [await _replayed(stored, unit, label, fault, families) for label, fault in unit.faults.items()]


async def _replayed(
    stored: StoredRun, unit: Unit, label: str, fault: str, families: Sequence[ScoredFamily]
) -> IndirectFinding:
    own = [each for each in families if each.sut == label and each.checks]
    spec = unit.inputs.scenario.campaign
    sut = spec.suts[label] if spec is not None else None
    if fault != CLEAN and isinstance(sut, TestbedSut):
        seen = [each for each in own if await _shows(each, sut, where=str(stored.directory.path))]
    else:
        seen = own
    return IndirectFinding(
        part=unit.cell.part,
        fault=fault,
        variant=label,
        found=proportion(sum(map(_violated, seen)), len(seen), reason=NOTHING_REPLAYED),
        unseen=len(own) - len(seen),
    )


async def _shows(scored: ScoredFamily, sut: TestbedSut, *, where: str) -> bool:
    """Whether a reply of the conversation, or of one derived from it, shows a strike."""
    for record in (scored.family.source, *scored.family.follow_ups):
        if any(strike.visible for strike in await strikes_in(record, sut, where=where)):
            return True
    return False


def _violated(scored: ScoredFamily) -> bool:
    return any(check.violated for check in scored.checks)


async def check_sessions(plan: BenchmarkPlan, settings: Settings) -> list[IndirectFinding]:
    """Check assistants that leak between sessions, and clean ones, each in every wording of its part."""
    found: list[IndirectFinding] = []
    for part in plan.parts:
        for spec in (None, *parameters(LEAKING, part)):
            failed = await _checked(_suts(spec, part), settings)
            found.append(
                IndirectFinding(
                    part=part,
                    fault=CLEAN if spec is None else LEAKING,
                    variant=f"{CLEAN}, sut check" if spec is None else fault_label(spec),
                    found=proportion(sum(failed), len(failed)),
                )
            )
    return found


def _suts(spec: FaultSpec | None, part: Part) -> list[TestbedSut]:
    faults = () if spec is None else (spec,)
    held_out = wordings(part)
    return [TestbedSut(faults=faults, wording=w) for w in ((held_out,) if held_out else IN_SAMPLE_WORDINGS)]


async def _checked(suts: Sequence[TestbedSut], settings: Settings) -> list[bool]:
    """Return for each assistant whether it failed; the checks wait more than they work, so they run side by side."""
    failed = [False] * len(suts)
    usual = load_check("testbed")

    async def check(number: int) -> None:
        request = CheckRequest(sut=suts[number], utterances=usual.utterances, settings=usual.settings)
        failed[number] = not (await check_sut(request, settings)).passed

    async with anyio.create_task_group() as group:
        for number in range(len(suts)):
            group.start_soon(partial(check, number))
    return failed
