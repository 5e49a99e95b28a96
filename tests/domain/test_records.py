from __future__ import annotations

from hairpin.domain.plan import plan_conversations
from hairpin.domain.records import ConversationRecord
from hairpin.domain.targets import TargetEvent, TargetStatus
from tests.domain.builders import a_scenario, a_target


def test_a_conversation_knows_its_targets_from_the_stored_events() -> None:
    (planned,) = plan_conversations(a_scenario(), ["sut"])
    found = TargetEvent(t=None, target=a_target(introduced=None), old=None)
    done = a_target(status=TargetStatus.COMPLETED, introduced=0, resolved=1)
    record = ConversationRecord(
        planned=planned, target_events=(found, TargetEvent(t=1, target=done, old=TargetStatus.INCOMPLETE))
    )
    assert record.targets == (done,)
    assert ConversationRecord(planned=planned).targets == ()
