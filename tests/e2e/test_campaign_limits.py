"""Campaigns that run out of time, of money, or of what a provider allows; and their credentials."""

from __future__ import annotations

import json
import signal
from pathlib import Path

from hairpin.testing import FakeAnswer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.e2e.campaign_runs import accepted_at, attempts_of, check_whole, conversation_of, paid_twice, world
from tests.e2e.warm_hairpin import WarmHairpin

N = 8
LIMIT = 60_000
"""Tokens, of which a conversation of these tests takes a fifth."""

CALL_S = 6
"""The longest that one call may take, where it matters."""


def test_a_campaign_does_not_sleep_past_its_time_because_a_provider_asks_it_to(
    tmp_path: Path, warm: WarmHairpin
) -> None:
    """B08 (c): Retry-After of a day with seconds left; what was under way is neither judged nor lost."""
    closed = True

    def role(request: FakeRequest) -> FakeAnswer:
        if closed and request.number > 40:
            return FakeAnswer.rate_limited(retry_after=86_400)
        return FakeAnswer(text=play_roles(request), delay_s=0.02)

    with world(tmp_path, warm, role=role) as served:
        process = served.campaign("--time", "10s", "--split", "total", "--conversations", str(N), "--concurrency", "2")
        assert process.wait() == 3
        assert "asked to wait 86400 s" in process.err
        assert served.summary["status"] == "stopped"
        ended = accepted_at(served)
        assert 0 < len(ended) < N
        assert served.summary["conversations"]["invalid"] == 0
        assert served.summary["conversations"]["inconclusive"] == 0
        closed = False
        again = served.resume()
        assert again.wait() == 0, again.err
        check_whole(served, n_conversations=N)


def test_a_spent_budget_stops_the_campaign_and_a_resume_spends_no_more(tmp_path: Path, warm: WarmHairpin) -> None:
    """B22: what earlier processes have used counts, and a resumed run keeps its limits."""
    usage = {"prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100}

    def role(request: FakeRequest) -> FakeAnswer:
        return FakeAnswer(text=play_roles(request), usage=usage, delay_s=0.02)

    with world(tmp_path, warm, role=role) as served:
        process = served.campaign("--conversations", str(N), "--concurrency", "2", "--max-tokens", str(LIMIT))
        process.wait()
        for again in (None, served.resume):
            if again is not None:
                again().wait()
            summary = served.summary
            assert summary["status"] == "stopped"
            assert "the budget ended the run" in summary["status_detail"]
            assert 0 < summary["conversations"]["passed"] < N
            assert summary["conversations"]["passed"] + summary["conversations"]["missing"] == N
            assert summary["llm"]["prompt_tokens"] + summary["llm"]["completion_tokens"] <= LIMIT
        before = served.n_requests
        assert served.resume().wait() in (0, 3)
        assert served.n_requests == before
        assert paid_twice(served) == []


def test_everything_ends_by_the_time_and_one_call(tmp_path: Path, warm: WarmHairpin) -> None:
    """Nobody knows yet how long a conversation takes: those that have begun are cut, and judged on what they said."""
    time_s, reply_s = 6, 3.0

    def assistant(request: FakeRequest) -> FakeAnswer:
        return FakeAnswer(text=f"Noted for {conversation_of(request)}.", delay_s=reply_s)

    with world(tmp_path, warm, assistant=assistant, latency_s=0.5, turn_timeout_s=CALL_S) as served:
        process = served.campaign("--arms", "guided", "--time", f"{time_s}s")
        assert process.wait() == 3
        assert "No verdict" in process.out
        asked = [*served.roles.requests, *served.assistant.requests]
        began_s = min(request.received_at for request in asked)
        assert max(request.received_at for request in served.assistant.requests) - began_s < time_s
        assert max(request.received_at for request in asked) - began_s < time_s + CALL_S
        counts = served.summary["conversations"]
        assert counts["planned"] == counts["inconclusive"] == 4 == attempts_of(served)
        reasons = served.place.query("SELECT DISTINCT stop_reason FROM outcomes")
        assert reasons == [("deadline",)]
        assert served.summary["status"] == "finished"


SECRETS = ("s3cretPW", "KEY-abc123", "TOK-zzz999", "sk-test-000111")


def test_credentials_are_read_anew_and_stored_nowhere(tmp_path: Path, warm: WarmHairpin) -> None:
    """B19: nothing of a killed and resumed campaign holds one, and without the variable nothing goes on."""
    *_, sut_key, role_key = SECRETS
    env = {"SUT_KEY": sut_key, "ROLE_KEY": role_key}

    def told(request: FakeRequest) -> str:
        return json.dumps({**request.headers, "query": request.query})

    def assistant(request: FakeRequest) -> FakeAnswer:
        return FakeAnswer(text=f"Noted for {conversation_of(request)}. You sent {told(request)}", delay_s=0.02)

    def role(request: FakeRequest) -> FakeAnswer:
        answer = json.loads(play_roles(request))
        for name in {"thought", "reasoning"} & answer.keys():
            answer[name] += f" I was asked: {told(request)}"
        return FakeAnswer(text=json.dumps(answer), delay_s=0.02)

    with world(tmp_path, warm, assistant=assistant, role=role) as served:
        scenario = json.loads((tmp_path / "s.yaml").read_text())
        scenario["sut"] |= {"api_key_env": "SUT_KEY", "base_url": with_secrets(served.assistant.base_url)}
        scenario["models"]["default"] |= {"api_key_env": "ROLE_KEY"}
        (tmp_path / "s.yaml").write_text(json.dumps(scenario))
        process = served.campaign("--conversations", str(N), "--log-level", "debug", env=env)
        served.wait_for_requests(30, process)
        process.send(signal.SIGKILL)
        process.wait()
        before = served.n_requests
        for missing in env:
            without = served.resume(env={name: value for name, value in env.items() if name != missing})
            assert without.wait() == 2, without.err
            assert missing in without.err
        assert served.n_requests == before
        again = served.resume("--log-level", "debug", env=env)
        assert again.wait() == 0, again.err
        assert any(sut_key in told(request) for request in served.assistant.requests[before:])
        check_whole(served, n_conversations=N)
        written = [path for folder in ("runs", "said") for path in (tmp_path / folder).rglob("*") if path.is_file()]
        assert len(written) > 5
        assert [(path, secret) for path in written for secret in SECRETS if secret.encode() in path.read_bytes()] == []


def with_secrets(base_url: str) -> str:
    password, url_key, *_ = SECRETS
    return base_url.replace("http://", f"http://bot:{password}@") + f"?api_key={url_key}"
