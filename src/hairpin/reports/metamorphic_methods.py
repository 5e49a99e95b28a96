"""How replays were made and compared, in plain words: enough to do it again and to judge what its numbers are worth.

Words only; every number in them was computed elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from hairpin.domain.relations import AnswerComparison, ContextMethod, GoldAnswers, MetalMode
from hairpin.domain.replay import Method, Perturbation
from hairpin.reports.metamorphic_results import ReplayResults
from hairpin.reports.tables import Section


def replay_methods_section(results: ReplayResults) -> Section:
    """Return the methods as paragraphs."""
    paragraphs = (_replayed, _contexts, _compared, _baselines)
    return Section(
        id="replay-methods",
        title="Methods of replays",
        text=tuple(told for paragraph in paragraphs if (told := " ".join(paragraph(results)))),
    )


def _replayed(results: ReplayResults) -> Iterator[str]:
    spec = results.spec
    n_sources = len(results.scored)
    names = ", ".join(each.value for each in spec.perturbations) or "none"
    yield f"The follow-ups of {n_sources:,} source conversation{'s' * (n_sources != 1)} were made by the perturbations"
    yield f"{names} (MORTAR, eq. 22 to 28), each {_times(spec.executions)}, with a ratio of {spec.ratio:g}."
    if Perturbation.RI in spec.perturbations:
        yield "RI, an unrelated round put in, is Hairpin's own and not in the paper."
    yield "Questions are known by their place in the test seed, so that a text that comes twice is two questions."


def _contexts(results: ReplayResults) -> Iterator[str]:
    spec = results.spec
    if spec.context is ContextMethod.LLM_JUDGE:
        yield "Whether a question means the same in two contexts was asked of a model outright (MORTAR, Table XII)."
    else:
        yield from _ec(spec.epsilon_ec)
    if spec.same_state:
        yield "An equivalent context counts only where the assistant told the same state before the question as in the"
        yield "source; else the check is not applicable."


def _ec(epsilon_ec: float) -> Iterator[str]:
    yield "Whether a question means the same in two contexts was decided by making it stand alone in both, answering"
    yield "both from the reference text, and comparing questions and answers:"
    yield f"equivalent from a mean cosine of {epsilon_ec:g} on (MORTAR, eq. 42)."
    yield "Without a reference text, or where it answers neither, the questions alone decide."
    yield "Contexts are earlier questions, never answers."


def _compared(results: ReplayResults) -> Iterator[str]:
    spec = results.spec
    yield f"Answers were encoded by {results.encoder}; two say the same from a cosine of {spec.epsilon:g} on."
    if spec.comparison is AnswerComparison.LEXICAL:
        yield "Before that, equal answers, numbers and yes or no decide, and whether a short answer is in a long one."
    if results.uncalibrated:
        yield "That threshold was found for another encoder (MORTAR, Table IV) and is not calibrated for this one:"
        yield "'hairpin metamorphic calibrate' finds this one's from labelled answers."
    which = "the first" if spec.gold is GoldAnswers.PAPER else "the one most like the output"
    yield f"Of several gold answers {which} counts; without any, the source conversation's answer stands in (eq. 18)."
    yield "A blank answer is no answer: it is compared with nothing and counted as not applicable."


def _baselines(results: ReplayResults) -> Iterator[str]:
    spec = results.spec
    if Method.METAL in spec.baselines:
        kept = " but wh-words, names and numbers" if spec.metal is MetalMode.CAREFUL else ""
        yield f"METAL changes one question at a time, any word of it{kept}, in its original context with the"
        yield "assistant's own answers; the answer must be like its own first one."
    if Method.QAASKER in spec.baselines:
        yield "QAAsker asks for the same another way and compares with the answer that follows from the first gold"
        yield "answer, or without one from the assistant's own."
    if spec.baselines:
        yield "Both are Hairpin's own implementations, from the papers' descriptions."


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n} times"
