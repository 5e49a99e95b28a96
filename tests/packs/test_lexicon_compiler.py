from __future__ import annotations

import pytest

from hairpin.errors import InvalidInputError
from hairpin.packs.lexicon_compiler import load_lexicon
from tests.agents.banking import BANKING

MINIMAL = """\
version: 1
id: tiny
dimensions:
  quality: {modes: [request_omitted]}
languages:
  en:
    phrases:
      politely: '(?:please|kindly) {verb}'
      verb: '(?:give|pass)'
    slots:
      thing: {values: [salt, {value: pepper, synonyms: [black pepper]}], pattern: '\\w+sauce'}
    requests:
      - id: pass
        title: 'pass the {what}'
        parameters: {what: thing}
        said: ['\\b{politely} me the {what}']
        done: ['{thing}']
        names: [what]
"""


def broken(old: str, new: str) -> str:
    assert old in MINIMAL
    with pytest.raises(InvalidInputError) as caught:
        load_lexicon(MINIMAL.replace(old, new).encode(), "tiny.yaml")
    return str(caught.value)


def test_parameters_phrases_and_slots_are_put_into_patterns() -> None:
    (request,) = load_lexicon(MINIMAL.encode(), "tiny.yaml").languages["en"].requests
    found = request.said.first("Kindly pass me the Black Pepper")
    assert found is not None
    assert found["what"] == "Black Pepper"
    assert request.said.found("please give me the soysauce")
    assert request.done.found("Here is the salt")
    assert not request.said.found("please give me the sugar")


def test_quantifiers_are_left_alone() -> None:
    lexicon = load_lexicon(MINIMAL.replace("'{thing}'", "'x{2,3}'").encode(), "tiny.yaml")
    assert lexicon.languages["en"].requests[0].done.found("xx")


def test_a_lexicon_of_another_domain_is_read_whole() -> None:
    language = load_lexicon(BANKING.encode(), "banking.yaml").languages["en"]
    assert {kind.id for kind in language.requests} == {"transfer", "balance", "offer", "recipient", "choice"}
    assert language.constraint("spending_limit").comparison == "at_most"
    assert language.request("nothing") is None
    with pytest.raises(KeyError):
        language.constraint("nothing")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("me the {what}", "me (the {what}", "tiny.yaml:16"),
        ("me the {what}", "me (the {what}", "is no regular expression"),
        ("['{thing}']", "['{thnig}']", "unknown parameter, phrase or slot 'thnig'; did you mean 'thing'?"),
        ("['{thing}']", "['\\w*']", "matches nothing at all"),
        ("{what: thing}", "{what: thign}", "unknown slot 'thign'; did you mean 'thing'?"),
        ("pass the {what}", "pass the {waht}", "unknown parameter 'waht'; did you mean 'what'?"),
        ("names: [what]", "names: [whom]", "unknown parameter 'whom'"),
        ("verb: '(?:give|pass)'", "verb: '(?:give|{politely})'", "contains itself"),
        ("names: [what]", "nmaes: [what]", "nmaes"),
        ("pattern: '\\w+sauce'", "pattern: '(\\w+sauce'", "is no regular expression"),
        ("names: [what]", "asks: ['Pass {waht}']", "unknown slot 'waht'"),
        ("version: 1", "version: 2", "must be 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_place_and_the_way_out(old: str, new: str, message: str) -> None:
    said = broken(old, new)
    assert message in said
    assert said.startswith("tiny.yaml:")


def test_every_problem_is_said_at_once() -> None:
    said = broken("names: [what]", "names: [whom]\n        category: colour")
    assert "'whom'" in said
    assert "'colour'" in said


def test_a_constraint_must_apply_to_a_known_request() -> None:
    constraint = (
        "\n    constraints:\n      - {id: hot, title: hot, applies_to: [eat], said: ['\\bhot\\b'], conflicts: [cold]}\n"
    )
    said = broken("\n        names: [what]\n", "\n        names: [what]" + constraint)
    assert "unknown request 'eat'" in said
    assert "unknown constraint 'cold'" in said


def test_templates_may_only_need_what_exists() -> None:
    said = broken("\n        names: [what]\n", "\n    follow_ups: [{text: 'And?', needs: [pas]}]\n")
    assert "unknown request or constraint 'pas'; did you mean 'pass'?" in said
