"""Context checks and relation checks, as facts; and what a campaign of replays is made with.

Whether a relation holds is computed in ``metamorphic``.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.replay import PAPER_PERTURBATIONS, Method, NotApplicable, Perturbation
from hairpin.domain.test_seeds import TestSeed

PAPER_ENCODER = "Alibaba-NLP/gte-large-en-v1.5"
"""Whose ε of 0.6 is (MORTAR, section IV-G)."""


class MetamorphicRelation(StrEnum):
    """What must hold. MR1 to MR4: MORTAR, section III-D. The others hold between one answer and one other text."""

    RBT = "RBT"
    MR1 = "MR1"
    MR2 = "MR2"
    MR3 = "MR3"
    MR4 = "MR4"
    METAL = "METAL"
    QAASKER = "QAASKER"

    @property
    def alike(self) -> bool:
        """Whether the texts must be alike; else they must differ."""
        return self not in (MetamorphicRelation.MR2, MetamorphicRelation.MR4)


MORTAR_RELATIONS = (
    MetamorphicRelation.MR1,
    MetamorphicRelation.MR2,
    MetamorphicRelation.MR3,
    MetamorphicRelation.MR4,
)


class ContextMethod(StrEnum):
    """Who says whether two contexts are equivalent: MORTAR's EC(·), or a model asked outright (MORTAR, Table XII)."""

    EC = "ec"
    LLM_JUDGE = "llm_judge"


class ContextReason(StrEnum):
    """Why a context check came out as it did.

    Equivalent or not: ``SAME_PREFIX`` (the same questions before it), ``SAME_REWRITE``, ``QUESTIONS_FAR`` (cos_Q <
    2 ε_EC − 1, exact without answers), ``SIMILARITY`` (eq. 42), ``QUESTIONS_ONLY`` (cos_Q alone: no reference text or
    answerer, or both answers are "unknown"), ``VERDICT`` (a judge said so). Not applicable: ``NEEDS_REPLY``,
    ``NO_ANSWER`` (a reference answer is blank), ``ROLE_FAILED``, ``EQUAL_ANSWERS`` (another fact with an equal answer:
    MR2 and MR4 cannot tell), ``STATE_DIFFERS`` (equivalent by the words, but the assistant was not, or not known to be,
    in the state that it was in in the source; only with ``MetamorphicSpec.same_state``, and never stored: it is found
    when relations are checked).
    """

    SAME_PREFIX = "same_prefix"
    SAME_REWRITE = "same_rewrite"
    QUESTIONS_FAR = "questions_far"
    SIMILARITY = "similarity"
    QUESTIONS_ONLY = "questions_only"
    VERDICT = "verdict"
    NEEDS_REPLY = "needs_reply"
    NO_ANSWER = "no_answer"
    ROLE_FAILED = "role_failed"
    EQUAL_ANSWERS = "equal_answers"
    STATE_DIFFERS = "state_differs"


class ContextFinding(Value):
    """What came of one context check, with everything needed to decide it anew for another ε_EC.

    Attributes:
        equivalent: EC(·); ``None``: not applicable.
        rewrites: q* in the context of the source and in that of the follow-up.
        answers: the reference answers o* to them.
        cos_q: of the rewrites; cos_a: of the answers; ``None`` where it was not needed.
        n_calls: how many rewrites and answers were asked for, memo and short cuts aside.
        detail: what broke, or a judge's reasoning.
    """

    equivalent: bool | None
    reason: ContextReason
    rewrites: tuple[str, str] | None = None
    answers: tuple[str, str] | None = None
    cos_q: float | None = None
    cos_a: float | None = None
    n_calls: int = Field(default=0, ge=0)
    detail: str = ""


class ContextCheck(Value):
    """EC(Q^r_{i-1}, q^r_i) of position ``position`` of the follow-up ``conversation``, about question ``index``.

    ``repeat``: the how-manieth check of the same, from 0, in studies of the check itself.
    """

    conversation: str
    position: int = Field(ge=0)
    index: int = Field(ge=0)
    method: ContextMethod = ContextMethod.EC
    repeat: int = Field(default=0, ge=0)
    finding: ContextFinding


class Output(Value):
    """Which reply: position ``position`` of the conversation ``conversation``."""

    conversation: str
    position: int = Field(ge=0)


