"""Which status changes are lawful (design, section 2), and that each one is stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.targets import (
    Target,
    TargetChanges,
    TargetEvent,
    TargetStatus,
    TargetUpdate,
    all_resolved,
    apply_updates,
    replay_events,
)
from tests.domain.builders import a_target, statuses, target_sets, turn_numbers

DROPPED, INCOMPLETE, COMPLETED = TargetStatus.DROPPED, TargetStatus.INCOMPLETE, TargetStatus.COMPLETED

updates_of_any = st.builds(
    TargetUpdate,
    target_id=st.sampled_from(["g0", "g1", "g2", "h0"]),
    status=statuses,
    uttered=st.booleans(),
    withdrawn=st.booleans(),
    constraints=st.none() | st.just(("by six",)),
)


def after(before: Target, update: TargetUpdate, t: int = 3) -> Target:
    (target,) = apply_updates([before], [update], (), t=t).targets
    return target


def test_the_statuses_are_those_of_the_paper() -> None:
    assert (DROPPED, INCOMPLETE, COMPLETED) == (-1, 0, 1)


@pytest.mark.parametrize("judged", list(TargetStatus))
@pytest.mark.parametrize("before", list(TargetStatus))
def test_what_the_user_withdraws_is_dropped_whatever_the_judge_says(before: TargetStatus, judged: TargetStatus) -> None:
    update = TargetUpdate(target_id="g1", status=judged, withdrawn=True)
    assert after(a_target(status=before), update).status is DROPPED


@pytest.mark.parametrize("before", [INCOMPLETE, COMPLETED])
def test_a_judge_alone_drops_nothing(before: TargetStatus) -> None:
    assert after(a_target(status=before), TargetUpdate(target_id="g1", status=DROPPED)).status is before


@pytest.mark.parametrize("judged", [INCOMPLETE, COMPLETED])
def test_a_dropped_target_opens_again_only_when_the_user_asks_anew(judged: TargetStatus) -> None:
    dropped = a_target(status=DROPPED, resolved=2)
    assert after(dropped, TargetUpdate(target_id="g1", status=judged)) == dropped
    assert after(dropped, TargetUpdate(target_id="g1", status=judged, uttered=True)).status is judged


def test_a_completed_target_opens_again_when_a_later_reply_breaks_it() -> None:
    reopened = after(a_target(status=COMPLETED, resolved=1), TargetUpdate(target_id="g1", status=INCOMPLETE))
    assert (reopened.status, reopened.resolved) == (INCOMPLETE, None)


@pytest.mark.parametrize("update", [{"status": COMPLETED}, {"status": INCOMPLETE, "withdrawn": True}])
def test_the_exchange_that_resolves_a_target_is_kept(update: dict[str, object]) -> None:
    assert after(a_target(), TargetUpdate.model_validate({"target_id": "g1", **update}), t=4).resolved == 4


def test_a_target_stays_resolved_at_the_exchange_that_resolved_it() -> None:
    completed = a_target(status=COMPLETED, resolved=1)
    assert after(completed, TargetUpdate(target_id="g1", status=COMPLETED), t=5) == completed


def test_a_target_is_introduced_when_it_is_first_uttered() -> None:
    silent = a_target(introduced=None)
    said = after(silent, TargetUpdate(target_id="g1", status=INCOMPLETE, uttered=True), t=2)
    assert (silent.uttered, said.uttered, said.introduced) == (False, True, 2)
    again = after(said, TargetUpdate(target_id="g1", status=INCOMPLETE, uttered=True), t=5)
    assert again == said


def test_what_is_completed_counts_as_uttered() -> None:
    """Nobody completes a task that was never mentioned; a judge that forgot to say so must not lose it from T."""
    assert after(a_target(introduced=None), TargetUpdate(target_id="g1", status=COMPLETED), t=2).introduced == 2


def test_an_update_may_replace_the_constraints_or_leave_them() -> None:
    before = a_target().model_copy(update={"constraints": ("quiet",)})
    assert after(before, TargetUpdate(target_id="g1", status=INCOMPLETE)).constraints == ("quiet",)
    changed = TargetUpdate(target_id="g1", status=INCOMPLETE, constraints=("quiet", "cheap"))
    assert after(before, changed).constraints == ("quiet", "cheap")
    lifted = TargetUpdate(target_id="g1", status=INCOMPLETE, constraints=())
    assert after(before, lifted).constraints == ()


def test_a_new_target_is_introduced_now_and_open_whatever_the_judge_filled_in() -> None:
    offered = a_target("g9", COMPLETED, introduced=0, resolved=0)
    changes = apply_updates([a_target()], (), [offered], t=3)
    assert changes.targets[-1] == a_target("g9", introduced=3)
    assert changes.events == (TargetEvent(t=3, target=changes.targets[-1], old=None, reason="uttered by the user"),)


def test_a_new_target_can_be_completed_in_the_exchange_that_introduces_it() -> None:
    changes = apply_updates((), [TargetUpdate(target_id="g9", status=COMPLETED)], [a_target("g9")], t=3)
    assert changes.targets == (a_target("g9", COMPLETED, introduced=3, resolved=3),)
    assert [event.new for event in changes.events] == [INCOMPLETE, COMPLETED]


def test_an_event_says_what_was_what_is_and_why() -> None:
    update = TargetUpdate(target_id="g1", status=COMPLETED, evidence="'You have arrived'")
    (event,) = apply_updates([a_target()], [update], (), t=2).events
    assert (event.t, event.old, event.new, event.reason) == (2, INCOMPLETE, COMPLETED, "'You have arrived'")


def test_an_update_of_a_target_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="'g7', which does not exist"):
        apply_updates([a_target()], [TargetUpdate(target_id="g7", status=COMPLETED)], (), t=0)


def test_a_new_target_with_a_known_id_is_refused() -> None:
    with pytest.raises(ValueError, match="new target 'g1' has the id of a known one"):
        apply_updates([a_target()], (), [a_target()], t=0)
    with pytest.raises(ValueError, match="'g2'"):
        apply_updates((), (), [a_target("g2"), a_target("g2")], t=0)


@given(
    rounds=st.lists(st.lists(updates_of_any, max_size=5), max_size=5),
    names=st.lists(st.sampled_from(["g0", "g1", "g2", "h0"]), unique=True, min_size=4, max_size=4),
)
def test_the_stored_events_rebuild_the_targets(rounds: list[list[TargetUpdate]], names: list[str]) -> None:
    """Rows are facts: what is folded from the events is what the conversation knew."""
    targets = tuple(a_target(name, introduced=None) for name in names)
    events = [TargetEvent(t=None, target=target, old=None) for target in targets]
    for t, updates in enumerate(rounds):
        changes = apply_updates(targets, updates, (), t=t)
        targets, events = changes.targets, [*events, *changes.events]
    assert replay_events(events) == targets


@given(update=updates_of_any, before=statuses, uttered=st.booleans(), t=turn_numbers)
def test_no_event_without_a_change_and_no_change_without_an_event(
    update: TargetUpdate, before: TargetStatus, uttered: bool, t: int
) -> None:
    target = a_target(update.target_id, before, introduced=0 if uttered else None)
    changes = apply_updates([target], [update], (), t=t)
    assert bool(changes.events) == (changes.targets != (target,))


@given(update=updates_of_any, before=statuses, t=turn_numbers)
def test_a_target_has_a_resolving_exchange_only_while_it_is_resolved(
    update: TargetUpdate, before: TargetStatus, t: int
) -> None:
    resolved = None if before is INCOMPLETE else 0
    target = after(a_target(update.target_id, before, resolved=resolved), update, t=t)
    assert (target.resolved is None) == target.open


@given(target_sets)
def test_all_are_resolved_when_there_are_targets_and_none_is_open(targets: tuple[Target, ...]) -> None:
    assert all_resolved(targets) == (len(targets) > 0 and not any(target.status is INCOMPLETE for target in targets))


def test_a_target_never_uttered_counts_as_open() -> None:
    assert not all_resolved([a_target(status=COMPLETED), a_target("g2", introduced=None)])


def test_unchanged_has_no_event() -> None:
    assert TargetChanges.unchanged([a_target()]) == TargetChanges(targets=(a_target(),), events=())
