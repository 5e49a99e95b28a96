"""Test seeds as JUnit test cases: one for each, which fails with the relations that its replays violated.

Only conversations that ask a test seed as it is are test cases; one that was held freely is already a test case itself.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from xml.etree.ElementTree import Element, SubElement

from hairpin.analysis.metamorphic.methods import relation_figures
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.base import Value
from hairpin.domain.relation_counts import is_broken
from hairpin.domain.relations import MetamorphicRelation, RelationCheck
from hairpin.reports.metamorphic_violations import violation_texts
from hairpin.reports.text import one_line, visible

MOST_TOLD = 50
"""So many violations of a test seed are told one by one; all of them are counted, and the CSV has them."""


class CaseCounts(Value):
    """How many test cases there are, and how they came out."""

    tests: int = 0
    failures: int = 0
    errors: int = 0
    skipped: int = 0
    seconds: float = 0.0

    def __add__(self, other: CaseCounts) -> CaseCounts:
        """Return both together."""
        return CaseCounts(
            tests=self.tests + other.tests,
            failures=self.failures + other.failures,
            errors=self.errors + other.errors,
            skipped=self.skipped + other.skipped,
            seconds=self.seconds + other.seconds,
        )


def count_seeds(name: str, location: str, families: Iterable[ScoredFamily]) -> Mapping[str, CaseCounts]:
    """Return the counts of test seeds by assistant."""
    counts: dict[str, CaseCounts] = {}
    for scored in families:
        if is_seed(scored):
            counts[scored.sut] = counts.get(scored.sut, CaseCounts()) + _count(seed_case(name, location, scored))
    return counts


def _count(case: Element) -> CaseCounts:
    found = {each.tag for each in case}
    return CaseCounts(
        tests=1,
        failures="failure" in found,
        errors="error" in found,
        skipped="skipped" in found,
        seconds=float(case.get("time", "0")),
    )


def is_seed(scored: ScoredFamily) -> bool:
    """Whether the source of a family asks a test seed as it is."""
    return scored.family.source.planned.replay is not None


def seed_case(name: str, location: str, scored: ScoredFamily) -> Element:
    """Return the test case of a test seed: its own conversation and all follow-ups together.

    It fails when a relation is violated. Otherwise it is skipped when its own conversation is missing, an error when
    that or a follow-up broke off, and passes else.

    Args:
        name: of the run.
        location: how the user names the run on the command line.
        scored: the test seed with its checks.
    """
    family = scored.family
    records = (family.source, *family.follow_ups)
    seconds = sum(record.outcome.elapsed_s for record in records if record.outcome is not None)
    case = Element(
        "testcase",
        {
            "classname": one_line(f"{name}.{scored.sut}"),
            "name": one_line(f"{family.source.planned.id} | {scored.seed}"),
            "time": f"{seconds:.3f}",
        },
    )
    broken = [record for record in records if record.outcome is not None and is_broken(record.outcome.stop)]
    violated = [check for check in scored.checks if check.violated]
    if violated:
        failure = SubElement(case, "failure", {"type": "relation_violated", "message": one_line(_counted(scored))})
        failure.text = visible(_told(location, scored, violated))
    elif family.source.outcome is None:
        SubElement(case, "skipped", {"message": "missing: the test seed was not asked"})
    elif broken:
        stop = broken[0].outcome.stop.reason.value if broken[0].outcome is not None else ""
        message = f"{len(broken)} of {len(records)} replays broke off, the first: {broken[0].planned.id} ({stop})"
        SubElement(case, "error", {"type": f"replay.{stop}", "message": one_line(message)})
    return case


def _counted(scored: ScoredFamily) -> str:
    figures = relation_figures(scored.checks)
    parts = ", ".join(
        f"{each.relation.value} {each.violations} of {each.checks}" for each in figures if each.violations
    )
    violations, checks = sum(each.violations for each in figures), sum(each.checks for each in figures)
    return f"{violations} of {checks} relation checks violated ({parts})"


def _told(location: str, scored: ScoredFamily, violated: list[RelationCheck]) -> str:
    order = list(MetamorphicRelation)
    ordered = sorted(violated, key=lambda check: order.index(check.relation))
    lines = ["", f"hairpin show {shlex.quote(location)} CONVERSATION prints a replay whole.", ""]
    lines += [line for check in ordered[:MOST_TOLD] for line in violation_texts(scored, check)]
    if len(ordered) > MOST_TOLD:
        lines.append(f"and {len(ordered) - MOST_TOLD:,} more")
    return "\n".join(lines) + "\n"
