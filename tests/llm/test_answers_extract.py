from __future__ import annotations

import pytest

from hairpin.domain.llm_calls import CallOutcome
from hairpin.llm.answers.extract import extract_object
from hairpin.llm.answers.problems import AnswerProblem

KEYS = frozenset({"verdict", "score", "reason"})
PASS = '{"verdict": "pass", "score": 0.9, "reason": "Explained in turn 3."}'
FAIL = '{"verdict": "fail", "score": 0.1, "reason": "Never explained."}'


def extract(text: str) -> object:
    return extract_object(text, KEYS)["verdict"]


def problem(text: str) -> AnswerProblem:
    with pytest.raises(AnswerProblem) as caught:
        extract_object(text, KEYS)
    return caught.value


THINKING = [
    '<think>Maybe {"verdict": "fail", "score": 0.1}? No, turn 3 fixes it.</think>',
    f"<think>{FAIL}</think>",
    f"<think></think>\n<think>{FAIL}</think>",
    "<think></think>",
    f"{FAIL}? No.</think>",
    f"<Thinking>\n```json\n{FAIL}\n```\n</THINKING>",
    f"[THINK]{FAIL}[/THINK]",
    f"<reasoning>{FAIL}</reasoning>",
    f"<seed:think>{FAIL}</seed:think>",
    f"◁think▷{FAIL}◁/think▷",
    f"<|begin_of_thought|>{FAIL}<|end_of_thought|>",
    f"<|channel|>analysis<|message|>{FAIL}<|end|><|start|>assistant<|channel|>final<|message|>",
    f"< think >{FAIL}</ think >",
    f'<think type="deep">{FAIL}</think>',
    f"&lt;think&gt;{FAIL}&lt;/think&gt;",
    f"<|channel>thought\n{FAIL}<channel|>",
    *(
        f"<{tag}>A draft: {FAIL}</{tag}>"
        for tag in ("draft", "plan", "cot", "inner_monologue", "Reflection", "scratchpad")
    ),
    *(f"```{name}\n{FAIL}\n```" for name in ("thinking", "thought", "reasoning")),
    f"```thinking\n```json\n{FAIL}\n```\n```json\n{FAIL}\n```\n```",
    f"<!-- {FAIL} -->",
    f"<think>I must not write </think> here. {FAIL}</think>",
    '<think>Maybe {"verdict": "fail", "reason": "cut off</think>',
]


@pytest.mark.parametrize("thinking", THINKING)
@pytest.mark.parametrize("answer", [PASS, f"Here it is:\n```json\n{PASS}\n```\nLet me know if you need more."])
def test_the_answer_is_what_follows_the_thinking(thinking: str, answer: str) -> None:
    assert extract(f"{thinking}\n\n{answer}") == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "<think>",
        f"<think>{FAIL}",
        f"{FAIL} <think>wait, turn 3",
        f"<think>a</think>{FAIL}<think>b",
        f"<draft>{FAIL}",
        f"< think >{FAIL}",
        f'<think type="deep">{FAIL}',
        f"&lt;think&gt;{FAIL}",
        f"<|channel>thought\n{FAIL}",
        f"```thinking\n{FAIL}",
        f"```thinking\n```json\n{FAIL}\n```",
        f"<!-- {FAIL}",
    ],
)
def test_thinking_that_does_not_end_leaves_no_answer(text: str) -> None:
    found = problem(text)
    assert found.outcome is CallOutcome.NO_ANSWER
    assert "does not end" in found.detail


def test_an_answer_that_is_thought_about_afterwards_is_a_draft() -> None:
    assert problem(f"{FAIL}\n<think>No, turn 3 fixes it.</think>\nIt passes.").outcome is CallOutcome.NO_ANSWER


@pytest.mark.parametrize("thinking", [opened for opened in THINKING if "cut off" not in opened])
def test_thinking_alone_is_no_answer(thinking: str) -> None:
    assert problem(thinking).outcome is CallOutcome.NO_ANSWER


@pytest.mark.parametrize("after", [f"<think>{PASS}</think>", "<think>Done.</think>", "```thinking\nDone.\n```"])
def test_an_answer_before_thinking_is_a_draft_also_when_nothing_follows(after: str) -> None:
    assert problem(f"{FAIL}\n{after}").outcome is CallOutcome.NO_ANSWER


