"""The tables of replays: methods, RBT, relations, levels, ablations, uniqueness, effort.

They compute nothing; ``analysis.metamorphic`` does. The numbers of tables in their notes are MORTAR's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hairpin.analysis.metamorphic.model import (
    Ablation,
    Applicability,
    ContextEffort,
    Figure,
    MetamorphicAnalysis,
    MethodFigures,
    Uniqueness,
)
from hairpin.analysis.metamorphic.variation import coefficient_of_variation
from hairpin.domain.replay import Method
from hairpin.reports.cells import count, counts, missing, number, numbers, percents, text, words
from hairpin.reports.tables import Cell, PercentCell, Section, Table

TITLES: Mapping[Method, str] = {
    Method.RBT: "RBT",
    Method.NULL: "Unchanged",
    Method.MORTAR: "MORTAR",
    Method.METAL: "METAL",
    Method.QAASKER: "QAAsker",
}
FOUND = tuple(method for method in TITLES if method is not Method.NULL)


def share_cell(figure: Figure) -> Cell:
    """Return a share, or why there is none."""
    return missing(figure.reason) if figure.value is None else PercentCell(share=figure.value)


def overview_section(analysis: MetamorphicAnalysis, *, one_each: bool = True) -> Section:
    """Return what each method found, with the source runs themselves (Tables III, V, VI and VII).

    ``one_each``: whether each name is another assistant; else Rate⁺ does not vary over assistants alone, and no table
    says how much.
    """
    variation = _variation(analysis) if one_each else None
    return Section(
        id="replays",
        title="What replays found",
        text=(
            "A bug is a violated relation: it needs no gold answer and no verdict of a model, and it is not yet a "
            "confirmed fault. RBT asks the test seeds as they are and compares with their gold answers. "
            "Numbers of tables and figures are those of the MORTAR paper.",
        ),
        parts=tuple(table for table in (_methods(analysis), _rbt(analysis), variation) if table is not None),
    )


def _methods(analysis: MetamorphicAnalysis) -> Table:
    return Table(
        id="methods",
        title="Bugs by method",
        note="Rate⁺ is bugs over checks executed; B/TC bugs per test case. As Tables V and VI.",
        columns=(
            words("Assistant", header=True),
            words("Method"),
            counts("Test cases"),
            counts("Checks"),
            counts("Bugs"),
            numbers("B/TC"),
            percents("Rate⁺"),
        ),
        rows=tuple(
            (
                text(each.sut),
                text(TITLES[each.method]),
                count(each.test_cases),
                count(each.checks),
                count(each.bugs),
                number(each.per_test_case.value, each.per_test_case.reason),
                share_cell(each.rate),
            )
            for each in analysis.methods
            if each.method is not Method.RBT
        ),
        empty="No replay has an outcome.",
    )


def _rbt(analysis: MetamorphicAnalysis) -> Table | None:
    found = [each for each in analysis.methods if each.method is Method.RBT]
    if not found:
        return None
    return Table(
        id="rbt",
        title="The test seeds as they are (RBT)",
        note="A test case failed when one of its answers is unlike the gold answer. As Table III.",
        columns=(
            words("Assistant", header=True),
            counts("Test cases"),
            counts("Failed"),
            percents("Failed test cases"),
            counts("Questions"),
            counts("Bugs"),
            percents("Rate⁺"),
        ),
        rows=tuple(_rbt_row(each) for each in found),
    )


def _rbt_row(each: MethodFigures) -> tuple[Cell, ...]:
    failed = each.failed_test_cases / each.test_cases
    return (
        text(each.sut),
        count(each.test_cases),
        count(each.failed_test_cases),
        PercentCell(share=failed),
        count(each.checks),
        count(each.bugs),
        share_cell(each.rate),
    )


def _variation(analysis: MetamorphicAnalysis) -> Table | None:
    """Return how much Rate⁺ varies over assistants; one assistant alone has nothing to vary over."""
    methods = [method for method in FOUND if any(each.method is method for each in analysis.methods)]
    if len(analysis.suts) < 2:
        return None
    rows = []
    for method in methods:
        rates = [each.rate.value for each in analysis.methods if each.method is method]
        found = coefficient_of_variation([rate for rate in rates if rate is not None])
        rows.append((text(TITLES[method]), number(found.value, found.reason, digits=3)))
    return Table(
        id="variation",
        title="How much Rate⁺ varies over assistants",
        note="Coefficient of variation with the population's standard deviation; lower is steadier. As Table VII.",
        columns=(words("Method", header=True), numbers("CV")),
        rows=tuple(rows),
    )


def relations_section(analysis: MetamorphicAnalysis) -> Section:
    """Return how each relation fared, with what it could not be applied to."""
    rows = [
        (
            text(method.sut),
            text(each.relation.value),
            count(each.checks),
            count(each.violations),
            share_cell(each.rate),
            count(sum(each.not_applicable.values())),
            text(_reasons(each.not_applicable)),
        )
        for method in analysis.methods
        for each in method.relations
    ]
    table = Table(
        id="relations",
        title="Checks by relation",
        note="MR1: equivalent context, like the expected answer. MR2: another context, unlike it. MR3: alike among all "
        "equivalent contexts. MR4: unlike between equivalent and other contexts. MR3 and MR4 count once per question.",
        columns=(
            words("Assistant", header=True),
            words("Relation"),
            counts("Checks"),
            counts("Violated"),
            percents("Rate⁺"),
            counts("Not applicable"),
            words("Why not"),
        ),
        rows=tuple(rows),
        empty="No relation was checked.",
    )
    return Section(id="relations", title="Relations", parts=(table,))


def _reasons(found: Mapping[str, int]) -> str:
    return ", ".join(f"{reason.replace('_', ' ')} ({n})" for reason, n in found.items())


def levels_section(analysis: MetamorphicAnalysis) -> Section | None:
    """Return bugs by level (Table IX); ``None`` where no test seed has a gold answer."""
    classed = [each for each in analysis.methods if each.method is not Method.RBT]
    if not any(each.levels.all - each.levels.unclassed for each in classed):
        return None
    table = Table(
        id="levels",
        title="Bugs by what the source run said of their questions",
        note="L1: wrong there too. L2: right there, another question wrong or unanswered. L3: the whole source run was "
        "right. The coefficient of variation is that of the three means; lower is more even. As Table IX.",
        columns=(
            words("Assistant", header=True),
            words("Method"),
            counts("L1"),
            counts("L2"),
            counts("L3"),
            counts("Without gold"),
        ),
        rows=tuple(
            (
                text(each.sut),
                text(TITLES[each.method]),
                count(each.levels.l1),
                count(each.levels.l2),
                count(each.levels.l3),
                count(each.levels.unclassed),
            )
            for each in classed
        ),
    )
    return Section(id="levels", title="Levels", parts=(table, _level_variation(classed)))


def _level_variation(classed: Sequence[MethodFigures]) -> Table:
    rows = []
    for method in dict.fromkeys(each.method for each in classed):
        own = [each.levels for each in classed if each.method is method]
        means = [sum(getattr(each, level) for each in own) / len(own) for level in ("l1", "l2", "l3")]
        found = coefficient_of_variation(means)
        cells = [number(mean, digits=1) for mean in means]
        rows.append((text(TITLES[method]), *cells, number(found.value, found.reason, digits=3)))
    return Table(
        id="level-variation",
        title="Mean bugs by level",
        columns=(words("Method", header=True), numbers("L1"), numbers("L2"), numbers("L3"), numbers("CV")),
        rows=tuple(rows),
    )


def ablation_section(analysis: MetamorphicAnalysis) -> Section:
    """Return what is left without each relation and each perturbation (Tables X and XI)."""
    return Section(
        id="ablation",
        title="What each part contributes",
        parts=(
            _ablation("without-relation", "Bugs without a relation", "As Table X.", analysis.by_relation),
            _ablation(
                "without-perturbation",
                "Bugs without a perturbation",
                "Groups of MR3 and MR4 are formed anew without its outputs. As Table XI.",
                analysis.by_perturbation,
            ),
        ),
    )


def _ablation(table_id: str, title: str, note: str, rows: Sequence[Ablation]) -> Table:
    return Table(
        id=table_id,
        title=title,
        note=note,
        columns=(words("Assistant", header=True), words("Without"), counts("Bugs"), percents("Change")),
        rows=tuple((text(each.sut), text(each.without), count(each.bugs), share_cell(each.change)) for each in rows),
        empty="No bug was found at all.",
    )


def uniqueness_section(found: Sequence[Uniqueness]) -> Section:
    """Return who revealed questions that the source run did not (Fig. 5)."""
    shares = Table(
        id="unique",
        title="Questions that only one method reveals",
        note="Of the questions that the source run answered right, or has no gold answer for.",
        columns=(
            words("Assistant", header=True),
            words("Method"),
            counts("Revealed"),
            counts("Nobody else"),
            percents("Unique"),
        ),
        rows=tuple(
            (text(each.sut), text(TITLES[m]), count(n), count(each.unique[m]), share_cell(each.share(m)))
            for each in found
            for m, n in each.revealed.items()
        ),
    )
    regions = Table(
        id="unique-regions",
        title="Who revealed them",
        note="As the regions of Fig. 5.",
        columns=(words("Assistant", header=True), words("Revealed by exactly"), counts("Questions")),
        rows=tuple(
            (text(each.sut), text(_names(region)), count(n)) for each in found for region, n in each.regions.items()
        ),
        empty="Nothing new was revealed.",
    )
    return Section(id="uniqueness", title="Uniqueness", parts=(shares, regions))


def _names(region: str) -> str:
    return " and ".join(TITLES[Method(name)] for name in region.split("+"))


def effort_section(analysis: MetamorphicAnalysis) -> Section:
    """Return what it took: utterances sent, calls for contexts, and where there was no follow-up."""
    sent = Table(
        id="effort",
        title="What it took of the assistant",
        columns=(
            words("Assistant", header=True),
            words("Method"),
            counts("Conversations"),
            counts("Utterances sent"),
            counts("Broken off"),
        ),
        rows=tuple(
            (text(each.sut), text(TITLES[each.method]), count(each.replays), count(each.sut_calls), count(each.broken))
            for each in analysis.effort
        ),
    )
    parts = (sent, _contexts(analysis.context_effort), _applicability(analysis.applicability))
    return Section(id="effort", title="Effort", parts=parts)


def _contexts(found: ContextEffort) -> Table:
    rows = [(text(reason.replace("_", " ")), count(n)) for reason, n in found.by_reason.items()]
    per_check = "" if found.per_check.value is None else f" {found.per_check.value:.2f} per check"
    return Table(
        id="contexts",
        title="How contexts were decided",
        note=f"{found.calls:,} rewrites and reference answers for {found.checks:,} checks,{per_check}; two rewrites "
        f"and two answers each time would have been {found.naive:,}. A memo and exact short cuts save the rest.",
        columns=(words("Decided by", header=True), counts("Checks")),
        rows=tuple(rows),
        empty="No context was checked.",
    )


def _applicability(found: Sequence[Applicability]) -> Table:
    return Table(
        id="applicability",
        title="Follow-ups, and where there are none",
        columns=(
            words("Method", header=True),
            words("Kind"),
            counts("Follow-ups"),
            counts("Not applicable"),
            words("Why not"),
        ),
        rows=tuple(
            (
                text(TITLES[each.method]),
                text(each.kind or "as it is"),
                count(each.follow_ups),
                count(sum(each.not_applicable.values())),
                text(_reasons(each.not_applicable)),
            )
            for each in found
        ),
        folded=True,
    )
