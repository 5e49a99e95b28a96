from __future__ import annotations

import pytest

from hairpin.agents.offline import build_offline_roles
from hairpin.errors import InvalidInputError
from tests.agents.banking import BUNDLING, STACKING, lexicon, rubric


def test_every_dimension_of_the_rubric_gets_a_judge() -> None:
    roles = build_offline_roles(rubric=rubric(), lexicon=lexicon(), strategies=(STACKING,), language="en")
    assert set(roles.conversation_judges) == {"diligence", "memory", "safety"}


def test_a_language_the_lexicon_does_not_have_is_refused_with_the_way_out() -> None:
    with pytest.raises(InvalidInputError, match=r"lexicon 'banking': .*'de'.*'en'.*signals"):
        build_offline_roles(rubric=rubric(), lexicon=lexicon(), language="de")


def test_a_dimension_without_signals_is_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"dimension 'dilligence'; did you mean 'diligence'\?.*"):
        build_offline_roles(rubric=rubric("dilligence"), lexicon=lexicon(), language="en")


def test_strategies_of_which_none_can_be_spoken_are_refused() -> None:
    mute = STACKING.model_copy(update={"templates": ()})
    with pytest.raises(InvalidInputError, match=r"no strategy has a template.*'stacking'"):
        build_offline_roles(rubric=rubric(), lexicon=lexicon(), strategies=(mute,), language="en")
    build_offline_roles(rubric=rubric(), lexicon=lexicon(), strategies=(mute, BUNDLING), language="en")