def test_a_message_of_more_than_a_million_characters_is_not_looked_into() -> None:
    assert extract(PASS + " " * (1_000_000 - len(PASS))) == "pass"
    found = problem(PASS + " " * (1_000_001 - len(PASS)))
    assert found.outcome is CallOutcome.INVALID_ANSWER
    assert "longer than 1,000,000 characters" in found.detail


@pytest.mark.parametrize(
    "text",
    [
        f'{{"draft": {PASS}, "answer": 0}}',
        f'{{"draft": {PASS}, "answer": {FAIL}}}',
        f'{{"type": "object", "answer": {PASS}}}',
        f'{{"draft": {PASS}}}',
        f'{{"rejected": {PASS}}}',
        f'{{"not_my_answer": {PASS}}}',
        f'{{"notMine": {PASS}}}',
        f'{{"example": {PASS}}}',
        f'{{"wrongVerdict": {PASS}}}',
        f'{{"thoughts": {PASS}}}',
        f'{PASS[:-1]}, "corrected": {FAIL}}}',
    ],
)
def test_an_answer_inside_another_object_is_not_taken_where_that_could_mean_something(text: str) -> None:
    found = problem(text)
    assert found.outcome is CallOutcome.INVALID_ANSWER
    assert "inside another JSON object" in found.detail


def test_a_wrapped_draft_is_a_rival_that_gives_way_to_the_one_called_final() -> None:
    draft = f'{{"draft": {FAIL}}}'
    assert "different JSON objects" in problem(f"{draft}\n{PASS}").detail
    assert extract(f"{draft}\nFinal verdict: {PASS}") == "pass"


def test_tags_inside_the_answer_are_its_content() -> None:
    reason = f"It printed <think>{FAIL}</think>.".replace('"', '\\"')
    text = f'Verdict: {{"verdict": "pass", "score": 1, "reason": "{reason}"}}'
    assert extract_object(text, KEYS)["reason"] == reason.replace('\\"', '"')


@pytest.mark.parametrize(
    "text",
    [
        f"\ufeff  \n{PASS}\n\n",
        f"```json\n{PASS}\n```",
        f"```\n{PASS}",
        f"~~~JSON\n{PASS}\n~~~",
        f"As JSON: {PASS} (that is all)",
        f"[{PASS}]",
        f'I use {{ and }} with care, and say "no {{".\n{PASS}',
        f"{{{PASS}}}",
        f'Pattern: {{"verdict": "pass" | "fail", "score": <0 to 1>}}\n{PASS}',
        f"{PASS}\n{PASS}",
        f'I noted {{"verdict": "fail"}} first, but then: {PASS}',
        f"The tool said {{'temperature': 21}}. {PASS}",
        f'{{"answer": {PASS}}}',
        f"For one example see turn 3. <!-- {FAIL} --> My verdict: {PASS}",
        f"{PASS}\n<!-- the end -->",
        '"{\\"verdict\\": \\"pass\\", \\"score\\": 1, \\"reason\\": \\"<think>\\"}"',
    ],
)
def test_the_only_verdict_is_found(text: str) -> None:
    assert extract(text) == "pass"


@pytest.mark.parametrize(
    "label",
    [
        "Final answer:",
        "**Final verdict:**",
        "So my final verdict is:",
        "Here is the corrected JSON:\n```json",
        "<answer>",
    ],
)
def test_of_two_verdicts_the_one_called_final_is_the_answer(label: str) -> None:
    assert extract(f"First I would say {FAIL}\n{label}\n{PASS}") == "pass"


