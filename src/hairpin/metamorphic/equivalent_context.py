"""EC(·): whether a question asks for the same fact in the context of its test seed and in that of a follow-up.

It must not know how questions are rewritten or answered, nor what relations make of the outcome.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from hairpin.domain.briefs import AnswerBrief, ContextBrief, RewriteBrief
from hairpin.domain.llm_calls import CallOrigin
from hairpin.domain.relations import ContextFinding, ContextReason
from hairpin.domain.rng import derive_rng_seed
from hairpin.errors import RefusedTextsError
from hairpin.metamorphic.single_flight import SingleFlight
from hairpin.ports import AsyncEncoder, Decontextualiser, ReferenceAnswerer, RoleError

_MAX_REMEMBERED: Final = 20_000
_UNKNOWN: Final = "unknown"
"""What ``ports.ReferenceAnswerer`` answers when the story does not tell."""

_INVISIBLE: Final = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})


def decide(cos_q: float, cos_a: float, epsilon_ec: float) -> bool:
    """Whether contexts are equivalent, by the cosines of the rewrites and of the reference answers.

    Source: MORTAR, eq. 42.
    """
    return (cos_q + cos_a) / 2 >= epsilon_ec


def redecide(finding: ContextFinding, epsilon_ec: float) -> bool | None:
    """Return what ``finding`` would be with another ε_EC, ``None`` when the row does not tell or EC does not apply.

    A verdict knows no threshold and stays. A row that was decided without answers is decided again where every cosine
    of answers would decide alike.
    """
    if finding.equivalent is None or finding.reason is ContextReason.VERDICT:
        return finding.equivalent
    if finding.reason in (ContextReason.SAME_PREFIX, ContextReason.SAME_REWRITE):
        return True
    if finding.cos_q is None:
        return None
    if finding.reason is ContextReason.QUESTIONS_ONLY:
        return finding.cos_q >= epsilon_ec
    if finding.cos_a is not None:
        return decide(finding.cos_q, finding.cos_a, epsilon_ec)
    least, most = (decide(finding.cos_q, extreme, epsilon_ec) for extreme in (-1.0, 1.0))
    return least if least is most else None


class EquivalentContext:
    """MORTAR's EC(·): implements ``ports.ContextChecker``. Contexts are the reference text and earlier questions.

    Rewrites and answers are remembered by reference text, earlier questions, question and repeat, and asked for once
    even when many checks want them at the same time. Short cuts never change an outcome as long as the agents give
    equal answers to equal questions and none of them is blank or missing.

    Where the story answers neither question, both answers are "unknown": that two facts are not told does not make them
    the same, so the questions alone decide (ours; by eq. 42 "How old is Mina?" and "How old is Jonas?" would be alike).

    Args:
        decontextualiser: makes both questions stand alone.
        answerer: answers both from the reference text; ``None``: contexts are told apart by the questions alone.
        encoder: turns rewrites and answers into vectors.
        epsilon_ec: ε_EC, the mean cosine from which on contexts are equivalent.
        language: told to the agents.
        rng_seed: what is asked of the agents is seeded by this and by what is asked, never by who asks first.
        short_cuts: off in studies of the check itself: every check then asks for all it can ask for, and the two
            sides of a check share nothing, not even with equal contexts.

    Source: MORTAR, section III-E and eq. 42.
    """

    def __init__(
        self,
        decontextualiser: Decontextualiser,
        answerer: ReferenceAnswerer | None,
        encoder: AsyncEncoder,
        *,
        epsilon_ec: float,
        language: str = "en",
        rng_seed: int = 0,
        short_cuts: bool = True,
    ) -> None:
        self._decontextualiser = decontextualiser
        self._answerer = answerer
        self._encoder = encoder
        self._epsilon_ec = epsilon_ec
        self._language = language
        self._rng_seed = rng_seed
        self._short_cuts = short_cuts
        self._memo = SingleFlight(max_entries=_MAX_REMEMBERED)

    async def check(self, brief: ContextBrief) -> ContextFinding:
        """Return whether ``brief.question`` asks for the same fact in both contexts, with what that was decided by.

        Not applicable when a role breaks, or makes a text that the encoder has no vector for; the finding says why.

        Raises:
            EndsRunError: a model takes no call any more.
            EncoderError: no texts can be encoded.
        """
        if brief.needs_reply:
            return ContextFinding(equivalent=None, reason=ContextReason.NEEDS_REPLY)
        if self._short_cuts and brief.source == brief.follow_up:
            return ContextFinding(equivalent=True, reason=ContextReason.SAME_PREFIX)
        evidence = _Evidence()
        try:
            return await self._compare(brief, evidence)
        except (RoleError, RefusedTextsError) as error:
            return evidence.finding(None, ContextReason.ROLE_FAILED, detail=str(error))

    def forget(self) -> None:
        """Forget all rewrites and answers."""
        self._memo.clear()

    async def _compare(self, brief: ContextBrief, evidence: _Evidence) -> ContextFinding:
        rewrites = await self._rewrites(brief, evidence)
        blank = next((text for text in rewrites if _is_blank(text)), None)
        if blank is not None:
            return evidence.finding(None, ContextReason.ROLE_FAILED, detail=f"a rewrite is blank: {blank!r}")
        evidence.rewrites = rewrites
        if self._short_cuts and _normalised(rewrites[0]) == _normalised(rewrites[1]):
            return evidence.finding(True, ContextReason.SAME_REWRITE)
        evidence.cos_q = cos_q = await self._cosine(rewrites)
        if self._answerer is None or brief.reference_text is None or _is_blank(brief.reference_text):
            return evidence.finding(cos_q >= self._epsilon_ec, ContextReason.QUESTIONS_ONLY)
        if self._short_cuts and not decide(cos_q, 1.0, self._epsilon_ec):
            return evidence.finding(False, ContextReason.QUESTIONS_FAR)
        answers = await self._answers(self._answerer, brief.reference_text, brief, rewrites, evidence)
        evidence.answers = answers
        if any(map(_is_blank, answers)):
            return evidence.finding(None, ContextReason.NO_ANSWER)
        if all(map(_is_unknown, answers)):
            return evidence.finding(cos_q >= self._epsilon_ec, ContextReason.QUESTIONS_ONLY)
        evidence.cos_a = cos_a = await self._cosine(answers)
        return evidence.finding(decide(cos_q, cos_a, self._epsilon_ec), ContextReason.SIMILARITY)

    async def _rewrites(self, brief: ContextBrief, evidence: _Evidence) -> tuple[str, str]:
        async def rewrite(side: str, earlier: tuple[str, ...]) -> str:
            parts = (
                "rewrite",
                self._side(side),
                str(brief.repeat),
                brief.reference_text or "",
                brief.question,
                *earlier,
            )
            asked = RewriteBrief(
                language=self._language,
                rng_seed=derive_rng_seed(self._rng_seed, _key(parts)),
                origin=_origin(brief),
                reference_text=brief.reference_text,
                earlier=earlier,
                question=brief.question,
            )
            return await self._ask(parts, lambda: self._decontextualiser.rewrite(asked), evidence)

        return await rewrite("source", brief.source), await rewrite("follow_up", brief.follow_up)

    async def _answers(
        self,
        answerer: ReferenceAnswerer,
        reference_text: str,
        brief: ContextBrief,
        rewrites: tuple[str, str],
        evidence: _Evidence,
    ) -> tuple[str, str]:
        async def answer(side: str, question: str) -> str:
            parts = ("answer", self._side(side), str(brief.repeat), reference_text, question)
            asked = AnswerBrief(
                language=self._language,
                rng_seed=derive_rng_seed(self._rng_seed, _key(parts)),
                origin=_origin(brief),
                reference_text=reference_text,
                question=question,
            )
            return await self._ask(parts, lambda: answerer.answer(asked), evidence)

        return await answer("source", rewrites[0]), await answer("follow_up", rewrites[1])

    async def _ask(self, parts: tuple[str, ...], call: Callable[[], Awaitable[str]], evidence: _Evidence) -> str:
        async def counted() -> str:
            evidence.n_calls += 1
            return await call()

        return await self._memo.get(_key(parts), counted)

    async def _cosine(self, texts: tuple[str, str]) -> float:
        """Return the cosine of two texts, neither blank; of equal texts exactly 1, without a vector."""
        if _normalised(texts[0]) == _normalised(texts[1]):
            return 1.0
        vectors = (await self._encoder.encode(texts)).astype("float64")
        return min(1.0, max(-1.0, float(vectors[0] @ vectors[1])))

    def _side(self, side: str) -> str:
        return "" if self._short_cuts else side


@dataclass(slots=True)
class _Evidence:
    """What a check has gathered so far."""

    rewrites: tuple[str, str] | None = None
    answers: tuple[str, str] | None = None
    cos_q: float | None = None
    cos_a: float | None = None
    n_calls: int = field(default=0)

    def finding(self, equivalent: bool | None, reason: ContextReason, *, detail: str = "") -> ContextFinding:
        return ContextFinding(
            equivalent=equivalent,
            reason=reason,
            rewrites=self.rewrites,
            answers=self.answers,
            cos_q=self.cos_q,
            cos_a=self.cos_a,
            n_calls=self.n_calls,
            detail=detail,
        )


def _origin(brief: ContextBrief) -> CallOrigin:
    """Return for whom a call is made; repeats of a check must not be served from one cached response."""
    return brief.origin.model_copy(update={"repeat": brief.repeat}) if brief.repeat else brief.origin


def _key(parts: tuple[str, ...]) -> str:
    lengths = ",".join(str(len(part)) for part in parts)
    return hashlib.blake2b("\x1f".join((lengths, *parts)).encode(errors="surrogatepass"), digest_size=16).hexdigest()


def _normalised(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _is_unknown(answer: str) -> bool:
    return _normalised(answer).casefold().strip(" .!\"'") == _UNKNOWN


def _is_blank(text: str) -> bool:
    """Whether nothing of ``text`` can be seen: it is no answer, and has no vector."""
    return all(unicodedata.category(char) in _INVISIBLE for char in text)
