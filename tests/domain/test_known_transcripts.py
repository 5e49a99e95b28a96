from __future__ import annotations

from hairpin.domain.conversation import UtteranceSource
from hairpin.domain.known_transcripts import KnownTranscripts, Twins, TwinTurn
from hairpin.domain.outcome import Verdict

PAIR = Twins(
    id="pair",
    mode="rude",
    turns=(TwinTurn(user="Hi", good="Hello", bad="Hello"), TwinTurn(user="Pass", good="Here", bad="No")),
    labelled=1,
)


def test_twins_say_the_same_until_one_is_wrong() -> None:
    good, bad = KnownTranscripts(rubric="r", twins=(PAIR,)).all()
    assert (good.truth.good, good.truth.verdict) == (True, Verdict.PASS)
    assert (bad.truth.good, bad.truth.labelled, bad.truth.verdict) == (False, 1, Verdict.FAIL)
    assert good.exchanges[0] == bad.exchanges[0]
    assert (good.exchanges[1].assistant, bad.exchanges[1].assistant) == ("Here", "No")
    assert {exchange.source for exchange in bad.exchanges} == {UtteranceSource.REPLAYED}


def test_the_verdict_of_one_that_is_not_ruined_is_open() -> None:
    assert PAIR.model_copy(update={"ruined": False}).bad.truth.verdict is None


def test_pairs_are_told_apart_by_mode_in_the_order_of_the_file() -> None:
    other = PAIR.model_copy(update={"id": "other", "mode": "slow"})
    third = PAIR.model_copy(update={"id": "third"})
    known = KnownTranscripts(rubric="r", twins=(PAIR, other, third))
    assert {mode: [pair.id for pair in pairs] for mode, pairs in known.by_mode().items()} == {
        "rude": ["pair", "third"],
        "slow": ["other"],
    }