@pytest.mark.parametrize(
    "text",
    [
        f"{FAIL}\n{PASS}",
        f"```json\n{FAIL}\n```\n```json\n{PASS}\n```",
        f"{FAIL}\nThis is not my final answer:\n{PASS}",
        f"{FAIL}\nA final answer that would be wrong:\n{PASS}",
        f"Final answer: {PASS}\nFor comparison, a bad one: {FAIL}",
        f"Final answer: {PASS}\nFinal answer: {FAIL}",
        f'{FAIL}\nCorrection: {{"verdict": "pass"}}',
        f'{{"verdict": "pass", "score": 1, "reason": "so "good""}}\nFor example: {FAIL}',
        f"[{PASS}, {FAIL}]",
    ],
)
def test_of_two_verdicts_none_is_guessed(text: str) -> None:
    found = problem(text)
    assert found.outcome is CallOutcome.INVALID_ANSWER
    assert "different JSON objects" in found.detail


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "pass", "score": 0.8, "reason": "The agent asked for the order numb',
        '{"verdict": "pass", "score": 0.8, "reason": "ok"',
        '{"verdict": "pass", "score": 0.8, "reason": "ok",',
        '{"verdict": "pass", "sco',
        f'{FAIL}\nCorrected: {{"ver',
        f"{FAIL}\nCorrected: {{",
    ],
)
def test_an_answer_that_is_cut_off_is_not_completed(text: str) -> None:
    found = problem(text)
    assert found.outcome is CallOutcome.INVALID_ANSWER
    assert "the text ends" in found.detail


def test_a_draft_that_was_cut_off_does_not_swallow_the_answer_behind_it() -> None:
    """Its open string takes the answer for its own words, up to a quote after which both together are valid JSON."""
    found = problem("""{"verdict": "fail", "score": 1, "reason": "as {'verdict': 'pass', 'score': 2, 'reason': "}""")
    assert found.outcome is CallOutcome.INVALID_ANSWER
    assert "runs into another" in found.detail


@pytest.mark.parametrize("text", ["", "   ", "It passes.", "verdict: pass", "{", "[]", '"pass"', "```json\n```"])
def test_no_object_is_no_answer_or_an_unreadable_one(text: str) -> None:
    assert problem(text).outcome is (CallOutcome.INVALID_ANSWER if text == "{" else CallOutcome.NO_ANSWER)


def test_an_object_of_other_keys_is_not_the_answer() -> None:
    assert problem('{"result": 1}').detail == "the JSON object has none of the keys reason, score, verdict"


@pytest.mark.parametrize(
    "before",
    [
        'Maybe {"verdict": "fail", "reason": "cut off</think>',
        '<think></think>{"verdict": oops}</think>',
        '{"verdict": oops} <think></think>',
    ],
)
def test_a_tag_in_or_after_an_unreadable_object_may_stand_in_a_string_so_nothing_is_taken(before: str) -> None:
    assert problem(f"{before}\n{PASS}").outcome is CallOutcome.INVALID_ANSWER


def test_an_unreadable_object_reaches_to_the_last_brace_that_could_be_its_own() -> None:
    text = '{"note": "say "yes }" twice", "example": ' + PASS + "}"
    assert problem(text).outcome is CallOutcome.INVALID_ANSWER


def test_a_sketch_in_thinking_that_no_tag_opens_is_forgotten() -> None:
    assert extract(f'Perhaps {{verdict: fail}} or {{"verdict": <pass>}}.</think>\n{PASS}') == "pass"


def test_a_string_that_may_have_swallowed_another_object_is_not_read() -> None:
    other = "{'verdict': 'pass', 'score': 1, 'reason': 'y'}"
    assert "another object" in problem(f'{{"verdict": "fail", "score": 0, "reason": "cut\n{other} "}}').detail


def test_nothing_inside_an_unreadable_object_counts() -> None:
    text = f'{{"reason": "so "good"", "verdict": "pass", "example": {FAIL}}}'
    assert "cannot be read" in problem(text).detail


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        '{"',
        '{"a"',
        '{"a":',
        '{"a":[1,',
        "{'a': '",
        "{a:",
        "}",
        "<think>",
        "</think>",
        "<!--",
        "< ",
        "```plan\n",
        '{"a":"\\',
    ],
)
def test_a_heap_of_beginnings_is_refused_in_bounded_work(unit: str) -> None:
    """The time limit of a test is the assertion: quadratic work would take hours."""
    assert problem(unit * (300_000 // len(unit))).outcome in (CallOutcome.NO_ANSWER, CallOutcome.INVALID_ANSWER)


def test_a_heap_of_broken_objects_is_given_up() -> None:
    assert "too many objects" in problem('{"verdict": oops}' * 1_000).detail
