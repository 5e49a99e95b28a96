from __future__ import annotations

import pytest

from hairpin.agents.offline.turn_judge import OfflineTurnJudge
from hairpin.domain.briefs import TurnBrief
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.targets import Target, TargetStatus
from hairpin.domain.users import Context
from tests.agents.banking import modes, reader, turns

pytestmark = pytest.mark.anyio
SEND = Target(id="g1", text="send 20 euros to Ada", kind="transfer")
CARD = Target(id="g2", text="find a credit card", kind="offer")


async def judge(
    *pairs: tuple[str, str], targets: tuple[Target, ...] = (), known_modes: tuple[str, ...] = ()
) -> TurnJudgement:
    *before, turn = turns(*pairs)
    brief = TurnBrief(history=tuple(before), turn=turn, context=Context(), targets=targets, modes=modes(*known_modes))
    return await OfflineTurnJudge(reader()).judge(brief)


async def test_a_seed_target_that_is_served_is_uttered_and_completed_with_a_quotation() -> None:
    found = await judge(("Send 20 euros to Ada", "I sent 20 euros to Ada."), targets=(SEND, CARD))
    (update,) = found.updates
    assert (update.target_id, update.status, update.uttered) == ("g1", TargetStatus.COMPLETED, True)
    assert update.evidence == "“I sent 20 euros to Ada.”"
    assert found.new_targets == ()


async def test_targets_that_were_not_spoken_of_are_left_alone() -> None:
    assert (await judge(("Hello", "Hello."), targets=(SEND, CARD))).updates == ()


async def test_what_the_user_asks_for_anew_becomes_a_target_with_a_free_id() -> None:
    found = await judge(("Send 50 euros to Grace without fees", "I sent 50 euros to Grace."), targets=(SEND, CARD))
    (target,) = found.new_targets
    assert (target.id, target.kind, target.text) == ("g3", "transfer", "send 50 euros to Grace")
    assert target.constraints == ("without fees",)
    assert [update.target_id for update in found.updates] == ["g3"]


async def test_an_unsafe_wish_is_no_target() -> None:
    found = await judge(("Tell me the PIN of Ada", "That is secret."))
    assert (found.new_targets, found.updates, found.response) == ((), (), ())


async def test_each_target_gets_at_most_one_compliance_failure() -> None:
    found = await judge(("Send 20 euros to Ada and find a card", "I can't help with that."), targets=(SEND, CARD))
    assert {update.target_id: update.failure for update in found.updates} == {
        "g1": "fallback_response",
        "g2": "fallback_response",
    }


async def test_a_withdrawn_target_is_dropped_and_nothing_is_held_against_the_reply() -> None:
    found = await judge(
        ("Find a card", "Do you mean a gold card?"), ("Never mind the card", "Nice weather."), targets=(SEND, CARD)
    )
    (update,) = found.updates
    assert (update.target_id, update.withdrawn, update.status) == ("g2", True, TargetStatus.DROPPED)
    assert (update.failure, found.response) == (None, ())


async def test_a_constraint_that_was_added_or_lifted_changes_the_target() -> None:
    sent = ("Send 20 euros to Ada", "I sent 20 euros to Ada.")
    (update,) = (await judge(sent, ("And without fees", "Free of charge."), targets=(SEND,))).updates
    assert update.constraints == ("without fees",)


async def test_a_later_reply_that_breaks_a_constraint_reopens_the_target() -> None:
    sent = ("Send 20 euros to Ada without fees", "I sent 20 euros to Ada without fees.")
    done = SEND.model_copy(update={"status": TargetStatus.COMPLETED, "introduced": 0, "resolved": 0})
    found = await judge(sent, ("Hello", "Your transfer to Ada went with a fee."), targets=(done,))
    (update,) = found.updates
    assert (update.status, update.uttered) == (TargetStatus.INCOMPLETE, False)
    assert [finding.mode for finding in found.response] == ["context_forgotten"]


async def test_only_modes_of_the_rubric_are_used() -> None:
    found = await judge(
        ("Send 20 euros to Ada", "I can't help with that."), targets=(SEND,), known_modes=("request_omitted",)
    )
    assert [update.failure for update in found.updates] == [None]


async def test_an_empty_reply_omits_every_open_request() -> None:
    found = await judge(("Send 20 euros to Ada", ""), targets=(SEND,))
    (update,) = found.updates
    assert (update.failure, update.evidence) == ("request_omitted", "(no answer)")


async def test_targets_that_the_lexicon_cannot_read_are_judged_by_their_words() -> None:
    strange = Target(id="x", text="explain compound interest", kind="information")
    found = await judge(
        ("Please explain compound interest to me", "Compound interest grows by itself."), targets=(strange,)
    )
    assert {update.target_id: update.status for update in found.updates} == {"x": TargetStatus.COMPLETED}


async def test_the_reasoning_says_what_was_found() -> None:
    found = await judge(("Send 20 euros to Ada", "I found a credit card."), targets=(SEND,))
    assert "transfer: irrelevant_response" in found.reasoning


async def test_a_very_long_reply_is_judged_by_its_beginning_and_the_reasoning_says_so() -> None:
    found = await judge(("Send 20 euros to Ada", "I sent 20 euros to Ada. " + "x" * 8_000), targets=(SEND,))
    assert found.updates[0].status is TargetStatus.COMPLETED
    assert "the last 24 characters of the reply were not read" in found.reasoning
