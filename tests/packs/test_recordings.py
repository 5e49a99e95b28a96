"""Files of conversations: what is read, what is skipped and told, and that the same comes back from a copy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.recording import RecordingProblem
from hairpin.errors import InvalidInputError
from hairpin.packs.recordings import cleaned, dump_recordings, recordings_digest
from tests.packs.recording_files import lines, read, said

CHAT = {"id": "a", "turns": said("Hello", "Hi.")}


def test_every_conversation_is_read_with_its_id_or_its_line(tmp_path: Path) -> None:
    found = read(tmp_path, lines(CHAT, {"messages": said("Bye", "Bye.")}))
    assert [recording.id for recording in found.recordings] == ["a", "line 2"]
    assert (found.n_skipped, found.problems, found.notes) == (0, (), ())
    assert found.formats == (("openai", 1), ("turns", 1))
    assert found.imported().sentence() == "imported from chats.jsonl: 2 conversations, 0 lines skipped"


def test_lines_that_hold_none_are_skipped_and_told_by_number(tmp_path: Path) -> None:
    found = read(tmp_path, lines(CHAT, {"turns": []}) + b"{\n\n" + lines({"turns": said("Hi")[:1] * 2}, CHAT))
    assert len(found.recordings) == 2
    assert found.problems == (
        RecordingProblem(line=2, what="no exchange: nobody says anything"),
        RecordingProblem(
            line=3, what="not JSON: Expecting property name enclosed in double quotes at character 2 of the line"
        ),
        RecordingProblem(line=5, what="no exchange: the assistant never answers"),
    )


def test_being_strict_refuses_the_file_and_names_every_such_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError) as refused:
        read(tmp_path, lines(CHAT, {"turns": 3}, CHAT, []), strict=True)
    assert str(refused.value).splitlines() == [
        f"{tmp_path / 'chats.jsonl'}: 2 lines hold no conversation:",
        "  line 2: 'turns' is a number, not a list of messages",
        "  line 4: no exchange: nobody says anything",
        "  mend them, or import without being strict: then they are skipped",
    ]


def test_the_list_of_a_refusal_is_bounded(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError) as refused:
        read(tmp_path, b"x\n" * 250)
    assert len(str(refused.value).splitlines()) == 103
    assert "  and 150 more" in str(refused.value)


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(InvalidInputError, match="the file is empty; write one conversation a line"):
        read(tmp_path, data)


def test_a_file_without_any_conversation_is_refused_even_if_not_strict(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="1 line holds no conversation:\n  line 1: "):
        read(tmp_path, b"[]\n")


def test_equal_ids_are_made_distinct_with_a_note(tmp_path: Path) -> None:
    other = {**CHAT, "id": "a (2)"}
    found = read(tmp_path, lines(CHAT, other, CHAT, CHAT))
    assert [recording.id for recording in found.recordings] == ["a", "a (2)", "a (3)", "a (4)"]
    assert found.recordings[3].notes == ("its id 'a' was given before in the file",)
    assert found.notes == ("ids that were given before and are made distinct: 2",)


def test_a_log_of_requests_holds_each_conversation_once(tmp_path: Path) -> None:
    """Every request repeats what was said before; the last one holds the conversation whole."""

    def request(*texts: str) -> dict[str, object]:
        *asked, answer = said(*texts)
        return {"id": "s", "request": {"messages": asked}, "response": {"choices": [{"message": answer}]}}

    log = [
        request("Hello", "Hi."),
        request("Another", "Yes?"),
        request("Hello", "Hi.", "Fan on", "Done."),
        request("Hello", "Hi.", "Fan on", "Done.", "Off", "Done."),
        request("Hello", "Hi."),
    ]
    found = read(tmp_path, lines(*log))
    assert [len(recording.exchanges) for recording in found.recordings] == [1, 3, 1]
    assert found.notes == (
        "ids that were given before and are made distinct: 2",
        "requests whose conversation a later line holds whole: 2",
    )
    assert found.formats == (("openai", 3),)


def test_equal_conversations_that_are_no_requests_are_all_kept(tmp_path: Path) -> None:
    longer = {"turns": said("Hello", "Hi.", "Bye", "Bye.")}
    assert len(read(tmp_path, lines(CHAT, CHAT, longer)).recordings) == 3


def test_only_the_first_conversations_are_kept_if_asked(tmp_path: Path) -> None:
    found = read(tmp_path, lines(CHAT, {"turns": said("Bye", "Bye.")}, CHAT))
    assert found.first(3) is found
    assert [recording.id for recording in found.first(2).recordings] == ["a", "line 2"]
    assert found.first(2).notes[-1] == "only the first 2 of 3 conversations are judged"


def test_further_end_tokens_may_be_given(tmp_path: Path) -> None:
    chat = {"turns": said("Hello", "Hi.", "[[over]]", "What?")}
    assert len(read(tmp_path, lines(chat)).recordings[0].exchanges) == 2
    assert len(read(tmp_path, lines(chat), end_tokens=["[[over]]"]).recordings[0].exchanges) == 1


def test_markup_and_odd_characters_are_kept_as_they_are(tmp_path: Path) -> None:
    texts = ("</script><b>{{7*7}}</b>", "ﬂ → 👩‍🔧 ${1} <!--")
    (recording,) = read(tmp_path, lines({"turns": said(*texts)})).recordings
    assert (recording.exchanges[0].user, recording.exchanges[0].assistant) == texts


def test_a_copy_is_read_back_to_the_same_values(tmp_path: Path) -> None:
    reply = {"role": "bot", "content": "Done\ud800", "state": {"fan": 3}, "latency_ms": 7.5, "metadata": {"m": [1]}}
    chat = {
        "id": "a",
        "context": {"location": "Ulm", "vehicle": {"speed": 3}},
        "turns": [{"role": "assistant", "content": "Welcome"}, *said("Fan"), reply, *said("###STOP###", "x")],
    }
    found = read(tmp_path, lines(CHAT, {**CHAT, "x": 1}) + json.dumps(chat).encode()).recordings
    again = read(tmp_path, dump_recordings(found).encode("utf-8", "backslashreplace"), format="turns").recordings
    assert again == found
    assert recordings_digest(again) == recordings_digest(found) != recordings_digest(found[:2])


def test_credentials_are_taken_out_of_everything_that_was_said(tmp_path: Path) -> None:
    reply = {"role": "bot", "content": "Key SECRET", "state": {"SECRET": ["SECRET", 1]}}
    chat = {"id": "SECRET", "turns": [*said("My key is SECRET"), reply], "context": {"location": "SECRET"}}
    clean = cleaned(read(tmp_path, lines(chat)).recordings, lambda text: text.replace("SECRET", "***"))
    assert "SECRET" not in dump_recordings(clean)
    assert clean[0].exchanges[0].user == "My key is ***"
    assert clean[0].exchanges[0].state == {"***": ["***", 1]}


NAMES = st.sampled_from(["turns", "messages", "request", "response", "body", "choices", "message", "role", "content"])
TEXTS = st.sampled_from(["user", "assistant", "tool", "Hello", "###STOP###", ""]) | st.text(max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | st.just("state"), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(VALUES, min_size=1, max_size=4), st.sampled_from(["auto", "turns", "openai"]))
def test_any_json_is_read_or_told_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, values: list[object], format_: str
) -> None:
    readable = {"messages": CHAT["turns"]}
    found = read(tmp_path_factory.getbasetemp(), lines(readable, *values), format=format_)
    assert 1 <= len(found.recordings) <= len(values) + 1 - found.n_skipped
    assert found.n_skipped == len(found.problems)
    assert len({recording.id for recording in found.recordings}) == len(found.recordings)
    assert {recording.exchanges[0].t for recording in found.recordings} == {0}
