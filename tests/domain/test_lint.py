"""Rules for what is valid and cannot find anything; those about numbers agree with the scores themselves."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hairpin.domain.checks import ContainsCheck, FunctionCheck, RegexCheck
from hairpin.domain.lint import (
    Finding,
    always_passes,
    asks_nothing,
    echo_passes,
    equal_anchors,
    never_matters,
    repeated,
    targets_decide,
    weightless,
)
from hairpin.domain.rubric import Dimension, Weights
from hairpin.domain.scoring import success_score

small_weights = st.integers(0, 4).map(float)
thresholds = st.sampled_from([0.05, 0.25, 0.5, 0.75, 0.9, 1.0])


@given(st.sampled_from([".*", "^.*", "a*", "(x|)", "", r"\s*", "[^a]*", "(?s).*", "toll?|"]), st.text())
def test_a_pattern_that_is_called_pointless_matches_every_reply(pattern: str, reply: str) -> None:
    if always_passes(RegexCheck(pattern=pattern)):
        assert re.search(pattern, reply) is not None


@pytest.mark.parametrize("pattern", [".*", "^.*", "a*", "(x|)", r"\A.*", "(?s).*"])
def test_patterns_that_match_the_empty_text_are_found(pattern: str) -> None:
    assert always_passes(RegexCheck(pattern=pattern))


@pytest.mark.parametrize("pattern", ["toll", ".+", "^$", r"(?!.*toll)", "^(?!.*toll).*", r"\bno\b", "^ok$"])
def test_patterns_that_can_fail_are_not_flagged(pattern: str) -> None:
    assert not always_passes(RegexCheck(pattern=pattern))
    assert not always_passes(ContainsCheck(text="toll"))


@given(st.text(min_size=1), st.text(), st.text())
def test_a_word_of_the_users_is_met_by_an_echo(word: str, before: str, after: str) -> None:
    assert echo_passes(ContainsCheck(text=word, ignore_case=False), before + word + after)


def test_only_the_users_own_words_are_met_by_an_echo() -> None:
    assert echo_passes(ContainsCheck(text="TOLL"), "avoid toll roads")
    assert not echo_passes(ContainsCheck(text="TOLL", ignore_case=False), "avoid toll roads")
    assert echo_passes(RegexCheck(pattern="toll|fee"), "avoid toll roads")
    assert not echo_passes(RegexCheck(pattern="no tolls"), "avoid toll roads")
    assert not echo_passes(FunctionCheck(reference="./f.py:f"), "avoid toll roads")


def passes(scores: dict[str, int], ratio: Fraction | None, weights: Weights, threshold: float) -> bool:
    """Whether C, as ``domain.scoring`` has it for targets of which that share is completed, reaches the threshold."""
    only = success_score(scores, (), weights)
    total = sum(Fraction(str(w)) for w in weights.dimensions.values())
    if ratio is None:
        return only is not None and only >= Fraction(str(threshold))
    w_t = Fraction(str(weights.targets))
    c = ((only or 0) * total + w_t * ratio) / (total + w_t)
    return c >= Fraction(str(threshold))


@settings(max_examples=15, deadline=None)
@given(st.lists(small_weights, min_size=1, max_size=2), small_weights, thresholds)
def test_a_dimension_that_never_matters_changes_no_verdict_and_the_others_change_one(
    values: list[float], targets: float, threshold: float
) -> None:
    if not any([*values, targets]):
        return
    weights = Weights(dimensions={f"d{i}": value for i, value in enumerate(values)}, targets=targets)
    idle = never_matters(weights, threshold)
    ratios = [None, *(Fraction(k, n) for n in range(1, 9) for k in range(n + 1))]
    if not any(values):
        assert idle == ()
        return
    for name, weight in weights.dimensions.items():
        others = [other for other in weights.dimensions if other != name]
        changed = any(
            passes(dict(zip(others, scores, strict=True)) | {name: 0}, ratio, weights, threshold)
            != passes(dict(zip(others, scores, strict=True)) | {name: 2}, ratio, weights, threshold)
            for scores in product((0, 1, 2), repeat=len(others))
            for ratio in ratios
        )
        assert changed == (weight > 0 and name not in idle)


def test_the_papers_weights_let_every_dimension_matter() -> None:
    weights = Weights(dimensions=dict.fromkeys(("a", "b", "c", "d"), 1.0), targets=1.0)
    assert never_matters(weights, 0.75) == ()
    assert not targets_decide(weights, 0.75)
    assert weightless(weights) == ()


def test_a_rubric_with_too_many_sums_is_not_examined() -> None:
    weights = Weights(dimensions={f"d{i}": 1 + i / 997 for i in range(14)}, targets=1.0)
    assert never_matters(weights, 0.5) == ()


def test_targets_that_reach_the_threshold_alone_are_found() -> None:
    heavy = Weights(dimensions={"a": 1.0, "b": 0.0}, targets=3.0)
    assert targets_decide(heavy, 0.75)
    assert not targets_decide(heavy, 0.76)
    assert not targets_decide(heavy, 0.0)
    assert not targets_decide(Weights(dimensions={"a": 1.0}, targets=0.0), 0.5)
    assert weightless(heavy) == ("b",)


@pytest.mark.parametrize(
    ("anchors", "same"),
    [
        (("bad", "so so", "good"), None),
        (("Bad.", "bad", "good"), (0, 1)),
        (("a", "b", "B"), (1, 2)),
        (("a", "b", "a"), (0, 2)),
    ],
)
def test_scores_with_the_same_text_are_found(anchors: tuple[str, str, str], same: tuple[int, int] | None) -> None:
    assert equal_anchors(Dimension(id="d", title="D", question="?", anchors=anchors)) == same


def test_phrases_that_say_the_same_are_found_whatever_their_case_and_ends() -> None:
    assert list(repeated(["Take me home", "Play jazz", "take me  home!", "Take me home."])) == [(2, 0), (3, 0)]


@given(st.lists(st.text(), unique_by=lambda text: " ".join(text.casefold().split())))
def test_what_is_repeated_was_said_before(phrases: list[str]) -> None:
    assert all(earlier < index for index, earlier in repeated(phrases))


@pytest.mark.parametrize("phrase", ["Hello!", "thank you", "…", "OK"])
def test_greetings_and_signs_ask_for_nothing(phrase: str) -> None:
    assert asks_nothing(phrase)
    assert not asks_nothing(f"{phrase} take me home")


def test_a_finding_is_one_line_with_place_reason_and_way_out() -> None:
    finding = Finding(rule="weights", where="s.yaml:3", what="w", why="because", hint="mend it")
    assert finding.line == "s.yaml:3: w [weights]; because; mend it"
