"""What the benchmark of seeded faults consists of: runs, each with the assistants, strategies and judges it is made of.

It runs nothing. The held-out wording and parameters are named here and handed to the testbed; no agent sees them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from hairpin.agents.planted import PlantedJudge, plant
from hairpin.analysis.fault_benchmark_model import CLEAN, Configuration, Part
from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.inputs import RunInputs
from hairpin.domain.campaign import SeedPool
from hairpin.domain.sut_spec import FaultSpec, TestbedSut
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.testbed.faults.notation import fault_label
from hairpin.testbed.faults.registry import HELD_OUT_PARAMETERS
from hairpin.testbed.faults.seeded import FAULTS
from hairpin.testbed.wording import HELD_OUT_WORDING

SCENARIO: Final = "campaigns/fault_benchmark"
REPLAYS: Final = "campaigns/stale_answers"
"""The scenario whose conversations are asked anew, to find F11."""

STALE, LEAKING = "F11", "F12"
"""Faults that no label of an exchange shows."""

LABELLED: Final = tuple(sorted((fault.id for fault in FAULTS if fault.earns), key=lambda name: int(name[1:])))
EARNS: Final[Mapping[str, str]] = {fault.id: fault.earns for fault in FAULTS if fault.earns}
ALL_FAULTS: Final = (*LABELLED, STALE, LEAKING)
POOLS: Final = ("in_car/paper", "in_car/extended")

BOTH: Final = "both"
"""In place of a part: the one after the other."""

USUAL_POOL: Final = "in_car/3"
"""First phrases that give most faults occasion enough."""

OWN_POOLS: Final[Mapping[str, str]] = {name: f"seeded_faults/{name}" for name in ("F1", "F2", "F3", "F5", "F9", "F10")}
"""First phrases for faults that seldom strike without them; the assistant without faults meets those of all faults."""

CLEAN_TIMES: Final = 4
"""The clean assistant has so many times the conversations of a faulty one: false alarms are rare."""

REPLAYED_SHARE: Final = 4
"""Of so many conversations one is asked anew, several times over."""

IN_SAMPLE_PARAMETERS: Final = (FaultSpec(id="F1", after=2), *(FaultSpec(id=name) for name in ALL_FAULTS[1:]))
"""One set for each fault; F1 needs something to forget."""

MAX_JUDGE_NAME: Final = 60
"""Characters of a judge's name: it is in the names of folders and in every table."""

_OWN: Final = ("strategies", "sut", "campaign", "rubric")
"""Keys of the scenario that are the benchmark's own to set."""


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """Who judges, under a name: what ``--set`` changes of the scenario, or a judge that is wrong in a known way."""

    name: str = "offline"
    overrides: Mapping[str, str] = field(default_factory=dict)
    planted: PlantedJudge | None = None


@dataclass(frozen=True, slots=True)
class BenchmarkPlan:
    """What a user chose.

    Attributes:
        faults: by id.
        pools: of strategies.
        n_conversations: with each faulty assistant in each configuration.
        packs: folders searched before all others.
    """

    faults: tuple[str, ...] = ALL_FAULTS
    pools: tuple[str, ...] = POOLS
    parts: tuple[Part, ...] = tuple(Part)
    n_conversations: int = 40
    judges: tuple[JudgeChoice, ...] = (JudgeChoice(),)
    packs: tuple[Path, ...] = ()

    def check(self) -> None:
        """Check what can be checked without reading anything.

        Raises:
            UserError: a fault that there is not, a key that is the benchmark's own, or a name given twice.
        """
        for fault in self.faults:
            if fault not in ALL_FAULTS:
                raise UnknownReferenceError("fault", fault, where="--faults", known=ALL_FAULTS)
        for judge in self.judges:
            taken = next((key for key in judge.overrides if key.partition(".")[0] in _OWN), None)
            if taken is not None:
                hint = "--faults, --pools and --conversations say what is run"
                raise InvalidInputError("the benchmark sets that itself", where=f"--set {taken}", hint=hint)
            if not judge.name.strip() or len(judge.name) > MAX_JUDGE_NAME or not judge.name.isprintable():
                hint = f"give it a name of one line and at most {MAX_JUDGE_NAME} characters"
                raise InvalidInputError(f"{judge.name[:80]!r} names no judge", where="--judge", hint=hint)
        names = [judge.name for judge in self.judges]
        for what, given in (("--faults", self.faults), ("--pools", self.pools), ("judges", names)):
            if not given or len(set(given)) < len(given):
                raise InvalidInputError(f"{', '.join(given) or 'nothing'}: give each once", where=what, hint="one each")


def plan_of(
    *,
    faults: Sequence[str] = (),
    pools: Sequence[str] = (),
    part: str = BOTH,
    n_conversations: int = 40,
    judge: str | None = None,
    overrides: Mapping[str, str] | None = None,
    packs: Sequence[Path] = (),
) -> BenchmarkPlan:
    """Return the plan for one judge, from words; what is left out is everything there is.

    Args:
        part: a part, or ``"both"``.
        judge: its name in tables; by default ``"offline"``, or ``"set"`` where ``overrides`` name models.
        overrides: what it judges by, as ``--set`` takes it.

    Raises:
        UnknownReferenceError: there is no such part.
    """
    known = {BOTH: tuple(Part), **{each.value: (each,) for each in Part}}
    if part not in known:
        raise UnknownReferenceError("part", part, where="--part", known=known)
    judged_by = overrides or {}
    name = judge or ("set" if any(key.startswith("models") for key in judged_by) else "offline")
    return BenchmarkPlan(
        faults=tuple(faults) or ALL_FAULTS,
        pools=tuple(pools) or POOLS,
        parts=known[part],
        n_conversations=n_conversations,
        judges=(JudgeChoice(name, judged_by),),
        packs=tuple(packs),
    )


