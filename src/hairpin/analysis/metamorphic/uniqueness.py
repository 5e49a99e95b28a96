"""Which questions only one method reveals, of those that the source run did not.

Source: MORTAR, section V-B3, Fig. 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from hairpin.analysis.metamorphic.model import METHOD_OF, Uniqueness
from hairpin.analysis.metamorphic.scored import ScoredFamily, of_sut, suts_of
from hairpin.domain.replay import Method

SeedQuestion = tuple[str, int]
"""The test seed and the index of the question."""


def uniqueness(scored: Sequence[ScoredFamily], methods: Sequence[Method]) -> tuple[Uniqueness, ...]:
    """Return per assistant who of ``methods`` revealed which questions.

    A question that any source run got wrong is RBT's and counts for nobody.
    """
    return tuple(_of_sut(of_sut(scored, sut), sut, methods) for sut in suts_of(scored))


def _of_sut(scored: Sequence[ScoredFamily], sut: str, methods: Sequence[Method]) -> Uniqueness:
    known = set(_revealed(scored, Method.RBT))
    found = {method: set(_revealed(scored, method)) - known for method in methods}
    who: dict[SeedQuestion, tuple[Method, ...]] = {
        question: tuple(method for method in methods if question in found[method])
        for question in sorted(set().union(*found.values()))
    }
    regions = Counter("+".join(method.value for method in by) for by in who.values())
    return Uniqueness(
        sut=sut,
        regions=dict(sorted(regions.items())),
        revealed={method: len(found[method]) for method in methods},
        unique={method: regions[method.value] for method in methods},
    )


def _revealed(scored: Sequence[ScoredFamily], method: Method) -> Iterator[SeedQuestion]:
    for each in scored:
        for check in each.checks:
            if check.violated and METHOD_OF[check.relation] is method:
                yield each.seed, check.index
