"""What models may do and cost can be set from Python as on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.errors import CanaryError, InvalidInputError
from hairpin.testing import FakeAnswer, FakeModelServer, fill_schema

SIMULATOR = "id: a\nsut: testbed\nseed_phrases: [Guide me to Marienplatz]\nmax_turns: 2\n"


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "s.yaml"
    path.write_text(SIMULATOR)
    return path


def played(server: FakeModelServer, role: str) -> dict[str, object]:
    """Return the overrides that give ``role`` to the server's model."""
    return {"models": {role: {"provider": "openai-compatible", "base_url": server.base_url, "model": "m"}}}


def test_a_judge_that_fails_its_canary_is_refused_unless_the_canary_is_off(scenario: Path) -> None:
    with FakeModelServer(default=fill_schema) as server:
        models = played(server, "conversation_judge")
        with pytest.raises(CanaryError, match="conversation_judge of safety_compliance"):
            hairpin.run(scenario, out=scenario.parent, overrides=models)
        result = hairpin.run(scenario, out=scenario.parent, overrides=models, canary=False)
    assert result.summary.llm.calls == 4
    assert result.summary.conversations.failed == 1


def test_a_limit_of_tokens_ends_a_run(scenario: Path) -> None:
    with FakeModelServer(default=fill_schema) as server:
        models = played(server, "simulator")
        result = hairpin.run(scenario, out=scenario.parent, overrides=models, max_tokens=1)
        assert not server.requests
    assert (result.summary.status, result.exit_code) == ("stopped", 3)


def test_a_limit_of_money_needs_a_price(scenario: Path) -> None:
    with FakeModelServer() as server, pytest.raises(InvalidInputError, match=r"--max-cost.*price"):
        hairpin.run(scenario, out=scenario.parent, overrides=played(server, "simulator"), max_cost=1)


@pytest.mark.parametrize("limit", [{"max_cost": -0.5}, {"max_tokens": -1}])
def test_a_limit_below_nothing_is_an_error(scenario: Path, limit: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be at least 0"):
        hairpin.run(scenario, out=scenario.parent, **limit)  # type: ignore[arg-type]  # one of several keywords


def test_a_cache_answers_a_second_run(scenario: Path) -> None:
    def once(number: int) -> hairpin.RunResult:
        return hairpin.run(
            scenario,
            out=scenario.parent / f"runs{number}",
            overrides=played(server, "conversation_judge"),
            canary=False,
            cache=scenario.parent / "answers.cache",
        )

    with FakeModelServer(default=FakeAnswer('{"reasoning": "Well done.", "score": 2}')) as server:
        first, second = once(1), once(2)
        assert len(server.requests) == 4
    assert (first.summary.llm.from_cache, second.summary.llm.from_cache) == (0, 4)
