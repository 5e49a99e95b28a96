"""The form of a turn judge's answer."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.agents.llm.turn_answers import turn_answer
from hairpin.domain.failures import ModeKind
from hairpin.domain.model_spec import StructuredMode
from hairpin.domain.targets import Target, TargetStatus
from hairpin.llm.answers.schema import shape_of
from tests.domain.builders import a_mode

MODES = (
    a_mode("refused", ModeKind.COMPLIANCE),
    a_mode("ignored", ModeKind.COMPLIANCE),
    a_mode("unsafe", ModeKind.RESPONSE),
)
VERDICT = {"target_id": "g1", "asked": True, "evidence": "", "constraints": None}
NEW = {"text": "t", "kind": "k", "constraints": [], "evidence": ""}


def answer(**lists: object) -> dict[str, object]:
    return {"reasoning": "", "targets": [], "new_targets": [], "response_failures": [], **lists}


def test_the_reasoning_comes_before_every_label() -> None:
    schema = turn_answer(MODES).model_json_schema()
    assert list(schema["properties"]) == ["reasoning", "targets", "new_targets", "response_failures"]
    for form, label in (("TargetVerdict", "outcome"), ("NewTarget", "outcome"), ("Finding", "mode")):
        fields = list(schema["$defs"][form]["properties"])
        assert fields.index("evidence") < fields.index(label)


def test_every_field_is_required_and_no_other_is_allowed_so_that_strict_endpoints_take_it() -> None:
    schema = turn_answer(MODES).model_json_schema()
    for form in (schema, *schema["$defs"].values()):
        assert form["additionalProperties"] is False
        assert form["required"] == list(form["properties"])


def test_it_is_made_once_per_set_of_modes() -> None:
    assert turn_answer(MODES) is turn_answer(list(MODES))
    assert turn_answer(MODES) is not turn_answer(MODES[1:])


@pytest.mark.parametrize("outcome", ["completed", "open", "withdrawn", "refused", "ignored"])
def test_a_known_target_has_one_outcome_a_status_or_a_compliance_mode(outcome: str) -> None:
    (verdict,) = turn_answer(MODES).model_validate(answer(targets=[VERDICT | {"outcome": outcome}])).targets
    assert verdict.outcome == outcome


@pytest.mark.parametrize("outcome", ["unsafe", "withdrawn", "other"])
def test_a_new_target_cannot_be_withdrawn_nor_fail_by_a_response_mode(outcome: str) -> None:
    with pytest.raises(ValidationError):
        turn_answer(MODES).model_validate(answer(new_targets=[NEW | {"outcome": outcome}]))


def test_a_finding_is_of_a_response_mode() -> None:
    found = [{"evidence": "e", "mode": "unsafe"}]
    assert turn_answer(MODES).model_validate(answer(response_failures=found)).response_failures[0].mode == "unsafe"
    with pytest.raises(ValidationError):
        turn_answer(MODES).model_validate(answer(response_failures=[{"evidence": "e", "mode": "refused"}]))


def test_a_rubric_without_response_modes_leaves_nothing_to_find() -> None:
    form = turn_answer(MODES[:2])
    form.model_validate(answer())
    with pytest.raises(ValidationError):
        form.model_validate(answer(response_failures=[{"evidence": "e", "mode": "refused"}]))


def test_a_server_that_writes_by_the_schema_has_to_judge_every_open_target_by_its_id() -> None:
    targets = (Target(id="g1", text="a"), Target(id="g2", text="b", status=TargetStatus.COMPLETED, introduced=0))
    schema = turn_answer(MODES, targets).model_json_schema()
    assert (schema["properties"]["targets"]["minItems"], schema["properties"]["targets"]["maxItems"]) == (1, 2)
    assert schema["$defs"]["TargetVerdict"]["properties"]["target_id"]["pattern"] == "^(g1|g2)$"


def test_a_strict_schema_is_the_same_at_every_turn_because_it_comes_before_the_prompt() -> None:
    """Providers put it in front of the system text: another schema is another prefix."""
    before, after = turn_answer(MODES), turn_answer(MODES, (Target(id="g1", text="a"),))
    assert before is not after
    strict = [shape_of(form).formats[StructuredMode.JSON_SCHEMA_STRICT] for form in (before, after)]
    assert strict[0] == strict[1]
