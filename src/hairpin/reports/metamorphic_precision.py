"""How many of the violations that people looked at were the assistant's, as a table (MORTAR, Table VIII).

It computes nothing; ``analysis.metamorphic.precision`` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.metamorphic.precision import Precision
from hairpin.reports.cells import count, counts, interval, intervals, number, numbers, text, words
from hairpin.reports.metamorphic_tables import TITLES
from hairpin.reports.tables import Section, Table


def precision_section(found: Sequence[Precision]) -> Section:
    """Return the precision of each method."""
    table = Table(
        id="precision",
        title="Violations that are genuine",
        note="With 95 % Wilson intervals, of the labels of the first file. κ: Cohen's, over what both raters labelled. "
        "As Table VIII.",
        columns=(
            words("Method", header=True),
            counts("Labelled"),
            counts("Genuine"),
            intervals("Precision"),
            counts("Not labelled"),
            numbers("κ"),
        ),
        rows=tuple(
            (
                text(TITLES[each.method]),
                count(each.genuine.n),
                count(each.genuine.successes),
                interval(each.genuine),
                count(each.unlabelled),
                number(each.kappa.value, each.kappa.reason),
            )
            for each in found
        ),
    )
    return Section(id="precision", title="Precision", parts=(table,))
