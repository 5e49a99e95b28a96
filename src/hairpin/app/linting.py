"""Lint, whole: the rules for scenarios and packs, and a few conversations with assistants that do nothing.

It must not print. Models are never asked: offline agents play every role.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from hairpin.app.inputs import inputs_of
from hairpin.app.loop import run_in_loop
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.run import run_scenario
from hairpin.domain.base import Value
from hairpin.domain.lint import Finding
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import PythonSut
from hairpin.errors import UserError
from hairpin.packs.finder import BUILT_IN, PackFinder
from hairpin.packs.kinds import PackKind
from hairpin.packs.lint_packs import LINTED, lint_pack, unchecked_aims
from hairpin.packs.lint_scenarios import lint_scenario, read_document
from hairpin.packs.scenarios import find_scenario, load_scenario
from hairpin.sut.callables import adapter_of

MOST_PHRASES: Final = 3
_TURNS: Final = 4

IDLE: Final[Mapping[str, Callable[[str], str]]] = {
    'says "OK."': lambda _utterance: "OK.",
    "refuses": lambda _utterance: "I'm sorry, I can't help with that.",
    "says nothing": lambda _utterance: "",
}
"""Assistants that do nothing."""


class LintResult(Value):
    """What lint found. ``looked_at``: the files and packs; ``notes``: what was not tried or checked, and why.

    ``invalid``: what is wrong with those that are not valid, and so were not looked at.
    """

    looked_at: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()


def lint_scenario_file(
    reference: str | Path,
    *,
    packs: Sequence[Path] = (),
    overrides: Mapping[str, str] | None = None,
    idle: bool = True,
) -> LintResult:
    """Return what is valid and pointless in a scenario; ``idle``: assistants that do nothing are tried too.

    Raises:
        UserError: the scenario, or something that it names, is not valid.
    """
    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    file = find_scenario(reference, finder)
    document = read_document(reference, finder, overrides)
    scenario = load_scenario(reference, finder=finder, overrides=overrides)
    findings = [] if document is None else list(lint_scenario(document, scenario))
    notes: list[str] = []
    if idle:
        findings += _try_idle(scenario, finder, file.path.parent, where=f"{file.where}:1", notes=notes)
    return LintResult(looked_at=(file.where,), findings=tuple(sorted(findings, key=_line_number)), notes=tuple(notes))


def lint_packs(finder: PackFinder, *, built_in: bool = False) -> LintResult:
    """Return what is valid and pointless in the packs that are found; ``built_in``: also in those that ship.

    One that is not valid hides nothing of the others.
    """
    return joined(
        or_invalid(partial(_lint_pack, kind, name, finder))
        for kind in LINTED
        for name, label in sorted(_labels(finder, kind).items())
        if built_in or label != BUILT_IN
    )


def names_pack_only(reference: str, finder: PackFinder) -> bool:
    """Whether ``reference`` is the name of packs that rules are about, and of no scenario."""
    is_scenario = Path(reference).is_file() or finder.find(PackKind.SCENARIO, reference) is not None
    return not is_scenario and bool(_kinds_called(reference, finder))


def lint_named_pack(name: str, finder: PackFinder) -> LintResult:
    """Return what is valid and pointless in every pack called ``name``; of those that are not valid, what is wrong."""
    return joined(or_invalid(partial(_lint_pack, kind, name, finder)) for kind in _kinds_called(name, finder))


def or_invalid(lint: Callable[[], LintResult]) -> LintResult:
    """Return what ``lint`` finds or, where what it looks at is not valid, what is wrong with that."""
    try:
        return lint()
    except UserError as error:
        return LintResult(invalid=(str(error),))


def joined(results: Iterable[LintResult]) -> LintResult:
    """Return several results as one."""
    found = tuple(results)
    return LintResult(
        looked_at=tuple(file for each in found for file in each.looked_at),
        findings=tuple(finding for each in found for finding in each.findings),
        notes=tuple(told for each in found for told in each.notes),
        invalid=tuple(dict.fromkeys(told for each in found for told in each.invalid)),
    )


def _lint_pack(kind: PackKind, name: str, finder: PackFinder) -> LintResult:
    file = finder.require(kind, name, where=name)
    findings = tuple(lint_pack(kind, name, finder))
    notes = tuple(unchecked_aims(name, finder)) if kind is PackKind.STRATEGY else ()
    return LintResult(looked_at=(file.where,), findings=findings, notes=notes)


def _kinds_called(name: str, finder: PackFinder) -> tuple[PackKind, ...]:
    return tuple(kind for kind in LINTED if name in finder.names(kind))


def _labels(finder: PackFinder, kind: PackKind) -> dict[str, str]:
    """Return where each pack of ``kind`` comes from: of several of one name the one that is used, not read yet."""
    labels: dict[str, str] = {}
    for name, root, _ in finder.listed(kind):
        labels.setdefault(name, root.label)
    return labels


def _line_number(finding: Finding) -> int:
    """Return the line of a finding in its scenario file; 0 for one that ``--set`` brought in."""
    number = finding.where.rpartition(":")[2]
    return int(number) if number.isdecimal() else 0


def _try_idle(scenario: Scenario, finder: PackFinder, folder: Path, *, where: str, notes: list[str]) -> list[Finding]:
    """Hold a few conversations with assistants that do nothing, and return which of them pass."""
    short = _shortened(scenario)
    if short is None:
        notes.append("no assistant that does nothing was tried: nothing here gives a verdict")
        return []
    try:
        inputs = inputs_of(short, finder, folder)
    except UserError as error:
        notes.append(f"no assistant that does nothing was tried: {error}")
        return []
    findings = []
    for name, answer in IDLE.items():
        with tempfile.TemporaryDirectory(prefix="hairpin-lint-") as out:
            request = RunRequest(
                inputs=inputs, adapters={"idle": adapter_of(answer, name="idle")}, out=Path(out), canary=False
            )
            counts = _run(request).report.summary.conversations
        if counts.passed and not counts.failed:
            findings.append(_passed(name, counts.passed, where))
    return findings


def _run(request: RunRequest) -> FinishedRun:
    return run_in_loop(lambda: run_scenario(request))


def _passed(name: str, n_passed: int, where: str) -> Finding:
    tried = "the one conversation that was tried" if n_passed == 1 else f"all {n_passed} conversations that were tried"
    return Finding(
        rule="passed-by-doing-nothing",
        where=where,
        what=f"an assistant that {name} passes {tried}",
        why="a pass says nothing of the assistant",
        hint="add checks or oracles that such an assistant fails; the offline judges were asked",
    )


def _shortened(scenario: Scenario) -> Scenario | None:
    """Return a few short conversations of ``scenario`` without models; ``None``: nothing of it gives a verdict."""
    checked = bool(scenario.checks) or any(turn.checks for turn in scenario.script)
    judged = scenario.oracles.dimensions
    if scenario.recorded or scenario.test_seeds is not None or not (checked or judged):
        return None
    changes: dict[str, object] = {
        "sut": PythonSut(reference="idle"),
        "seed_phrases": scenario.seed_phrases[:MOST_PHRASES],
        "personas": scenario.personas[:1],
        "contexts": scenario.contexts[:1],
        "repeats": 1,
        "max_turns": scenario.max_turns if scenario.script else min(scenario.max_turns, _TURNS),
        "models": {},
        "panels": {},
        "campaign": None,
        "metamorphic": None,
        "confirm": None,
        "canaries": None,
    }
    return scenario.model_copy(update=changes)
