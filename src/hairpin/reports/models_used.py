"""The report's part on models: what played each role, what it used, what failed and where the time went.

It must not fold requests; ``domain.llm_usage`` did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hairpin.domain.llm_usage import LlmUsage, RoleUsage, UsageCounts
from hairpin.domain.outcome import Role
from hairpin.reports.model import EndpointRow, FailedRequests, ModelsReport, UsageRow
from hairpin.reports.wording import role_words

_LEAST_SHOWN_USD: Final = 0.0001


def build_models(usage: LlmUsage) -> ModelsReport | None:
    """Return what models used; ``None`` when none was asked anything."""
    if not usage.by_role:
        return None
    return ModelsReport(
        roles=tuple(row for role in Role if role in usage.by_role for row in _role_rows(role, usage.by_role[role])),
        total=_row("All roles", usage, tuple(usage.by_model)),
        endpoints=tuple(
            EndpointRow(
                endpoint=endpoint,
                requests=counts.attempts,
                queue_wait_s=counts.queue_wait_ms / 1000,
                retry_wait_s=counts.retry_wait_ms / 1000,
                answer_s=counts.latency_ms / 1000,
                mean_answer_s=counts.latency_ms / 1000 / counts.attempts if counts.attempts else None,
            )
            for endpoint, counts in usage.by_endpoint.items()
        ),
    )


def _role_rows(role: Role, usage: RoleUsage) -> Iterator[UsageRow]:
    """Yield what a role used and, of a panel, what each of its models did."""
    yield _row(role_words(role), usage, usage.models)
    for model, counts in usage.by_model.items():
        yield _row(f"of these, {model}", counts, (model,))


def cost_words(counts: UsageCounts) -> str:
    """Say what calls cost, or why that is unknown and what is known of it."""
    if counts.cost_usd is not None:
        return usd(counts.cost_usd)
    untold = counts.requests_without_cost - counts.requests_without_price
    reasons = [
        f"{_requests(number)} {why}"
        for number, why in ((counts.requests_without_price, "without a known price"), (untold, "reported no tokens"))
        if number
    ]
    least = f"at least {usd(counts.cost_known_usd)}; " if counts.cost_known_usd else ""
    return f"unknown: {least}{', '.join(reasons)}" if reasons else "unknown"


def usd(amount: float) -> str:
    """Return a known amount of money as text; what is not nothing never reads like it."""
    if 0 < amount < _LEAST_SHOWN_USD:
        return f"less than {_LEAST_SHOWN_USD} USD"
    return f"{amount:.4f} USD" if amount else "0 USD"


def _row(title: str, counts: UsageCounts, models: tuple[str, ...]) -> UsageRow:
    cached, prompt = counts.cached_prompt_tokens, counts.prompt_tokens
    return UsageRow(
        title=title,
        models=models,
        calls=counts.calls,
        requests=counts.attempts,
        from_cache=counts.from_cache,
        prompt_tokens=counts.prompt_tokens,
        completion_tokens=counts.completion_tokens,
        cached_share=cached / prompt if cached is not None and prompt else None,
        requests_without_usage=counts.requests_without_usage,
        cost_usd=counts.cost_usd,
        cost=cost_words(counts),
        failed=_failed(counts.failed),
    )


def _failed(failed: Mapping[str, int]) -> tuple[FailedRequests, ...]:
    """Return the most frequent first."""
    rows = sorted(failed.items(), key=lambda item: (-item[1], item[0]))
    return tuple(
        FailedRequests(outcome=outcome, words=outcome.replace("_", " "), number=number) for outcome, number in rows
    )


def _requests(number: int) -> str:
    return f"{number} request{'s' * (number != 1)}"
