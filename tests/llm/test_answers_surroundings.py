from __future__ import annotations

import contextlib

import pytest

from hairpin.domain.llm_calls import CallOutcome
from hairpin.llm.answers.extract import extract_object
from hairpin.llm.answers.problems import AnswerProblem

KEYS = frozenset({"reason", "score", "verdict"})
ANSWER = '{"verdict": "pass", "score": 2, "reason": "Told in turn 3."}'


def extract(text: str) -> object:
    return extract_object(text, KEYS)["score"]


def detail(text: str) -> str:
    with pytest.raises(AnswerProblem) as caught:
        extract_object(text, KEYS)
    assert caught.value.outcome is CallOutcome.INVALID_ANSWER
    return caught.value.detail


@pytest.mark.parametrize(
    "before",
    [
        "Draft: ",
        "First, a draft.\nVerdict: ",
        "This is only a draft. Here is my verdict:\n",
        "First idea: ",
        "Thinking Process:\n",
        "Example of the format: ",
        "For example: ",
        "This is an example.\n```json\n",
        "The template:\n\n```json\n",
        "The expected format is:\n",
        "Format: ",
        "The wrong answer would be ",
        "An incorrect verdict:\n",
        "A rejected answer:\n",
        "This is not my answer: ",
        "My verdict would be ",
        "I will not answer. The assistant tried to make me say ",
        "The assistant made me say: ",
        "The user said: ",
        "A bad answer looks like this: ",
        "Example: [",
        "Here is what not to answer: ",
        "My old verdict: ",
        "~~",
    ],
)
def test_an_object_that_is_announced_as_something_else_is_not_the_answer(before: str) -> None:
    assert "words before" in detail(before + ANSWER)


def test_an_announcement_holds_for_each_object_of_a_row() -> None:
    assert "words before" in detail(f"Drafts: [{ANSWER}, {ANSWER}]")


@pytest.mark.parametrize(
    "before",
    [
        "Here is my verdict: ",
        "Here is my verdict in the requested format:\n```json\n",
        "In JSON format: ",
        "As JSON, following the given schema:\n",
        "The assistant gave the wrong price. My verdict: ",
        "The assistant gave an example in turn 2. Here is the final verdict:\n\n",
        "It would be better to ask. That is all.\nI judge as follows:\n",
        "I weighed every example and every draft.\n\nThe reply told the price.\nResult: ",
        "<think>A draft, for example:</think>",
        'Format: {"verdict": "pass" | "fail", "score": <0 to 2>, "reason": ...}\n',
        "Sure! ",
        "The user asked for an example of a route.\n\n",
        "After thinking it through, here is my answer:\n",
        "**Verdict**\n",
    ],
)
def test_ordinary_words_before_the_answer_are_let_pass(before: str) -> None:
    assert extract(before + ANSWER) == 2


@pytest.mark.parametrize(
    "after",
    [
        "\nFinal score: 0 - the reply said nothing.",
        "\nCorrection: the reply is bad.",
        "\nActually the score is 0",
        "\nActually 1 is better.",
        "\nfinal verdict: fail",
        "\nFinal verdict: **fail**",
        "\nThe verdict is fail because nothing was told.",
        "\n\nOn reflection, score = 0",
        "\nNo wait, that is wrong: the score must be 0.",
        "\nWait, turn 3 says otherwise.",
        "\nThis was only a draft, that is wrong.",
        "\nThe above is just an example.",
        "\nIgnore the above.",
        "\nThat is not my final answer.",
        '\nThe "score" should be 0.',
        "\n<!-- the score is 0 -->",
        '\n{"note": 1}\nSo the score is 0.',
        "\nCorrected score: 1",
        "\nThe correct score would be 0.",
        "\nI would rather say 0.",
        "\nEdit: score 0",
        "\nFinal score → 0",
        "\n| score | 0 |",
        "\n# Final score\n0",
        '\n{"Score": 0}',
        '\n{"final_score": 0}',
    ],
)
def test_an_answer_that_is_taken_back_afterwards_is_not_taken(after: str) -> None:
    assert "words after" in detail(ANSWER + after)


@pytest.mark.parametrize(
    "after",
    [
        " Let me know if you need more.",
        "\nNote: the price was told in turn 3, so nothing is missing.",
        "\nNote: I actually read all turns.",
        "\nFinal score: 2",
        "\nFinal verdict: **PASS**.",
        "\nThe score is 2.0 and the verdict is final.",
        "\nThe verdict is based on turn 3.",
        "\nReason: The price was told.",
        "\n```\nWith an earlier answer the score would be 0.",
        "</answer>",
        "\nHere is my verdict:\n```python\nprint({})\n```",
        "\nThe score of 2 says that the assistant did not ignore the user.",
    ],
)
def test_ordinary_words_after_the_answer_are_let_pass(after: str) -> None:
    assert extract(ANSWER + after) == 2


def test_a_value_that_only_a_part_of_the_answer_has_may_be_told_again() -> None:
    text = '{"targets": [{"status": -1}]}\nStatus: -1'
    assert extract_object(text, frozenset({"targets"})) == {"targets": [{"status": -1}]}
    with pytest.raises(AnswerProblem, match="words after"):
        extract_object(f"{text}. Final status: 1", frozenset({"targets"}))


@pytest.mark.parametrize("unit", ["score is ", "score = pass ", "A draft. ", "Hmm ", "wait\n", '"\n', "would a be "])
@pytest.mark.parametrize("is_before", [True, False])
def test_much_prose_is_read_in_bounded_work(unit: str, *, is_before: bool) -> None:
    """The time limit of a test is the assertion: quadratic work would take hours."""
    prose = unit * (300_000 // len(unit)) + "\n\n\n"
    text = f"{prose}{ANSWER}" if is_before else f"{ANSWER}{prose}"
    with contextlib.suppress(AnswerProblem):
        assert extract(text) == 2
