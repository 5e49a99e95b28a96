"""The failure rate corrected for the errors of judges, with an interval that knows that those are estimates.

It must not count; canaries are counted in ``domain.canary_rates``.
"""

from __future__ import annotations

import math
from typing import Final

from hairpin.domain.canary_rates import CorrectedRate, ErrorRate
from hairpin.domain.canary_words import LEAST_ASKED
from hairpin.domain.intervals import Z_95

CHANCE: Final = "the judges are no better than chance on canaries: no correction"


def corrected_rate(failed: int, n: int, *, failed_good: ErrorRate, passed_bad: ErrorRate) -> CorrectedRate | None:
    """Correct ``failed / n`` by the errors of verdicts on canaries; ``None`` where ``n`` is 0.

    The estimate is π = (p + sp − 1) / (se + sp − 1), clipped to [0, 1], with the sensitivity se = P(fail | bad) and the
    specificity sp = P(pass | good). Its interval is that of Lang and Reiczigel: with z for 95 %,
    p′ = (n·p + z²/2) / (n + z²), se′ = (m·se + 1) / (m + 2) and sp′ alike over the m transcripts of each kind,
    π′ from them, var = [p′(1 − p′)/(n + z²) + π′²·se′(1 − se′)/(m + 2) + (1 − π′)²·sp′(1 − sp′)/(m + 2)] /
    (se′ + sp′ − 1)², and bounds π′ + dπ ± z·√var with
    dπ = 2z²·[π′·se′(1 − se′)/(m + 2) − (1 − π′)·sp′(1 − sp′)/(m + 2)], clipped to [0, 1]. It always holds the estimate.

    Args:
        failed, n: of the conversations that passed or failed, how many failed.
        failed_good: verdicts on known-good transcripts, 1 − sp.
        passed_bad: verdicts on known-bad transcripts, 1 − se.

    Raises:
        ValueError: not 0 ≤ failed ≤ n.

    Source: Rogan and Gladen, 1978, American Journal of Epidemiology 107, 71–76, for π; Lang and Reiczigel, 2014,
    Preventive Veterinary Medicine 113, 13–22, eqs. 2, 4, 6, 7, 16 and 17, for the interval.
    """
    if not 0 <= failed <= n:
        raise ValueError(f"{failed} of {n} is no share: the first must be from 0 to the second")
    if n == 0:
        return None
    raw = failed / n
    if failed_good.rate is None or passed_bad.rate is None or min(failed_good.n, passed_bad.n) < LEAST_ASKED:
        asked = f"no correction: {failed_good.n} known-good and {passed_bad.n} known-bad transcripts"
        return _uncorrected(raw, n, failed_good, passed_bad, f"{asked} are too few, it takes {LEAST_ASKED} of each")
    se, sp = 1 - passed_bad.rate, 1 - failed_good.rate
    if se + sp <= 1:
        return _uncorrected(raw, n, failed_good, passed_bad, CHANCE)
    estimate = (raw + sp - 1) / (se + sp - 1)
    rate = min(1.0, max(0.0, estimate))
    low, high = _lang_reiczigel(raw, n, se, passed_bad.n, sp, failed_good.n)
    return CorrectedRate(
        raw=raw,
        n=n,
        sensitivity=se,
        specificity=sp,
        rate=rate,
        low=min(rate, low),
        high=max(rate, high),
        clipped=rate != estimate,
    )


def _uncorrected(raw: float, n: int, failed_good: ErrorRate, passed_bad: ErrorRate, reason: str) -> CorrectedRate:
    return CorrectedRate(
        raw=raw,
        n=n,
        sensitivity=None if passed_bad.rate is None else 1 - passed_bad.rate,
        specificity=None if failed_good.rate is None else 1 - failed_good.rate,
        rate=None,
        reason=reason,
    )


def _lang_reiczigel(p: float, n: int, se: float, m_bad: int, sp: float, m_good: int) -> tuple[float, float]:
    """Return the bounds, clipped; se + sp > 1, so that se′ + sp′ > 1 too where both kinds are asked about alike.

    Where they are not, se′ + sp′ may still fall to 1: then nothing bounds the rate.
    """
    se, sp = (m_bad * se + 1) / (m_bad + 2), (m_good * sp + 1) / (m_good + 2)
    gain = se + sp - 1
    if gain <= 0:
        return 0.0, 1.0
    z = Z_95
    p = (n * p + z * z / 2) / (n + z * z)
    rate = (p + sp - 1) / gain
    of_bad, of_good = se * (1 - se) / (m_bad + 2), sp * (1 - sp) / (m_good + 2)
    shift = 2 * z * z * (rate * of_bad - (1 - rate) * of_good)
    variance = (p * (1 - p) / (n + z * z) + rate**2 * of_bad + (1 - rate) ** 2 * of_good) / gain**2
    half = z * math.sqrt(variance)
    return min(1.0, max(0.0, rate + shift - half)), max(0.0, min(1.0, rate + shift + half))
