"""Comparing stored runs from Python.

It must not be imported by ``hairpin.api``: the tests load SciPy, which takes seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hairpin.app.comparison import ALPHA, compare_named
from hairpin.reports.comparison import ComparisonReport


def compare(
    first: str | Path,
    second: str | Path | None = None,
    *,
    suts: Sequence[str] | None = None,
    alpha: float = ALPHA,
    allow_changed: bool = False,
) -> ComparisonReport:
    """Compare two stored runs of a scenario, or two assistants of one run, and say whether the second is worse.

    Nobody is asked again. ``regressions`` of the result are the tests in which the second is significantly worse;
    ``exit_code(fail_on_regression=True)`` is 0, 1 or 3 as that of ``hairpin compare --fail-on-regression``.

    Args:
        first: the folder of a run, or the beginning of its name under ``runs/``.
        second: that of the one that may have become worse; ``None``: assistants of the first are compared.
        suts: the labels of two of its assistants; the second is the one that may be worse.
        alpha: a difference is significant if its corrected p is at most this; in (0, 1).
        allow_changed: also runs that differ in more than the assistant; ``changes`` says in what.

    Raises:
        UserError: no such run or assistant, or the runs cannot be compared.
        StoreError: a database cannot be read.
    """
    return compare_named(first, second, suts=suts, alpha=alpha, allow_changed=allow_changed)
