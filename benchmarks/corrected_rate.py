"""How often the interval of the corrected failure rate holds the true rate, beside a percentile bootstrap's.

    python benchmarks/corrected_rate.py

Simulated campaigns: conversations truly fail with chance π, judges err with known chances on them and on canaries, and
half of the canaries are known to be bad. The table is in docs/results/canaries.md.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np

from hairpin.analysis.corrected_rate import corrected_rate
from hairpin.domain.canary_rates import ErrorRate
from hairpin.domain.intervals import wilson

SIZES = ((60, 5), (100, 8), (100, 24), (400, 24), (1000, 50))
JUDGES = ((0.99, 0.99), (0.9, 0.9), (0.8, 0.95), (0.7, 0.75))
TRUTHS = (0.0, 0.1, 0.4, 1.0)
HEAD = (
    "| conversations | known-good, known-bad | se | sp | covers, least over π | width, mean | not corrected |"
    " bootstrap covers, least over π |\n|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=1000)
    options = parser.parse_args()
    rng = np.random.default_rng(20261130)
    print(HEAD)
    for (n, asked), (se, sp) in product(SIZES, JUDGES):
        rows = [row(n, asked, se, sp, truth, options.campaigns, options.resamples, rng) for truth in TRUTHS]
        covers, widths, uncorrected, bootstrapped = zip(*rows, strict=True)
        print(
            f"| {n} | {asked}, {asked} | {se} | {sp} | {100 * min(covers):.1f} % | {100 * np.mean(widths):.0f} % |"
            f" {100 * np.mean(uncorrected):.1f} % | {100 * min(bootstrapped):.1f} % |",
            flush=True,
        )


def row(
    n: int, asked: int, se: float, sp: float, truth: float, campaigns: int, resamples: int, rng: np.random.Generator
) -> tuple[float, float, float, float]:
    """Return how often the interval covers, its mean width, how often there is none; how often a bootstrap covers."""
    bad = rng.binomial(n, truth, campaigns)
    failed = rng.binomial(bad, se) + rng.binomial(n - bad, 1 - sp)
    passed_bad, failed_good = rng.binomial(asked, 1 - se, campaigns), rng.binomial(asked, 1 - sp, campaigns)
    found = [
        corrected_rate(k, n, failed_good=errors(good, asked), passed_bad=errors(wrong, asked))
        for k, good, wrong in zip(failed.tolist(), failed_good.tolist(), passed_bad.tolist(), strict=True)
    ]
    low, high = (np.array([getattr(each, end) for each in found]) for end in ("low", "high"))
    none = np.array([each is None or each.rate is None for each in found])
    boot_low, boot_high = bootstrap(
        failed / n, n, 1 - passed_bad / asked, 1 - failed_good / asked, asked, resamples, rng
    )
    return (
        float(np.mean((low <= truth) & (truth <= high))),
        float(np.mean(high - low)),
        float(np.mean(none)),
        float(np.mean((boot_low <= truth) & (truth <= boot_high))),
    )


def errors(wrong: int, n: int) -> ErrorRate:
    """Return the rate of ``wrong`` of ``n`` transcripts, each asked about once."""
    low, high = wilson(wrong, n)
    return ErrorRate(wrong=wrong, n=n, rate=wrong / n, low=low, high=high)


def bootstrap(
    p: np.ndarray, n: int, se: np.ndarray, sp: np.ndarray, asked: int, resamples: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return percentile bounds of every campaign, all of [0, 1] where a resample has judges no better than chance."""
    shape = (resamples, len(p))
    ps, ses, sps = (
        rng.binomial(n, p, shape) / n,
        rng.binomial(asked, se, shape) / asked,
        rng.binomial(asked, sp, shape) / asked,
    )
    gain = ses + sps - 1
    rates = np.clip((ps + sps - 1) / np.where(gain > 0, gain, 1), 0, 1)
    low = np.quantile(np.where(gain > 0, rates, 0), 0.025, axis=0)
    return low, np.quantile(np.where(gain > 0, rates, 1), 0.975, axis=0)


if __name__ == "__main__":
    main()
