from __future__ import annotations

from itertools import combinations
from statistics import mean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]
from statsmodels.stats import inter_rater  # type: ignore[import-untyped]

from hairpin.analysis.agreement.alpha_of_ratings import krippendorff_alpha
from hairpin.analysis.agreement.krippendorff import Metric
from hairpin.analysis.agreement.model import AgreementStudy, RowKind
from hairpin.analysis.agreement.rating_study import study_agreement
from hairpin.analysis.agreement.scale import ORDINAL_SCALE, Scale, Weighting
from hairpin.domain.base import Value
from hairpin.domain.outcome import Verdict
from tests.analysis.agreement.published_ratings import DIAGNOSES
from tests.analysis.agreement.rating_sheets import a_sheet, a_study_of, some_ratings, some_settings
from tests.analysis.agreement.rating_strategies import Ratings, raters

ROWS = {
    "ann": {"x": "0121022010", "y": "2210012201"},
    "bob": {"x": "0122012010", "y": "2110022201"},
    "cyd": {"x": "1121022000", "y": "2210112202"},
}
JUDGE = {"x": "0121012011", "y": "2220012201"}


def a_study() -> AgreementStudy:
    people = [a_sheet(name, x=rows["x"], y=rows["y"]) for name, rows in ROWS.items()]
    judges = (a_sheet("j", judge=True, x=JUDGE["x"], y=JUDGE["y"]),)
    return study_agreement(some_ratings(*people, judges=judges), some_settings("x", "y", n_resamples=200))


def column(rows: dict[str, str], dimension: str) -> list[int]:
    return [int(digit) for digit in rows[dimension]]


def test_a_judge_s_row_is_the_mean_over_its_pairs_with_people_and_dimensions() -> None:
    row = a_study().rows[0]
    kappas = {
        d: [cohen_kappa_score(column(own, d), column(JUDGE, d), weights="quadratic") for own in ROWS.values()]
        for d in "xy"
    }
    assert row.kind is RowKind.JUDGE
    assert row.overall.kappa.value == pytest.approx(mean([*kappas["x"], *kappas["y"]]))
    assert [each.kappa.value for each in row.dimensions] == pytest.approx([mean(kappas["x"]), mean(kappas["y"])])
    means = [mean(kappas["x"]), mean(kappas["y"])]
    assert row.cv_kappa.value == pytest.approx(pstdev(means) / mean(means))
    assert (row.overall.kappa.n, row.overall.n_ratings) == (6, 60)


def test_people_s_row_is_the_mean_over_pairs_of_people() -> None:
    row = a_study().row(RowKind.PEOPLE)
    rhos = [
        stats.spearmanr(column(one, d), column(other, d)).statistic
        for d in "xy"
        for one, other in combinations(ROWS.values(), 2)
    ]
    assert row.overall.rho.value == pytest.approx(mean(rhos))
    low, value, high = row.overall.rho.low, row.overall.rho.value, row.overall.rho.high
    assert low is not None
    assert value is not None
    assert high is not None
    assert low <= value <= high


def test_all_people_at_once_are_the_figures_of_single_dimensions() -> None:
    of_x, _, of_all = a_study().many
    scores = [column(own, "x") for own in ROWS.values()]
    counts = [[item.count(level) for level in (0, 1, 2)] for item in zip(*scores, strict=True)]
    assert of_x.fleiss.value == pytest.approx(inter_rater.fleiss_kappa(counts))
    for metric in Metric:
        assert of_x.alphas[metric].value == pytest.approx(krippendorff_alpha(scores, ORDINAL_SCALE, metric).value)
    assert of_all.dimension is None
    assert of_all.fleiss.n == 2


def test_lights_and_fleiss_kappa_of_all_people_are_the_published_ones() -> None:
    of_x, _ = a_study_of(*DIAGNOSES, scale=Scale(levels=(1, 2, 3, 4, 5))).many
    assert of_x.light.value is not None
    assert of_x.fleiss.value is not None
    assert (round(of_x.light.value, 3), of_x.light.n) == (0.459, 15)
    assert (round(of_x.fleiss.value, 7), of_x.fleiss.n) == (0.4302445, 30)


@given(raters())
def test_lights_kappa_is_the_mean_of_all_pairs_that_have_one(several: list[Ratings]) -> None:
    found = a_study_of(*several, weighting=Weighting.QUADRATIC)
    known = [pair.kappa.value for pair in found.pairs if pair.kappa.value is not None]
    light = found.many[0].light
    assert (light.n, light.n_undefined) == (len(known), len(found.pairs) - len(known))
    assert light.value == (pytest.approx(mean(known), abs=1e-12) if known else None)


@pytest.mark.parametrize(
    ("ratings", "light", "fleiss"),
    [
        ([[1, 2]], "there are not two raters to compare", "no item has two ratings"),
        ([[1, None], [None, 1]], "no item that both rated", "no item has two ratings"),
        ([[1, 1], [1, 1]], "chance agrees as well", "chance agrees as well"),
    ],
)
def test_of_all_people_what_is_undefined_says_why(ratings: list[Ratings], light: str, fleiss: str) -> None:
    of_x, _ = a_study_of(*ratings).many
    assert of_x.light.value is None
    assert of_x.light.reason.endswith(light)
    assert of_x.fleiss.value is None
    assert of_x.fleiss.reason.endswith(fleiss)


