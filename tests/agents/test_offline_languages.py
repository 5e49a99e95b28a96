"""Languages that the offline agents do not have."""

from __future__ import annotations

import pytest

from hairpin.agents.offline.languages import refuse_unknown_language
from hairpin.errors import InvalidInputError


def test_english_is_spoken_and_others_are_refused_with_the_way_out() -> None:
    refuse_unknown_language("en", role="decontextualiser")
    with pytest.raises(InvalidInputError, match=r"decontextualiser does not speak 'ja'; it speaks 'en'; give the role"):
        refuse_unknown_language("ja", role="decontextualiser")
