"""Agreement of judges with people from Python, as ``hairpin agreement`` computes it."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.analysis.agreement.scale import Levels, Weighting
from hairpin.app.agreement import agreement_of, choices_of
from hairpin.errors import InvalidInputError, UserError

RATINGS = """conversation,rater,dimension,score
c1,anna,clarity,0
c1,ben,clarity,0
c2,anna,clarity,2
c2,ben,clarity,2
c3,anna,clarity,1
c3,ben,clarity,2
"""


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_text(RATINGS)
    return path


def test_people_are_compared_with_each_other_as_on_the_command_line(ratings: Path) -> None:
    report = hairpin.agreement(ratings, weights="linear", scale="seen", resamples=50, interval="percentile", rng_seed=3)
    assert isinstance(report, hairpin.AgreementReport)
    assert (report.runs, report.files, report.n_annotations) == ((), (str(ratings),), 6)
    assert report.study is not None
    chosen = choices_of(weights="linear", scale="seen", n_resamples=50, interval="percentile", rng_seed=3)
    assert (chosen.weighting, chosen.levels) == (Weighting.LINEAR, Levels.SEEN)
    assert report == agreement_of([str(ratings)], chosen)


def test_a_run_and_files_are_named_in_any_order(tmp_path: Path) -> None:
    scenario = tmp_path / "s.yaml"
    scenario.write_text("id: s\nsut: testbed\nseed_phrases: [Guide me home, Find a bakery]\nmax_turns: 1\n")
    run = hairpin.run(scenario, out=tmp_path / "runs", fail_on="none").path
    verdicts = tmp_path / "verdicts.csv"
    verdicts.write_text("conversation,rater,verdict\nc0001,anna,pass\nc0002,anna,fail\n")
    report = hairpin.agreement([verdicts, run], resamples=20)
    assert (len(report.runs), report.judges, report.n_unrated) == (1, ("offline",), 0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"weights": "cubic"}, "unknown weights 'cubic'"),
        ({"interval": "exact"}, "unknown interval 'exact'"),
        ({"scale": "2,1"}, "'2,1' is no scale"),
        ({"threshold": 2}, "must be from 0 to 1, not 2"),
        ({"resamples": -1}, "must be from 0 to 100000, not -1"),
    ],
)
def test_what_there_is_not_is_an_error_that_names_it(ratings: Path, wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        hairpin.agreement(ratings, **wrong)  # type: ignore[arg-type]  # one of several keywords


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone\.csv"):
        hairpin.agreement(tmp_path / "gone.csv")


def crowd(path: Path, n: int) -> Path:
    rows = (f"c{c},p{number},clarity,{(number + c) % 3}\n" for number in range(n) for c in (1, 2))
    path.write_text("conversation,rater,dimension,score\n" + "".join(rows))
    return path


def test_more_pairs_than_can_be_compared_are_refused_with_what_can_be(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="201 people rate, and at most 200 are compared"):
        hairpin.agreement(crowd(tmp_path / "r.csv", 201), resamples=0)
    people = crowd(tmp_path / "r.csv", 60)
    with pytest.raises(
        InvalidInputError, match=r"1,770 pairs on all dimensions: 100,000 resamples.*take 28,240"
    ) as caught:
        hairpin.agreement(people, resamples=100_000)
    assert "--resamples" in str(caught.value)
    assert hairpin.agreement(people, resamples=20).study is not None
