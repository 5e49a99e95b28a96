"""What a campaign is: values that cannot contradict themselves."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, SeedPhrase, SeedPool
from hairpin.domain.sut_spec import TestbedSut
from tests.domain.builders import a_persona

POOL = SeedPool(name="p", phrases=(SeedPhrase(text="Take me home"),))


def a_spec(**changes: object) -> CampaignSpec:
    settings = {"max_turns": (8,), "pools": (POOL,), "baseline": BaselineSpec(persona=a_persona())}
    return CampaignSpec.model_validate(settings | changes)


def test_runs_draw_from_the_pools_in_turn() -> None:
    other = POOL.model_copy(update={"name": "q"})
    assert [a_spec(pools=(POOL, other)).pool_of(run).name for run in range(3)] == ["p", "q", "p"]


def test_without_assistants_of_its_own_it_has_one() -> None:
    assert a_spec(runs=3).n_cells == 3
    two = a_spec(runs=3, suts={"a": TestbedSut(), "b": TestbedSut()})
    assert (two.n_suts, two.n_cells) == (2, 6)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"max_turns": (8, 8)}, "max_turns has a level twice"),
        ({"max_turns": (0,)}, "max_turns must be at least 1"),
        ({"arms": (Arm.GUIDED, Arm.GUIDED)}, "arms has a level twice"),
        ({"arms": (Arm.LEARNED,)}, "always compared with uniform choice"),
        ({"arms": (Arm.LEARNED, Arm.BASELINE)}, "always compared with uniform choice"),
        ({"pools": ({"name": "p", "phrases": [{"text": "a"}, {"text": "a", "task": "t"}]},)}, "has a phrase twice"),
    ],
)
def test_a_level_counts_once(changes: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        a_spec(**changes)
