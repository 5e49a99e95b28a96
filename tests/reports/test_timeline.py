from __future__ import annotations

from hairpin.domain.targets import Target, TargetEvent, TargetStatus
from hairpin.reports.model import ChangeKind, TargetReport, TargetState
from hairpin.reports.timeline import changes_of, targets_over_time
from tests.reports.sample_run import events


def over_time() -> dict[str, TargetReport]:
    return {report.id: report for report in targets_over_time(events(), anchor="c0001", n_turns=8)}


def test_a_completed_target_reopens_and_is_completed_again() -> None:
    route = over_time()["g1"]
    completed, opened = TargetState.COMPLETED, TargetState.OPEN
    assert [cell.state for cell in route.cells] == [completed] * 3 + [opened] * 3 + [completed] * 2
    assert {cell.t: cell.changes for cell in route.cells if cell.changes} == {
        0: (ChangeKind.INTRODUCED, ChangeKind.COMPLETED),
        3: (ChangeKind.REOPENED,),
        6: (ChangeKind.COMPLETED,),
    }


def test_a_target_never_said_stays_unsaid_and_is_shown() -> None:
    heating = over_time()["g3"]
    assert {cell.state for cell in heating.cells} == {TargetState.UNSAID}
    assert heating.state is TargetState.UNSAID
    assert heating.changes[0].kinds == (ChangeKind.FOUND,)


def test_a_target_is_unsaid_before_the_turn_at_which_the_user_says_it() -> None:
    food = over_time()["g2"]
    assert food.cells[0].state is TargetState.UNSAID
    assert food.cells[1].changes == (ChangeKind.INTRODUCED,)
    assert food.state is TargetState.OPEN


def test_a_dropped_target_stays_dropped() -> None:
    film = over_time()["g4"]
    assert [cell.state for cell in film.cells[3:]] == [TargetState.OPEN, *[TargetState.DROPPED] * 4]
    assert film.resolved == 4


def test_cells_lead_to_their_turns() -> None:
    assert [cell.anchor for cell in over_time()["g1"].cells[:2]] == ["c0001-t0", "c0001-t1"]


def test_changed_constraints_are_a_change() -> None:
    target = Target(id="g1", text="route", introduced=0)
    narrowed = target.model_copy(update={"constraints": ("no tolls",)})
    stored = [
        TargetEvent(t=0, target=target, old=None),
        TargetEvent(t=1, target=narrowed, old=TargetStatus.INCOMPLETE),
    ]
    assert [change.kinds for change in changes_of(stored)] == [(ChangeKind.INTRODUCED,), (ChangeKind.CHANGED,)]


def test_several_changes_at_one_turn_share_a_cell() -> None:
    target = Target(id="g1", text="route", introduced=0)
    done = target.model_copy(update={"status": TargetStatus.COMPLETED, "resolved": 0})
    stored = [TargetEvent(t=0, target=target, old=None), TargetEvent(t=0, target=done, old=TargetStatus.INCOMPLETE)]
    (report,) = targets_over_time(stored, anchor="c0001", n_turns=1)
    assert report.cells[0].changes == (ChangeKind.INTRODUCED, ChangeKind.COMPLETED)


def test_without_events_there_are_no_targets() -> None:
    assert targets_over_time((), anchor="c0001", n_turns=3) == ()
