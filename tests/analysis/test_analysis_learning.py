"""What was learned, counted by hand: uses by halves, what was new, and why each choice was made."""

from __future__ import annotations

from hairpin.analysis.learning import what_was_learned
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.preference import Preference
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

L, G, FAIL = Arm.LEARNED, Arm.GUIDED, Standing.FAIL
RANDOM = Preference(strategies=("b", "a"), explored=("b",), task_explored=True)
FOUND = Preference(strategies=("a",), task_explored=False)


def learned(
    index: int, *failures: tuple[int, str], strategy: str, task: str, preference: Preference = FOUND
) -> ConversationFacts:
    fact = conversation(FAIL, *failures, index=index, arm=L, task=task, strategies=(None, strategy))
    return fact.model_copy(update={"preference": preference})


FACTS = [
    learned(0, (1, "x"), strategy="b", task="t", preference=RANDOM),
    learned(1, (1, "x"), strategy="a", task="u"),
    learned(2, (1, "x"), (0, "y"), strategy="a", task="u"),
    learned(3, strategy="c", task="u"),
    conversation(FAIL, (1, "x"), (1, "y"), index=4, arm=G, task="t", strategies=(None, "b", "b")),
    conversation(Standing.INVALID, (1, "z"), index=5, arm=L, task="t", strategies=(None, "b")),
]


def test_uses_discoveries_and_reasons_of_strategies() -> None:
    """A strategy that is not in the pool any more has its row; failures without a strategy are nobody's."""
    rows = {row.name: row for row in what_was_learned(FACTS, None, strategies=("a", "b"), rng_seed=1).strategies}
    assert list(rows) == ["a", "b", "c"]
    assert (rows["a"].learned, rows["a"].learned_new, rows["a"].explored, rows["a"].exploited) == ((1, 1), 1, 0, 4)
    assert (rows["b"].learned, rows["b"].learned_new, rows["b"].explored, rows["b"].exploited) == ((1, 0), 1, 1, 0)
    assert (rows["b"].guided, rows["b"].guided_new, rows["a"].guided) == (2, 2, 0)
    assert (rows["c"].learned, rows["c"].learned_new) == ((0, 1), 0)


def test_uses_discoveries_and_reasons_of_task_combinations() -> None:
    rows = {row.name: row for row in what_was_learned(FACTS, None, strategies=("a", "b"), rng_seed=1).tasks}
    assert (rows["t"].guided, rows["t"].learned, rows["t"].explored, rows["t"].exploited) == (1, (1, 0), 1, 0)
    assert (rows["u"].guided, rows["u"].learned, rows["u"].explored, rows["u"].exploited) == (0, (1, 2), 0, 3)
    assert (rows["t"].learned_new, rows["u"].learned_new, rows["t"].guided_new) == (1, 2, 2)


def test_where_tasks_were_not_learned_there_are_no_rows_of_them() -> None:
    paired = [fact.model_copy(update={"preference": Preference(strategies=("a",))}) for fact in FACTS]
    assert what_was_learned(paired, None, strategies=("a",), rng_seed=1).tasks == ()


def test_each_assistant_is_compared_with_itself() -> None:
    other = [fact.model_copy(update={"sut": "b"}) for fact in FACTS]
    of_b = what_was_learned([*FACTS, *other], "b", strategies=("a", "b"), rng_seed=1)
    assert of_b.sut == of_b.comparison.sut == "b"
    assert (of_b.discoveries.learned.n, of_b.discoveries.guided.n) == (1, 1)
    assert of_b.comparison.arms == (L, G)