class RelationCheck(Value):
    """One check of one relation.

    Attributes:
        relation: which.
        source: the conversation of the test seed itself.
        index: j, the question.
        outputs: the replies that were compared: one for MR1 and MR2, the two that decide for MR3 and MR4.
        kind: the perturbation or baseline relation of ``outputs``; ``""`` where several are compared.
        similarity: cos, or what takes its place; of a group the one that decides. ``None`` when not applicable.
        n_pairs: of how many pairs of texts it is the least or the greatest.
        violated: ``None`` when not applicable.
        reason: why it is not applicable.
        level: 1, 2 or 3 of a violation, ``None`` where there is no gold answer to tell.
    """

    relation: MetamorphicRelation
    source: str
    index: int = Field(ge=0)
    outputs: tuple[Output, ...] = ()
    kind: str = ""
    similarity: float | None = None
    n_pairs: int = Field(default=1, ge=1)
    violated: bool | None = None
    reason: str = ""
    level: int | None = Field(default=None, ge=1, le=3)


class Derivation(Value):
    """What was derived from one source conversation: its test seed, the ids of its follow-ups, and what was not."""

    source: str
    test_seed: TestSeed
    follow_ups: tuple[str, ...] = ()
    not_applicable: tuple[NotApplicable, ...] = ()


class Fold(Value):
    """The relation checks of one source and its follow-ups; of one source the last fold counts.

    ``complete``: every follow-up has its outcome, and every context was checked. ``n_follow_ups``: with an outcome when
    it was made.
    """

    source: str
    complete: bool
    n_follow_ups: int = Field(ge=0)
    checks: tuple[RelationCheck, ...] = ()


class AnswerComparison(StrEnum):
    """How answers are compared: by cosine alone, as in the paper, or with what can be read off the texts too."""

    EMBEDDING = "embedding"
    LEXICAL = "lexical+embedding"


class GoldAnswers(StrEnum):
    """Of several gold answers: the first, as in the paper, or the one most like the output."""

    PAPER = "paper"
    BEST = "best"


class MetalMode(StrEnum):
    """How METAL changes words: any, as in the paper, or never wh-words, names and numbers."""

    PAPER = "paper"
    CAREFUL = "careful"


class MetamorphicSpec(Value):
    """How conversations are replayed and what must hold between their answers.

    Attributes:
        perturbations: which follow-ups each test seed gets, each ``executions`` times.
        ratio: share of rounds that RR removes and RD doubles (MORTAR, section IV-G: 0.3).
        relations: which of MR1 to MR4 are checked.
        epsilon: ε, from which cosine on two answers say the same (MORTAR, Table IV: 0.6).
        epsilon_ec: ε_EC, from which mean cosine on two contexts are equivalent (MORTAR, section V-D: 0.8).
        context: who checks contexts.
        same_state: whether contexts are equivalent only where the assistant's side channel told the same state before
            the question; for assistants that do things, and are not only asked.
        comparison: how answers are compared.
        gold: which of several gold answers.
        baselines: METAL and QAAsker, beside the perturbations.
        metal: how METAL changes words.
        null_replays: how often the test seed is replayed unchanged, to know the assistant's noise.
        alpha: level α of the calibrated count.
        encoder: what turns answers and questions into vectors.
    """

    perturbations: tuple[Perturbation, ...] = PAPER_PERTURBATIONS
    ratio: float = Field(default=0.3, gt=0, lt=1)
    executions: int = Field(default=1, ge=1, le=100)
    relations: tuple[MetamorphicRelation, ...] = MORTAR_RELATIONS
    epsilon: float = Field(default=0.6, ge=-1, le=1)
    epsilon_ec: float = Field(default=0.8, ge=-1, le=1)
    context: ContextMethod = ContextMethod.EC
    same_state: bool = False
    comparison: AnswerComparison = AnswerComparison.EMBEDDING
    gold: GoldAnswers = GoldAnswers.PAPER
    baselines: tuple[Method, ...] = ()
    metal: MetalMode = MetalMode.PAPER
    null_replays: int = Field(default=0, ge=0, le=100)
    alpha: float = Field(default=0.05, gt=0, lt=1)
    encoder: EncoderSpec = EncoderSpec()


def count_violations(checks: Sequence[RelationCheck]) -> int:
    """Return how many of ``checks`` are violated."""
    return sum(check.violated is True for check in checks)
