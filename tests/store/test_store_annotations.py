"""What raters say of conversations: stored, and of one rater and conversation the last word counts."""

from __future__ import annotations

import pytest

from hairpin.domain.annotations import Annotation, LabelOpinion
from hairpin.domain.outcome import Blame, Verdict
from hairpin.errors import StoreError
from hairpin.store.runs import SqlRunStore
from tests.store.places import Place
from tests.store.store_values import StandingClock, a_plan, a_run

pytestmark = pytest.mark.anyio

FIRST, SECOND = a_plan(2)
SAID = Annotation(
    conversation=FIRST.id,
    rater="ann é",
    scores={"plan_coherence": 2},
    completed=0.5,
    verdict=Verdict.PASS,
    blame=Blame.JUDGE,
    labels=(LabelOpinion(t=1, mode="request_omitted", holds=False, target_id="g1"),),
    note="why",
)


@pytest.fixture
async def begun(store: SqlRunStore) -> SqlRunStore:
    await store.create_run(a_run())
    await store.add_plan([FIRST, SECOND])
    return store


async def test_annotations_come_back_whole(begun: SqlRunStore, place: Place, clock: StandingClock) -> None:
    assert begun.annotations() == ()
    other = Annotation(conversation=SECOND.id, rater="bob", verdict=Verdict.FAIL)
    await begun.record_annotations([SAID, other])
    await begun.record_annotations([])
    assert begun.annotations() == (SAID, other)
    begun.close()
    with place.open(clock) as again:
        assert again.annotations() == (SAID, other)


async def test_of_one_rater_and_conversation_the_last_row_counts(begun: SqlRunStore) -> None:
    await begun.record_annotations([SAID])
    changed = SAID.model_copy(update={"verdict": Verdict.FAIL, "labels": ()})
    other = SAID.model_copy(update={"rater": "bob"})
    await begun.record_annotations([other, changed])
    assert begun.annotations() == (other, changed)


async def test_a_conversation_that_is_not_planned_has_no_annotation(begun: SqlRunStore) -> None:
    stranger = SAID.model_copy(update={"conversation": "c9999"})
    with pytest.raises(StoreError):
        await begun.record_annotations([SAID, stranger])
    assert begun.annotations() == ()
