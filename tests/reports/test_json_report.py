from __future__ import annotations

import json

from tests.reports.sample_run import a_report, failed, sample_records
from tests.reports.whole_reports import json_of


def test_the_file_is_versioned_and_holds_everything_once() -> None:
    data = json.loads(json_of(a_report()))
    assert data["schema_version"] == 1
    assert [entry["id"] for entry in data["conversations"]] == [record.planned.id for record in sample_records()]
    assert "groups" not in data
    assert data["summary"]["conversations"]["planned"] == len(sample_records())


def test_texts_are_as_they_were_said() -> None:
    odd = failed().exchanges[0].model_copy(update={"assistant": "a\u202eb\x1b </script>"})
    text = json_of(a_report([failed().model_copy(update={"exchanges": (odd, *failed().exchanges[1:])})]))
    (conversation,) = json.loads(text)["conversations"]
    assert conversation["turns"][0]["assistant"] == "a\u202eb\x1b </script>"
    assert conversation["turns"][4]["assistant"] == ""
    assert "客户 Zoë" in text


def test_failures_are_on_their_turn() -> None:
    (conversation,) = json.loads(json_of(a_report([failed()])))["conversations"]
    (mark,) = conversation["turns"][3]["failures"]
    assert mark["mode"]["id"] == "context_forgotten"
    assert mark["strategy"]["id"] == "context_recall"


def test_the_same_report_gives_the_same_bytes() -> None:
    assert json_of(a_report()) == json_of(a_report())
    assert json_of(a_report()).endswith("}\n")