def test_the_constant_guess_has_kappa_0_no_rho_and_the_share_of_the_most_frequent_score() -> None:
    row = a_study().row(RowKind.CONSTANT)
    of_x = row.dimensions[0]
    assert of_x.kappa.value == 0
    assert of_x.rho.value is None
    assert "no order" in of_x.rho.reason
    scores = [column(own, "x") for own in ROWS.values()]
    assert of_x.exact.value == pytest.approx(max(mean(own.count(k) / 10 for own in scores) for k in (0, 1, 2)))
    assert of_x.within_one.value == 1


def test_a_judge_that_repeats_the_only_person_agrees_in_everything() -> None:
    person = a_sheet("ann", x="0120", y="2102")
    judge = a_sheet("j", judge=True, x="0120", y="2102")
    found = study_agreement(some_ratings(person, judges=(judge,)), some_settings("x", "y"))
    row = found.rows[0]
    assert (row.overall.kappa.value, row.overall.rho.value, row.overall.exact.value) == (1, 1, 1)
    assert (row.f1_fail.value, row.f1_pass.value) == (1, None)
    assert row.f1_pass.reason == "nobody says pass"
    assert found.row(RowKind.PEOPLE).overall.kappa.reason == "there are not two raters to compare"
    assert found.departures == ()
    assert found.alone == ("ann",)


def test_whoever_shares_nothing_is_named_and_pairs_without_overlap_are_counted() -> None:
    people = (a_sheet("ann", x="0120...", y="0120..."), a_sheet("bob", x="0121...", y="2121..."))
    apart = a_sheet("eve", x="....012", y="....210")
    found = study_agreement(some_ratings(*people, apart, n=7), some_settings("x", "y"))
    overall = found.row(RowKind.PEOPLE).overall
    assert found.alone == ("eve",)
    assert (overall.kappa.n, overall.kappa.n_undefined) == (2, 4)
    reasons = {pair.kappa.reason for pair in found.pairs if "eve" in (pair.first, pair.second)}
    assert reasons == {"no item that both rated"}
    assert found.raters[-1].name == "eve"
    assert found.raters[-1].kappa.reason == "no item that both rated"


def test_leaving_out_the_rater_who_disagrees_raises_kappa_most() -> None:
    people = [a_sheet("ann", x="0120120121"), a_sheet("bob", x="0120120121"), a_sheet("odd", x="2102102101")]
    found = study_agreement(some_ratings(*people), some_settings("x"))
    worst = found.raters[0]
    assert worst.name == "odd"
    assert worst.without.value == 1
    assert worst.change.value is not None
    assert worst.change.value > 0


def test_the_conversation_that_people_disagree_on_comes_first() -> None:
    people = [a_sheet("ann", x="000", y="012"), a_sheet("bob", x="020", y="012")]
    worst, *others = study_agreement(some_ratings(*people), some_settings("x", "y")).items
    assert (worst.conversation, worst.worst_dimension, worst.disagreement.value) == ("c1", "x", 0.5)
    assert [each.worst_dimension for each in others] == [None, None]


def test_verdicts_of_a_judge_against_most_people_are_listed_and_ties_are_counted() -> None:
    people = [a_sheet("ann", x="202"), a_sheet("bob", x="200")]
    judge = a_sheet("j", judge=True, x="022")
    found = study_agreement(some_ratings(*people, judges=(judge,)), some_settings("x"))
    assert [(each.conversation, each.verdict) for each in found.departures] == [
        ("c0", Verdict.FAIL),
        ("c1", Verdict.PASS),
    ]
    assert (found.verdicts.majorities, found.verdicts.fails, found.verdicts.ties) == (2, 1, 1)
    assert found.rows[0].n_verdicts == 2


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to compare"):
        study_agreement(some_ratings(), some_settings("x"))


def test_the_same_seed_gives_the_same_study() -> None:
    assert a_study() == a_study()


digits = st.text("012.", min_size=4, max_size=4)


@settings(max_examples=40)
@given(st.lists(st.tuples(digits, digits), min_size=1, max_size=4), st.tuples(digits, digits))
def test_whatever_is_missing_every_figure_is_a_number_or_says_why(
    people: list[tuple[str, str]], judge: tuple[str, str]
) -> None:
    sheets = [a_sheet(f"p{number}", x=own[0], y=own[1]) for number, own in enumerate(people)]
    ratings = some_ratings(*sheets, judges=(a_sheet("j", judge=True, x=judge[0], y=judge[1]),), n=4)
    ratings = ratings.model_copy(update={"dimensions": ("x", "y")})
    found = study_agreement(ratings, some_settings("x", "y", n_resamples=20))
    for value in values_in(found):
        held = value.model_dump()
        if "reason" in held:
            assert (held.get("value", held.get("rate")) is None) == bool(held["reason"])


def values_in(value: Value) -> list[Value]:
    found = [value]
    for name in type(value).model_fields:
        held = getattr(value, name)
        for each in held.values() if isinstance(held, dict) else held if isinstance(held, tuple) else (held,):
            found += values_in(each) if isinstance(each, Value) else []
    return found
