from __future__ import annotations

import pytest

from hairpin.analysis.metamorphic.model import MetamorphicAnalysis
from hairpin.domain.relations import AnswerComparison, ContextMethod, GoldAnswers, MetalMode, MetamorphicSpec
from hairpin.domain.replay import Method, Perturbation
from hairpin.reports.metamorphic_methods import replay_methods_section
from hairpin.reports.metamorphic_results import ReplayResults
from tests.analysis.metamorphic.family_builders import a_family, scored


def told(spec: MetamorphicSpec, *, uncalibrated: bool = False, n_sources: int = 2) -> str:
    results = ReplayResults(
        spec=spec,
        encoder="minilm@1",
        scored=[scored(a_family())] * n_sources,
        analysis=MetamorphicAnalysis(suts=("A",), methods=()),
        noise=(),
        uncalibrated=uncalibrated,
        location="runs/x",
    )
    return "\n".join(replay_methods_section(results).text)


def test_how_follow_ups_were_made_is_told() -> None:
    spec = MetamorphicSpec(perturbations=(Perturbation.RS, Perturbation.RD), ratio=0.25, executions=3)
    text = told(spec)
    assert "2 source conversations" in text
    assert "RS, RD" in text
    assert "a ratio of 0.25" in text
    assert "1 source conversation were" in told(spec, n_sources=1)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"context": ContextMethod.LLM_JUDGE}, "was asked of a model outright"),
        ({"same_state": True}, "only where the assistant told the same state before the question"),
        ({"same_state": True, "context": ContextMethod.LLM_JUDGE}, "only where the assistant told the same state"),
        ({"perturbations": (Perturbation.RS, Perturbation.RI)}, "RI, an unrelated round put in, is Hairpin's own"),
        ({}, "Without a reference text, or where it answers neither, the questions alone decide."),
        ({"epsilon_ec": 0.7}, "equivalent from a mean cosine of 0.7 on"),
        ({"epsilon": 0.45}, "encoded by minilm@1; two say the same from a cosine of 0.45 on"),
        ({"comparison": AnswerComparison.LEXICAL}, "numbers and yes or no decide"),
        ({"gold": GoldAnswers.BEST}, "the one most like the output counts"),
        ({"gold": GoldAnswers.PAPER}, "the first counts"),
        ({"baselines": (Method.METAL,)}, "METAL changes one question at a time, any word of it, in"),
        ({"baselines": (Method.METAL,), "metal": MetalMode.CAREFUL}, "but wh-words, names and numbers"),
        (
            {"baselines": (Method.QAASKER,)},
            "the answer that follows from the first gold answer, or without one from the assistant's own",
        ),
    ],
)
def test_every_choice_is_told(fields: dict[str, object], words: str) -> None:
    assert words in told(MetamorphicSpec.model_validate(fields))


def test_what_was_not_chosen_is_not_spoken_of() -> None:
    text = told(MetamorphicSpec())
    assert not any(
        words in text for words in ("METAL", "QAAsker", "yes or no", "outright", "not calibrated", "state", "RI")
    )


def test_a_threshold_that_belongs_to_another_encoder_is_warned_of_with_the_way_out() -> None:
    text = told(MetamorphicSpec(), uncalibrated=True)
    assert "not calibrated for this one" in text
    assert "'hairpin metamorphic calibrate'" in text
