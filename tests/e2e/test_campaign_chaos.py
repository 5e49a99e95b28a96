"""A campaign that is killed again and again, goes on each time, and in the end has everything once.

CHAOS_KILLS in the environment says how often: 10 times unless it says more.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.campaign_runs import world
from tests.e2e.chaos import CONVERSATIONS_PER_KILL, blows_of, survive
from tests.e2e.warm_hairpin import WarmHairpin

pytestmark = pytest.mark.chaos

N_KILLS: Final = int(os.environ.get("CHAOS_KILLS", "10"))


@pytest.mark.timeout(20 * N_KILLS)
@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_a_campaign_that_is_killed_again_and_again_has_every_conversation_once_in_the_end(
    tmp_path: Path, warm: WarmHairpin, store: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres_url") if store == "postgresql" else None
    with world(tmp_path, warm, url=url, n_phrases=CONVERSATIONS_PER_KILL * N_KILLS // 2) as served:
        survive(served, blows_of(1, N_KILLS))
        assert served.summary["conversations"]["passed"] == CONVERSATIONS_PER_KILL * N_KILLS