@dataclass(frozen=True, slots=True)
class Unit:
    """One run of the benchmark. ``faults``: by the label of the assistant; ``replays``: its conversations are repeated.

    ``name``: of the folder that its run's own folder is in.
    """

    name: str
    cell: Configuration
    faults: Mapping[str, str]
    inputs: RunInputs
    replays: bool = False


def load_units(plan: BenchmarkPlan) -> tuple[Unit, ...]:
    """Read everything that the runs need, and return them.

    Raises:
        UserError: something must be mended before anything runs.
    """
    plan.check()
    units = tuple(_units(plan))
    _check_folders(units)
    return units


def _check_folders(units: Sequence[Unit]) -> None:
    """Raise where two units would be one folder: the second would be taken for done by the first's run."""
    owners: dict[str, Unit] = {}
    for unit in units:
        other = owners.setdefault(unit.name.casefold(), unit)
        if other is not unit:
            cells = (other.cell, unit.cell)
            pairs = [f"pool {cell.pool!r} with judge {cell.judge!r}" for cell in cells]
            hint = "let the names of pools and judges differ in more than punctuation and case"
            raise InvalidInputError(f"{' and '.join(pairs)} share a folder", where=unit.name, hint=hint)


def parameters(fault: str, part: Part) -> tuple[FaultSpec, ...]:
    """Return the parameters that ``fault`` is switched on with in ``part``."""
    known = IN_SAMPLE_PARAMETERS if part is Part.IN_SAMPLE else HELD_OUT_PARAMETERS
    return tuple(spec for spec in known if spec.id == fault)


def wordings(part: Part) -> str | None:
    """Return the wording of the assistant in ``part``; ``None``: drawn anew for each conversation, of those known."""
    return HELD_OUT_WORDING if part is Part.HELD_OUT else None


def _units(plan: BenchmarkPlan) -> Iterator[Unit]:
    labelled = [fault for fault in plan.faults if fault in LABELLED]
    for judge in plan.judges:
        for part in plan.parts:
            for pool in plan.pools:
                cell = Configuration(part=part, pool=pool, judge=judge.name)
                yield _unit(plan, judge, cell, _pools(labelled), CLEAN)
                for pool_id, faults in _by_pool(labelled).items():
                    yield _unit(plan, judge, cell, (pool_id,), *faults)
    for part in plan.parts if STALE in plan.faults else ():
        yield _replays(plan, part)


def _by_pool(faults: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for fault in faults:
        found.setdefault(OWN_POOLS.get(fault, USUAL_POOL), []).append(fault)
    return found


def _pools(faults: Sequence[str]) -> tuple[str, ...]:
    """Return the first phrases of ``faults``, those of the pool that most share first; of none, the usual ones."""
    return tuple(sorted(_by_pool(faults), key=lambda name: name != USUAL_POOL)) or (USUAL_POOL,)


def _unit(plan: BenchmarkPlan, judge: JudgeChoice, cell: Configuration, pools: Sequence[str], *faults: str) -> Unit:
    suts = _assistants(faults, cell.part)
    n = plan.n_conversations * (CLEAN_TIMES if CLEAN in faults else len(faults))
    inputs = load_campaign(
        SCENARIO,
        CampaignChoices(conversations=max(n, len(suts))),
        packs=plan.packs,
        overrides={**judge.overrides, "strategies": cell.pool, "campaign.pools": json.dumps(list(pools))},
        suts={label: sut for label, (_, sut) in suts.items()},
    )
    inputs = _with_one_pool(inputs)
    if judge.planted is not None:
        cast = replace(inputs.cast, offline=plant(judge.planted, inputs.cast.offline))
        inputs = replace(inputs, cast=cast)
    name = "-".join((cell.part.value, cell.pool, cell.judge, *faults))
    return Unit(_slug(name), cell, {label: fault for label, (fault, _) in suts.items()}, inputs)


def _with_one_pool(inputs: RunInputs) -> RunInputs:
    """Return ``inputs`` with the phrases of all pools in one, since a run draws from one, each phrase once."""
    spec = inputs.scenario.campaign
    if spec is None or len(spec.pools) == 1:
        return inputs
    phrases = {phrase.text: phrase for pool in spec.pools for phrase in pool.phrases}
    pool = SeedPool(name="+".join(pool.name for pool in spec.pools), phrases=tuple(phrases.values()))
    campaign = spec.model_copy(update={"pools": (pool,)})
    return replace(inputs, scenario=inputs.scenario.model_copy(update={"campaign": campaign}))


def _replays(plan: BenchmarkPlan, part: Part) -> Unit:
    suts = _assistants((CLEAN, STALE), part)
    n = max(1, plan.n_conversations // REPLAYED_SHARE)
    inputs = load_campaign(
        REPLAYS,
        CampaignChoices(conversations=n * len(suts)),
        packs=plan.packs,
        suts={label: sut for label, (_, sut) in suts.items()},
    )
    cell = Configuration(part=part, pool="", judge="")
    faults = {label: fault for label, (fault, _) in suts.items()}
    return Unit(_slug(f"{part.value}-replays"), cell, faults, inputs, replays=True)


def _assistants(faults: Sequence[str], part: Part) -> dict[str, tuple[str, TestbedSut]]:
    """Return fault and assistant by label, one for each set of parameters."""
    found: dict[str, tuple[str, TestbedSut]] = {}
    wording = wordings(part)
    for fault in faults:
        if fault == CLEAN:
            found[CLEAN] = (CLEAN, TestbedSut(wording=wording))
        for spec in parameters(fault, part):
            found[fault_label(spec)] = (fault, TestbedSut(faults=(spec,), wording=wording))
    return found


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name)
