"""The report's part on models: shown when they played a role, and never a zero for what is unknown."""

from __future__ import annotations

import json

import pytest

from hairpin.domain.llm_usage import LlmUsage, UsageCounts
from hairpin.reports.models_used import build_models, cost_words
from tests.reports.sample_run import a_report, passed, used_models
from tests.reports.whole_reports import json_of


def test_a_run_of_offline_agents_has_no_part_on_models() -> None:
    assert build_models(LlmUsage()) is None
    assert json.loads(json_of(a_report([passed()])))["models"] is None


def test_each_role_has_a_row_with_its_model_and_what_it_used() -> None:
    models = build_models(used_models())
    assert models is not None
    rows = {row.title: row for row in models.roles}
    assert list(rows) == ["User simulator", "Turn judge", "Conversation judges"], "in the order of a conversation"
    user = rows["User simulator"]
    assert (user.models, user.calls, user.requests) == (("gpt-4.1-mini",), 1, 3)
    assert user.cached_share == 1024 / 2000
    assert [(failed.words, failed.number) for failed in user.failed] == [("rate limited", 1), ("timed out", 1)]
    assert rows["Turn judge"].from_cache == 1
    assert (models.total.calls, models.total.requests) == (4, 6)


def test_waits_and_answers_are_kept_apart_per_endpoint() -> None:
    models = build_models(used_models())
    assert models is not None
    api = next(row for row in models.endpoints if "openai" in row.endpoint)
    assert (api.queue_wait_s, api.retry_wait_s, api.answer_s) == (0.6, 7.0, 0.98)
    assert api.mean_answer_s == pytest.approx(0.98 / 3)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (UsageCounts(cost_usd=0.0125, cost_known_usd=0.0125), "0.0125 USD"),
        (UsageCounts(cost_usd=0.0), "0 USD"),
        (UsageCounts(cost_usd=0.00002, cost_known_usd=0.00002), "less than 0.0001 USD"),
        (
            UsageCounts(cost_usd=None, requests_without_cost=3, requests_without_price=3),
            "unknown: 3 requests without a known price",
        ),
        (
            UsageCounts(cost_usd=None, requests_without_cost=1, cost_known_usd=0.5),
            "unknown: at least 0.5000 USD; 1 request reported no tokens",
        ),
        (
            UsageCounts(cost_usd=None, requests_without_cost=3, requests_without_price=1),
            "unknown: 1 request without a known price, 2 requests reported no tokens",
        ),
    ],
)
def test_an_unknown_cost_says_why_and_what_is_known(counts: UsageCounts, said: str) -> None:
    assert cost_words(counts) == said
