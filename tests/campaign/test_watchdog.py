"""Ending what is stuck."""

from __future__ import annotations

import structlog
from structlog.testing import capture_logs

from hairpin.campaign.watchdog import Watchdog
from hairpin.domain.outcome import StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.users import Context
from hairpin.graph.stopping import StopToken

PLANNED = PlannedConversation(
    index=0, id="c1", sut="s", seed_phrase="x", persona="p", context=Context(), repeat=0, max_turns=2, rng_seed=1
)


def test_a_node_that_is_stuck_is_named_and_its_conversation_ends_at_once() -> None:
    dog, stop = Watchdog(limit_s=60, logger=structlog.get_logger()), StopToken()
    with capture_logs() as logs, dog.watching(PLANNED, stop) as pulse, pulse.inside("judge_turn", 100.0):
        dog.look(160.0)
        assert stop.at_once is None
        dog.look(161.0)
        dog.look(162.0)
    assert stop.at_once is not None
    assert stop.at_once.reason is StopReason.INTERNAL_ERROR
    assert stop.at_once.detail == "node 'judge_turn' was stuck: still running after 61 s (limit 60 s)"
    assert [(log["event"], log["conversation"], log["node"]) for log in logs] == [("node_stuck", "c1", "judge_turn")]


def test_what_has_ended_or_runs_no_node_is_left_alone() -> None:
    dog, stop, other = Watchdog(limit_s=1, logger=structlog.get_logger()), StopToken(), StopToken()
    with dog.watching(PLANNED, other):
        with dog.watching(PLANNED, stop) as pulse, pulse.inside("speak", 0.0):
            pass
        dog.look(1000.0)
    assert (stop.at_once, other.at_once) == (None, None)
