"""Plain text for an estimate: what a run would take of models, per role and in all, and what was assumed.

It returns text and computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hairpin.llm.estimate import RoleEstimate, RunEstimate
from hairpin.llm.ranges import Range
from hairpin.reports.terminal import DEFAULT_WIDTH
from hairpin.reports.text import one_line, wrap
from hairpin.reports.wording import ROLE_WORDS

_WHOLE_CENTS_USD: Final = 0.1  # from here on parts of a cent do not matter


def estimate_text(estimate: RunEstimate, *, width: int = DEFAULT_WIDTH) -> str:
    """Return an estimate as text; numbers are expected ones, with the range from low to high behind them."""
    return "\n".join(line.rstrip() for line in _lines(estimate, width)) + "\n"


def money(value: Range | None) -> str:
    """Return an amount of money in words."""
    if value is None:
        return "unknown: its price is not known"
    if not value.high:
        return "nothing"
    digits = 2 if value.low >= _WHOLE_CENTS_USD else 4
    return f"{value.expected:.{digits}f} USD ({value.low:.{digits}f} to {value.high:.{digits}f})"


def total_money(estimate: RunEstimate) -> str:
    """Return what all of it costs in words; models without a price are named."""
    if estimate.cost_usd is not None:
        return money(estimate.cost_usd)
    known = f"{money(estimate.cost_known_usd)} without " if estimate.cost_known_usd.high else "unknown: no price for "
    return known + ", ".join(map(one_line, estimate.unpriced))


def _lines(estimate: RunEstimate, width: int) -> Iterator[str]:
    turns = estimate.turns
    many = f"{turns.low:g} to {turns.high:g}" if turns.low < turns.high else f"{turns.low:g}"
    n = estimate.n_conversations
    yield f"{n} conversation{'s' * (n != 1)} of {many} turns"
    for told in estimate.notes:
        yield from wrap(told, width=width)
    if not estimate.roles:
        yield from wrap(estimate.assumptions[0], width=width)
        return
    for role in estimate.roles:
        yield from _role(role, width)
    yield from ("", "in all")
    yield from _amounts(estimate.requests, estimate.prompt_tokens, estimate.completion_tokens, width)
    yield from _row("cost", total_money(estimate), width)
    yield from ("", "assumed")
    for assumption in estimate.assumptions:
        yield from wrap(assumption, width=width, first="  - ", rest="    ")


def _role(role: RoleEstimate, width: int) -> Iterator[str]:
    yield from ("", f"{ROLE_WORDS[role.role]}: {one_line(role.model)}")
    yield from _amounts(role.requests, role.prompt_tokens, role.completion_tokens, width)
    yield from _row("cost", money(role.cost_usd), width)


def _amounts(requests: Range, prompt: Range, completion: Range, width: int) -> Iterator[str]:
    rows = (("requests", requests), ("tokens in", prompt), ("tokens out", completion))
    for name, value in rows:
        yield from _row(name, f"{value.expected:,.0f} ({value.low:,.0f} to {value.high:,.0f})", width)


def _row(name: str, text: str, width: int) -> list[str]:
    return wrap(text, width=width, first=f"  {name:<12}", rest=" " * 14)
