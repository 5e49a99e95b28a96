"""What each method found in each assistant: test cases, checks, violations, levels.

Source: MORTAR, Tables II, III, V, VI and IX.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hairpin.analysis.metamorphic.model import METHOD_OF, METHODS, Levels, MethodFigures, RelationFigures
from hairpin.analysis.metamorphic.scored import ScoredFamily, of_sut, replays_of, suts_of
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import MetamorphicRelation, RelationCheck
from hairpin.domain.replay import Method

TestCase = tuple[str, str, int]
"""The source, the perturbation or relation, and the execution."""


def method_figures(scored: Sequence[ScoredFamily]) -> tuple[MethodFigures, ...]:
    """Return the figures of every method that was run, per assistant, RBT first.

    RBT is there where a test seed has gold answers; without them nothing can be wrong in a source run.
    """
    figures = (_of_method(of_sut(scored, sut), sut, method) for sut in suts_of(scored) for method in METHODS)
    return tuple(each for each in figures if each.test_cases)


def relation_figures(checks: Iterable[RelationCheck]) -> tuple[RelationFigures, ...]:
    """Return how each relation fared that any of ``checks`` is of, in the order of the relations."""
    by_relation: dict[MetamorphicRelation, list[RelationCheck]] = {}
    for check in checks:
        by_relation.setdefault(check.relation, []).append(check)
    return tuple(
        RelationFigures(
            relation=relation,
            checks=sum(check.violated is not None for check in by_relation[relation]),
            violations=sum(check.violated is True for check in by_relation[relation]),
            not_applicable=dict(
                sorted(Counter(check.reason for check in by_relation[relation] if check.violated is None).items())
            ),
        )
        for relation in MetamorphicRelation
        if relation in by_relation
    )


def levels_of(checks: Iterable[RelationCheck]) -> Levels:
    """Return the violations among ``checks`` by level."""
    counts = Counter(check.level for check in checks if check.violated)
    return Levels(l1=counts[1], l2=counts[2], l3=counts[3], unclassed=counts[None])


def _of_method(scored: Sequence[ScoredFamily], sut: str, method: Method) -> MethodFigures:
    checks = [check for each in scored for check in each.checks if METHOD_OF[check.relation] is method]
    cases = {
        _test_case(each, record): None
        for each in scored
        for record in replays_of(each.family, method)
        if method is not Method.RBT or each.family.derivation.test_seed.has_gold
    }
    failed = {case for each in scored for case in _failed(each, method)}
    return MethodFigures(
        method=method,
        sut=sut,
        test_cases=len(cases),
        failed_test_cases=len(failed & cases.keys()),
        relations=relation_figures(checks),
        levels=levels_of(checks),
    )


def _failed(scored: ScoredFamily, method: Method) -> set[TestCase]:
    """Return the test cases of a family in which ``method`` found a violation; of a group all that decided it."""
    records = {record.planned.id: record for record in (scored.family.source, *scored.family.follow_ups)}
    broken = [check for check in scored.checks if check.violated and METHOD_OF[check.relation] is method]
    found = {output.conversation for check in broken for output in check.outputs}
    if method is Method.RBT:
        found = {scored.family.source.planned.id} if broken else set()
    return {_test_case(scored, records[conversation]) for conversation in found if conversation in records}


def _test_case(scored: ScoredFamily, record: ConversationRecord) -> TestCase:
    replay = record.planned.replay
    source = scored.family.source.planned.id
    if replay is None or replay.source is None:
        return source, "", 0
    return source, replay.kind, replay.execution
