"""How long a campaign takes, and what of it a user may not have meant, in words."""

from __future__ import annotations

import pytest

from hairpin.app.campaign_words import campaign_words, extent_words, remarks
from hairpin.domain.arm import Arm
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, Pairing, SeedPhrase, SeedPool, Split
from hairpin.domain.sut_spec import TestbedSut
from tests.domain.builders import a_persona

BOTH = (Arm.GUIDED, Arm.BASELINE)
TWO_SUTS = {"v1": TestbedSut(), "v2": TestbedSut()}


def spec(**changes: object) -> CampaignSpec:
    plain = CampaignSpec(
        max_turns=(3, 4),
        pools=(SeedPool(name="p", phrases=(SeedPhrase(text="Take me home"),)),),
        baseline=BaselineSpec(persona=a_persona()),
    )
    return plain.model_copy(update=changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"time_s": 14400.0, "runs": 2, "suts": TWO_SUTS, "arms": BOTH},
            "4 cells (2 runs × 2 assistants) one after another, 2 arms of 4h each: 32h in all at most",
        ),
        ({"time_s": 14400.0}, "1 cell (1 run × 1 assistant), 1 arm of 4h: 4h in all at most"),
        (
            {"time_s": 5400.0, "runs": 3},
            "3 cells (3 runs × 1 assistant) one after another, 1 arm of 1h30m in each: 4h30m in all at most",
        ),
        (
            {"time_s": 14400.0, "runs": 2, "arms": BOTH, "split": Split.TOTAL},
            "2 cells (2 runs × 1 assistant) one after another, 2 arms that share 4h in each: 8h in all at most",
        ),
        (
            {"time_s": 14400.0, "arms": BOTH, "split": Split.COUNT, "conversations": 6},
            "1 cell (1 run × 1 assistant), 2 arms that share 8h: 8h in all at most, less if 6 conversations are over "
            "sooner",
        ),
        (
            {"conversations": 1},
            "1 cell (1 run × 1 assistant), 1 arm in each: 1 conversation in all, however long they take",
        ),
        (
            {"suts": TWO_SUTS, "arms": BOTH},
            "2 cells (1 run × 2 assistants) one after another, 2 arms in each: 4 times what --time says in all at most",
        ),
    ],
)
def test_the_whole_duration_follows_from_cells_arms_and_how_they_share_time(
    changes: dict[str, object], said: str
) -> None:
    assert extent_words(spec(**changes)) == said


def test_what_a_campaign_holds_is_one_line() -> None:
    assert campaign_words(spec(time_s=90.0, conversations=5, arms=BOTH, suts=TWO_SUTS)) == (
        "guided and baseline; 1 run against v1, v2; 1 seed phrases; 90s per arm and cell, 5 conversations in all"
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"conversations": 8, "runs": 2, "suts": TWO_SUTS, "arms": BOTH}, []),
        (
            {"conversations": 5, "runs": 2, "suts": TWO_SUTS, "arms": BOTH},
            ["5 conversations for 4 cells × 2 arms: the last 3 of these 8 get none"],
        ),
        ({"conversations": 5, "arms": BOTH}, []),
        (
            {"conversations": 5, "arms": BOTH, "split": Split.COUNT},
            [
                "5 conversations cannot be split by count among 2 arms, so in one cell the last of guided is not "
                "begun; --conversations 4 or 6 is even"
            ],
        ),
        ({"conversations": 6, "arms": BOTH, "split": Split.COUNT}, []),
        ({"arms": BOTH, "pairing": Pairing.PAIRED}, []),
        ({"arms": BOTH, "baseline": BaselineSpec(persona=a_persona(), max_turns=3)}, []),
        (
            {
                "arms": BOTH,
                "pairing": Pairing.PAIRED,
                "baseline": BaselineSpec(persona=a_persona("rude"), max_turns=3),
            },
            [
                "arms are paired, so campaign.baseline (persona rude, M = 3) is not used: the baseline has the guided "
                "arm's users, with M = 3, 4"
            ],
        ),
    ],
)
def test_what_comes_out_otherwise_than_it_looks_is_remarked(changes: dict[str, object], said: list[str]) -> None:
    assert list(remarks(spec(**changes))) == said


def test_one_conversation_that_cannot_be_shared_is_never_begun() -> None:
    few, uneven = remarks(spec(conversations=1, arms=BOTH, split=Split.COUNT))
    assert few == "1 conversation for 1 cell × 2 arms: the last 1 of these 2 get none"
    assert uneven.endswith("--conversations 2 is even")
