"""Agreement of judges with people from Python.

It must not be imported by ``hairpin.api``: the statistics load SciPy, which takes seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hairpin.app.agreement import agreement_of, choices_of
from hairpin.reports.agreement import AgreementReport


def agreement(
    inputs: str | Path | Sequence[str | Path],
    *,
    weights: str = "quadratic",
    scale: str = "0,1,2",
    threshold: float | None = None,
    resamples: int = 2000,
    interval: str = "bca",
    rng_seed: int = 1,
    rater: str | None = None,
) -> AgreementReport:
    """Say how far judges agree with people, and people with each other; nobody is asked again.

    Args:
        inputs: stored runs of the same conversations by different judges, and files of annotations (``.csv``,
            ``.json``, ``.jsonl``), in any order. Without a run people are compared with each other.
        weights: of Cohen's κ: ``"quadratic"``, ``"linear"`` or ``"none"``.
        scale: the levels of scores from low to high; or ``"seen"``: only those that two raters gave.
        threshold: θ of pass and fail; ``None``: that of the first run, or 0.75.
        resamples: for intervals; at most 100,000.
        interval: ``"bca"`` or ``"percentile"``.
        rng_seed: the same number draws the same resamples.
        rater: who rates, in rows that do not say who.

    Raises:
        UserError: there is no such run or file, a file is wrong, the runs are of different conversations, a rater
            contradicts himself, nobody rates anything, or an argument is none that there is.
        StoreError: a database cannot be read.
    """
    choices = choices_of(
        weights=weights,
        scale=scale,
        threshold=threshold,
        n_resamples=resamples,
        interval=interval,
        rng_seed=rng_seed,
        rater=rater,
    )
    named = (inputs,) if isinstance(inputs, str | Path) else inputs
    return agreement_of([str(each) for each in named], choices)
