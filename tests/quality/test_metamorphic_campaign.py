"""A campaign that replays its conversations finds a stale cache, and nothing in an assistant without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import hairpin
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.summary import Summary
from hairpin.testing import FakeModelServer
from tests.cli.replay_runs import bag_of_words

pytestmark = pytest.mark.quality

N_CONVERSATIONS = 16
CLEAN = "{provider: testbed, wording: plain}"
MR1, MR3 = MetamorphicRelation.MR1, MetamorphicRelation.MR3


@pytest.fixture
def vectors() -> Iterator[str]:
    with FakeModelServer(embed=bag_of_words) as server:
        yield server.base_url


def summary_of(folder: Path, vectors: str, **overrides: str) -> Summary:
    encoder = f"{{model: words, base_url: '{vectors}'}}"
    settings = {"metamorphic.encoder": encoder, "rng_seed": "2", **overrides}
    result = hairpin.run_campaign(
        "campaigns/stale_answers", conversations=N_CONVERSATIONS, out=folder, overrides=settings, fail_on="none"
    )
    return result.summary


@pytest.mark.timeout(180)
def test_a_stale_cache_is_found_by_replays_and_by_nothing_else(tmp_path: Path, vectors: str) -> None:
    found = summary_of(tmp_path, vectors).metamorphic
    assert found.of(MR1).violations + found.of(MR3).violations > 0
    assert found.of(MR1).checks > 200
    assert found.missing == 0
    assert not found.broken


@pytest.mark.timeout(180)
def test_an_assistant_without_faults_violates_nothing(tmp_path: Path, vectors: str) -> None:
    found = summary_of(tmp_path, vectors, sut=CLEAN).metamorphic
    assert (found.of(MR1).violations, found.of(MR3).violations) == (0, 0)
    assert found.of(MR1).checks > 200
