from __future__ import annotations

from hairpin.domain.failures import CHECK_FAILED, FailureMode, ModeKind
from hairpin.domain.rubric import Dimension, Rubric, Weights
from hairpin.domain.scenario import Scenario
from hairpin.domain.strategies import Strategy
from hairpin.domain.sut_spec import PythonSut
from hairpin.domain.users import Persona
from hairpin.reports.glossary import Glossary, glossary_of


def a_scenario() -> Scenario:
    mode = FailureMode(
        id="context_forgotten",
        kind=ModeKind.RESPONSE,
        title="Context forgotten",
        definition="no longer respected",
        materiality="",
        positive_example="",
        negative_example="",
    )
    return Scenario(
        id="s",
        sut=PythonSut(reference="m:f"),
        seed_phrases=("hello",),
        personas=(Persona(id="polite", title="Polite", description="says please"),),
        strategies=(Strategy(id="recall", title="Context Recall", target_mode="context_forgotten"),),
        rubric=Rubric(
            id="r",
            title="R",
            modes=(mode,),
            dimensions=(Dimension(id="plan", title="Plan Coherence", question="?", anchors=("0", "1", "2")),),
            weights=Weights(dimensions={"plan": 3}, targets=2),
        ),
    )


def test_titles_come_from_the_scenario() -> None:
    glossary = glossary_of(a_scenario())
    assert glossary.mode("context_forgotten").text == "no longer respected"
    assert glossary.strategy("recall").aims_at == "context_forgotten"
    assert (glossary.dimension("plan").title, glossary.dimension("plan").weight) == ("Plan Coherence", 3)
    assert glossary.persona("polite").title == "Polite"
    assert glossary.targets_weight == 2


def test_an_id_without_a_title_is_shown_as_words() -> None:
    glossary = Glossary()
    titles = [
        entry.title
        for entry in (
            glossary.mode("planning_poor"),
            glossary.strategy("safety-probe"),
            glossary.dimension("plan_coherence"),
            glossary.persona(""),
        )
    ]
    assert titles == ["Planning poor", "Safety probe", "Plan coherence", ""]


def test_a_failed_check_is_a_mode_of_every_run() -> None:
    assert glossary_of(a_scenario()).mode(CHECK_FAILED).title == "Check failed"
