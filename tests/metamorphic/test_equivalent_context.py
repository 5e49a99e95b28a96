"""Whether two contexts are equivalent, by agents that are plain functions and an encoder with vectors on demand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import anyio
import anyio.lowlevel
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.briefs import AnswerBrief, ContextBrief, RewriteBrief
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.relations import ContextFinding, ContextReason
from hairpin.errors import EncoderError, EndsRunError, RefusedTextsError
from hairpin.metamorphic.equivalent_context import EquivalentContext, decide, redecide
from hairpin.ports import EncoderIdentity, FloatMatrix, RoleError

STORY = "Mina is 34. Jonas is 40."


@dataclass
class Rewriter:
    """Puts the last earlier question in front; ``broken``: what it raises."""

    rewrite_of: Callable[[RewriteBrief], str] = lambda brief: " / ".join((*brief.earlier[-1:], brief.question))
    broken: Exception | None = None
    asked: list[RewriteBrief] = field(default_factory=list)

    async def rewrite(self, brief: RewriteBrief) -> str:
        self.asked.append(brief)
        await anyio.lowlevel.checkpoint()
        if self.broken is not None:
            raise self.broken
        return self.rewrite_of(brief)


@dataclass
class Answerer:
    answers: dict[str, str] = field(default_factory=dict)
    asked: list[AnswerBrief] = field(default_factory=list)

    async def answer(self, brief: AnswerBrief) -> str:
        self.asked.append(brief)
        return self.answers.get(brief.question, brief.question)


@dataclass
class AngleEncoder:
    """A vector on the unit circle per text: at its angle in degrees, else at one made of its letters."""

    degrees: dict[str, float] = field(default_factory=dict)
    error: Exception | None = None
    asked: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def identity(self) -> EncoderIdentity:
        return EncoderIdentity("angles", "1", "float32")

    async def encode(self, texts: Sequence[str]) -> FloatMatrix:
        self.asked.append(tuple(texts))
        if self.error is not None:
            raise self.error
        assert all(text.strip() for text in texts), "a blank text has no vector"
        angles = [math.radians(self.degrees.get(" ".join(t.split()), sum(map(ord, t)) % 180)) for t in texts]
        return np.array([[math.cos(a), math.sin(a)] for a in angles], dtype=np.float32)


@dataclass
class Bench:
    rewriter: Rewriter = field(default_factory=Rewriter)
    answerer: Answerer | None = field(default_factory=Answerer)
    encoder: AngleEncoder = field(default_factory=AngleEncoder)

    def checker(self, *, epsilon_ec: float = 0.8, short_cuts: bool = True, rng_seed: int = 0) -> EquivalentContext:
        return EquivalentContext(
            self.rewriter,
            self.answerer,
            self.encoder,
            epsilon_ec=epsilon_ec,
            short_cuts=short_cuts,
            rng_seed=rng_seed,
        )


def brief(source: Sequence[str], follow_up: Sequence[str], *, question: str = "q", **more: object) -> ContextBrief:
    given_parts = {"reference_text": STORY, "question": question, "source": source, "follow_up": follow_up, **more}
    return ContextBrief.model_validate(given_parts)


@pytest.mark.parametrize(
    ("cos_q", "cos_a", "epsilon_ec", "expected"),
    [(0.8, 0.8, 0.8, True), (0.6, 1.0, 0.8, True), (0.59, 1.0, 0.8, False), (1.0, 0.5, 0.8, False), (-1, -1, -1, True)],
)
def test_the_mean_cosine_decides(cos_q: float, cos_a: float, epsilon_ec: float, expected: bool) -> None:
    assert decide(cos_q, cos_a, epsilon_ec) is expected


@pytest.mark.anyio
async def test_a_question_that_needs_the_reply_is_not_judged() -> None:
    bench = Bench()
    finding = await bench.checker().check(brief(["a"], ["a"], needs_reply=True))
    assert (finding.equivalent, finding.reason) == (None, ContextReason.NEEDS_REPLY)
    assert bench.rewriter.asked == []


@pytest.mark.anyio
async def test_identical_prefixes_are_equivalent_without_a_call() -> None:
    bench = Bench()
    finding = await bench.checker().check(brief(["a", "b"], ["a", "b"]))
    assert finding == ContextFinding(equivalent=True, reason=ContextReason.SAME_PREFIX)
    assert bench.rewriter.asked == []


@pytest.mark.anyio
async def test_equal_rewrites_are_equivalent_without_answers() -> None:
    bench = Bench(rewriter=Rewriter(lambda b: "How old  is Mina?" if len(b.earlier) > 1 else "How old is Mina?"))
    finding = await bench.checker().check(brief(["a", "b"], ["b"]))
    assert (finding.equivalent, finding.reason, finding.n_calls) == (True, ContextReason.SAME_REWRITE, 2)
    assert finding.rewrites == ("How old  is Mina?", "How old is Mina?")
    assert bench.answerer is not None
    assert bench.answerer.asked == []


@pytest.mark.anyio
async def test_questions_too_far_apart_need_no_answers() -> None:
    bench = Bench(encoder=AngleEncoder({"a / q": 0, "b / q": 60}))
    finding = await bench.checker().check(brief(["a"], ["b"]))
    assert (finding.equivalent, finding.reason) == (False, ContextReason.QUESTIONS_FAR)
    assert finding.cos_q == pytest.approx(0.5)
    assert (finding.cos_a, finding.n_calls) == (None, 2)


@pytest.mark.anyio
@pytest.mark.parametrize(("answer", "expected"), [("34", True), ("40", False)])
async def test_answers_decide_where_questions_leave_it_open(answer: str, expected: bool) -> None:
    encoder = AngleEncoder({"a / q": 0, "b / q": 45, "34": 0, "40": 60})
    bench = Bench(answerer=Answerer({"a / q": "34", "b / q": answer}), encoder=encoder)
    finding = await bench.checker().check(brief(["a"], ["b"]))
    assert (finding.equivalent, finding.reason, finding.n_calls) == (expected, ContextReason.SIMILARITY, 4)
    assert finding.answers == ("34", answer)
    assert finding.cos_a == pytest.approx(1.0 if expected else 0.5)


@pytest.mark.anyio
@pytest.mark.parametrize("without", ["answerer", "story", "blank story"])
@pytest.mark.parametrize(("degrees", "expected"), [(30, True), (45, False)])
async def test_without_answers_questions_alone_decide_and_it_is_said(
    without: str, degrees: float, expected: bool
) -> None:
    bench = Bench(encoder=AngleEncoder({"a / q": 0, "b / q": degrees}))
    story = {"answerer": STORY, "story": None, "blank story": " \n"}[without]
    if without == "answerer":
        bench.answerer = None
    finding = await bench.checker().check(brief(["a"], ["b"], reference_text=story))
    assert (finding.equivalent, finding.reason) == (expected, ContextReason.QUESTIONS_ONLY)
    assert finding.answers is None


@pytest.mark.anyio
@pytest.mark.parametrize(("degrees", "expected"), [(30, True), (45, False)])
async def test_two_facts_that_are_not_told_are_not_the_same_for_that(degrees: float, expected: bool) -> None:
    encoder = AngleEncoder({"a / q": 0, "b / q": degrees})
    bench = Bench(answerer=Answerer({"a / q": "unknown", "b / q": "Unknown."}), encoder=encoder)
    finding = await bench.checker().check(brief(["a"], ["b"]))
    assert (finding.equivalent, finding.reason) == (expected, ContextReason.QUESTIONS_ONLY)
    assert (finding.answers, finding.cos_a) == (("unknown", "Unknown."), None)


@pytest.mark.anyio
@pytest.mark.parametrize(("degrees", "expected"), [(0, True), (90, False)])
async def test_a_fact_that_is_told_and_one_that_is_not_are_compared_like_any_two(
    degrees: float, expected: bool
) -> None:
    encoder = AngleEncoder({"a / q": 0, "b / q": 30, "34": 0, "unknown": degrees})
    bench = Bench(answerer=Answerer({"a / q": "34", "b / q": "unknown"}), encoder=encoder)
    finding = await bench.checker().check(brief(["a"], ["b"]))
    assert (finding.equivalent, finding.reason) == (expected, ContextReason.SIMILARITY)
    assert finding.cos_a == pytest.approx(1 if expected else 0, abs=1e-6)


@pytest.mark.anyio
@pytest.mark.parametrize(("degrees", "reason"), [(53, ContextReason.SIMILARITY), (54, ContextReason.QUESTIONS_FAR)])
async def test_questions_are_far_only_where_equal_answers_could_not_make_up_for_it(
    degrees: float, reason: ContextReason
) -> None:
    """cos 53° is above 0.6, cos 54° is below."""
    encoder = AngleEncoder({"a / q": 0, "b / q": degrees})
    bench = Bench(answerer=Answerer({"a / q": "34", "b / q": "34"}), encoder=encoder)
    finding = await bench.checker().check(brief(["a"], ["b"]))
    assert (finding.reason, finding.equivalent) == (reason, reason is ContextReason.SIMILARITY)


@pytest.mark.anyio
@pytest.mark.parametrize("blank", ["", "  ", "\u200b"])
async def test_a_blank_answer_is_no_vector(blank: str) -> None:
    bench = Bench(answerer=Answerer({"b / q": blank}), encoder=AngleEncoder({"a / q": 0, "b / q": 10}))
    finding = await bench.checker().check(brief(["a"], ["b"]))
    assert (finding.equivalent, finding.reason) == (None, ContextReason.NO_ANSWER)
    assert bench.encoder.asked == [("a / q", "b / q")]


@pytest.mark.anyio
async def test_a_blank_rewrite_is_the_roles_failure() -> None:
    bench = Bench(rewriter=Rewriter(lambda b: " " if b.earlier == ("b",) else "q"))
    finding = await bench.checker().check(brief(["a"], ["b"]))
    assert (finding.equivalent, finding.reason) == (None, ContextReason.ROLE_FAILED)
    assert "blank" in finding.detail
    assert bench.encoder.asked == []


@pytest.mark.anyio
async def test_a_role_that_breaks_makes_it_not_applicable_and_says_why() -> None:
    broken = RoleError(StopReason.TRUNCATED, Role.DECONTEXTUALISER, "cut off after 2048 tokens")
    bench = Bench(rewriter=Rewriter(broken=broken))
    finding = await bench.checker().check(brief(["a"], ["b"]))
    assert (finding.equivalent, finding.reason, finding.n_calls) == (None, ContextReason.ROLE_FAILED, 1)
    assert "cut off after 2048 tokens" in finding.detail


@pytest.mark.anyio
async def test_texts_without_a_vector_concern_this_check_alone() -> None:
    bench = Bench(encoder=AngleEncoder(error=RefusedTextsError("512 tokens at most")))
    finding = await bench.checker().check(brief(["a"], ["b"]))
    assert (finding.equivalent, finding.reason) == (None, ContextReason.ROLE_FAILED)
    assert "512 tokens at most" in finding.detail
    assert finding.rewrites == ("a / q", "b / q")


@pytest.mark.anyio
async def test_what_ends_the_run_is_raised() -> None:
    with pytest.raises(EndsRunError, match="quota"):
        await Bench(rewriter=Rewriter(broken=EndsRunError("quota"))).checker().check(brief(["a"], ["b"]))
    with pytest.raises(EncoderError, match="no model"):
        await Bench(encoder=AngleEncoder(error=EncoderError("no model"))).checker().check(brief(["a"], ["b"]))


@pytest.mark.anyio
async def test_the_same_is_asked_once_however_many_checks_want_it() -> None:
    bench = Bench(encoder=AngleEncoder({"a / q": 0, "b / q": 10}))
    checker, findings = bench.checker(), list[ContextFinding]()

    async def check() -> None:
        findings.append(await checker.check(brief(["a"], ["b"])))

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(check)
    assert bench.answerer is not None
    assert (len(bench.rewriter.asked), len(bench.answerer.asked)) == (2, 2)
    assert sum(finding.n_calls for finding in findings) == 4
    checker.forget()
    assert (await checker.check(brief(["a"], ["b"]))).n_calls == 4


@pytest.mark.anyio
async def test_repeats_share_no_call_and_no_random_seed() -> None:
    answerer = Answerer()
    bench = Bench(answerer=answerer)
    checker = bench.checker()
    for repeat in (0, 1, 0):
        await checker.check(brief(["a"], ["b"], repeat=repeat))
    assert len(bench.rewriter.asked) == 4
    assert len({asked.rng_seed for asked in bench.rewriter.asked}) == 4
    assert [asked.origin.repeat for asked in bench.rewriter.asked] == [0, 0, 1, 1]
    assert [asked.origin.repeat for asked in answerer.asked] == [0, 0, 1, 1]
    assert len({asked.rng_seed for asked in answerer.asked}) == 4


@pytest.mark.anyio
async def test_in_a_study_each_side_of_a_check_is_asked_for() -> None:
    bench = Bench()
    finding = await bench.checker(short_cuts=False).check(brief(["a"], ["a"]))
    assert (finding.equivalent, finding.n_calls) == (True, 4)
    assert (finding.cos_q, finding.cos_a) == (1.0, 1.0)


@pytest.mark.anyio
async def test_random_seeds_depend_on_what_is_asked_not_on_who_asks_first() -> None:
    one, other = Bench(), Bench()
    await one.checker(rng_seed=3).check(brief(["a"], ["b"], rng_seed=1))
    await other.checker(rng_seed=3).check(brief(["b"], ["a"], rng_seed=2))
    assert {b.earlier: b.rng_seed for b in one.rewriter.asked} == {b.earlier: b.rng_seed for b in other.rewriter.asked}


@given(
    source=st.lists(st.sampled_from("abc"), max_size=3),
    follow_up=st.lists(st.sampled_from("abc"), max_size=3),
    degrees=st.dictionaries(
        st.sampled_from([f"{p}q" for p in ("", "a / ", "b / ", "c / ")] + ["x", "y"]), st.floats(0, 180)
    ),
    answers=st.dictionaries(st.sampled_from(["q", "a / q", "b / q", "c / q"]), st.sampled_from(["x", "y", "unknown"])),
    epsilon_ec=st.floats(-1, 1),
    story=st.sampled_from([STORY, None]),
)
def test_short_cuts_never_change_the_outcome(
    source: list[str],
    follow_up: list[str],
    degrees: dict[str, float],
    answers: dict[str, str],
    epsilon_ec: float,
    story: str | None,
) -> None:
    bench = Bench(answerer=Answerer(answers), encoder=AngleEncoder(degrees))
    asked = brief(source, follow_up, reference_text=story)
    short, full = (anyio.run(bench.checker(epsilon_ec=epsilon_ec, short_cuts=on).check, asked) for on in (True, False))
    assert short.equivalent is full.equivalent
    assert short.n_calls <= full.n_calls
    for other in (epsilon_ec, -1.0, 0.0, 0.8, 1.0):
        again = redecide(short, other)
        assert again in (None, redecide(full, other))
    assert redecide(short, epsilon_ec) is short.equivalent


def finding_of(reason: ContextReason, *, equivalent: bool | None = True, **more: float) -> ContextFinding:
    return ContextFinding.model_validate({"equivalent": equivalent, "reason": reason, **more})


@pytest.mark.parametrize(
    ("finding", "epsilon_ec", "expected"),
    [
        (finding_of(ContextReason.SAME_PREFIX), 1.0, True),
        (finding_of(ContextReason.SAME_REWRITE), 1.0, True),
        (finding_of(ContextReason.VERDICT, equivalent=False), -1.0, False),
        (finding_of(ContextReason.SIMILARITY, cos_q=0.7, cos_a=0.9), 0.8, True),
        (finding_of(ContextReason.SIMILARITY, cos_q=0.7, cos_a=0.9), 0.85, False),
        (finding_of(ContextReason.QUESTIONS_ONLY, cos_q=0.7), 0.7, True),
        (finding_of(ContextReason.QUESTIONS_ONLY, cos_q=0.7), 0.75, False),
        (finding_of(ContextReason.QUESTIONS_FAR, equivalent=False, cos_q=0.5), 0.76, False),
        (finding_of(ContextReason.QUESTIONS_FAR, equivalent=False, cos_q=0.5), 0.75, None),
        (finding_of(ContextReason.QUESTIONS_FAR, equivalent=False, cos_q=0.5), -0.25, True),
        (finding_of(ContextReason.NO_ANSWER, equivalent=None, cos_q=0.9), 0.1, None),
        (finding_of(ContextReason.ROLE_FAILED, equivalent=None), 0.1, None),
        (finding_of(ContextReason.EQUAL_ANSWERS, equivalent=False), 0.1, None),
    ],
)
def test_a_stored_finding_is_decided_again(finding: ContextFinding, epsilon_ec: float, expected: bool | None) -> None:
    assert redecide(finding, epsilon_ec) is expected


def test_a_higher_threshold_never_makes_contexts_equivalent() -> None:
    cosines = (-1.0, -0.3, 0.0, 0.62, 0.9, 1.0)
    for cos_q, cos_a in itertools.product(cosines, cosines):
        finding = finding_of(ContextReason.SIMILARITY, cos_q=cos_q, cos_a=cos_a)
        decisions = [redecide(finding, epsilon / 10) for epsilon in range(-10, 11)]
        assert decisions == sorted(decisions, key=lambda found: not found)
