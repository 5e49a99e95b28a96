"""Every check of a run as CSV and JSON, with the texts that were compared."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.relations import ContextCheck, ContextFinding, ContextReason, MetamorphicRelation
from hairpin.domain.replay import Method
from hairpin.reports.relation_rows import context_checks_csv, family_json, relation_checks_csv
from tests.analysis.metamorphic.family_builders import a_check, a_family, a_record, a_replay, scored

RBT, MR1, MR2, MR3, MR4, METAL, QAASKER = MetamorphicRelation
FORMULA = "=HYPERLINK(1)"
FINDING = ContextFinding(
    equivalent=False,
    reason=ContextReason.SIMILARITY,
    rewrites=("How old is Mina?", "How old is Omar?"),
    answers=("41", "7"),
    cos_q=0.875,
    cos_a=0.25,
    n_calls=4,
)


def a_scored_family() -> ScoredFamily:
    checks = [
        ContextCheck(conversation="f1", position=0, index=1, finding=FINDING),
        ContextCheck(
            conversation="f1",
            position=1,
            index=0,
            finding=ContextFinding(equivalent=True, reason=ContextReason.SAME_PREFIX),
        ),
        ContextCheck(conversation="gone", position=0, index=0, finding=FINDING),
    ]
    family = a_family(
        a_record("f1", ["41", FORMULA], replay=a_replay(Method.MORTAR, [1, 0, 2], kind="RS")), context_checks=checks
    )
    return scored(
        family,
        a_check(RBT, index=0, violated=False).model_copy(update={"similarity": 1.0}),
        a_check(MR1, ("f1", 1), index=0, level=3).model_copy(update={"similarity": 0.1234567890123, "kind": "RS"}),
        a_check(MR3, ("f1", 0), ("c1", 1), index=1, violated=False),
        a_check(MR1, ("f1", 2), index=2, violated=None, reason="no_reply"),
    )


def read(parts: Iterator[str]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(parts), newline=""), strict=True))


def test_every_relation_check_is_a_line_unrounded_and_harmless() -> None:
    rows = read(relation_checks_csv([a_scored_family()]))
    assert [(row["Relation"], row["Result"]) for row in rows] == [
        ("RBT", "holds"),
        ("MR1", "violated"),
        ("MR3", "holds"),
        ("MR1", "not applicable"),
    ]
    violated = rows[1]
    assert (violated["Question"], violated["Answer"]) == ("Where does Mina live?", f"'{FORMULA}")
    assert (violated["Compared with"], violated["Similarity"], violated["Level"]) == (
        "old mill",
        "0.1234567890123",
        "3",
    )
    assert (violated["Conversation"], violated["Turn"], violated["Kind"]) == ("f1", "1", "RS")
    assert (rows[2]["Other conversation"], rows[2]["Compared with"]) == ("c1", "41")


def test_a_reply_that_never_came_is_no_other_turns_reply() -> None:
    row = read(relation_checks_csv([a_scored_family()]))[3]
    assert (row["Question"], row["Answer"], row["Compared with"]) == ("Who is her brother?", "", "")
    assert (row["Similarity"], row["Why not applicable"]) == ("", "no_reply")


def test_every_context_check_of_a_known_follow_up_has_rewrites_answers_and_similarities() -> None:
    similar, same = read(context_checks_csv([a_scored_family()]))
    assert (similar["Result"], similar["Decided by"]) == ("not equivalent", "similarity")
    assert (similar["Rewrite in the source"], similar["Rewrite in the follow-up"]) == FINDING.rewrites
    assert (similar["Reference answer in the source"], similar["Reference answer in the follow-up"]) == FINDING.answers
    assert (similar["cos_Q"], similar["cos_A"], similar["Calls"]) == ("0.875", "0.25", "4")
    assert (same["Result"], same["cos_Q"], same["Rewrite in the source"]) == ("equivalent", "", "")


def test_a_family_is_one_line_of_json() -> None:
    (line,) = family_json([a_scored_family()])
    found = json.loads(line)
    assert "\n" not in line
    assert (found["source"], found["test_seed"], found["sut"], found["follow_ups"]) == ("c1", "d1", "A", ["f1"])
    assert [row["check"]["violated"] for row in found["relation_checks"]] == [False, True, False, None]
    assert found["relation_checks"][1]["answer"] == FORMULA
    (context, _) = found["context_checks"]
    assert context["check"]["finding"]["cos_a"] == 0.25
    assert (context["source"], context["follow_up"]) == (["Where does Mina live?"], [])


def test_a_run_is_read_as_a_stream() -> None:
    """A run may have a hundred thousand families: the first lines are there before the second family is read."""
    read_so_far = 0

    def families() -> Iterator[ScoredFamily]:
        nonlocal read_so_far
        while True:
            read_so_far += 1
            yield a_scored_family()

    lines = relation_checks_csv(families())
    assert [next(lines) for _ in range(3)][2].startswith('"A","d1","c1","MR1"')
    assert read_so_far == 1
