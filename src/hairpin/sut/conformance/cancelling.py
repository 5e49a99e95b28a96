"""Turns that are given up: at a time-out, at the end of a campaign, on Ctrl-C.

How a cancelled turn ends is ``watching``; here is what must hold afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hairpin.sut.conformance.driving import Answer, Conversation, excerpt
from hairpin.sut.conformance.ground import Check, Ground, Outcome, failed, noted, ok, skipped
from hairpin.sut.conformance.watching import CancelledTurn, Ending, cancel_turn
from hairpin.sut.conformance.words import REPEAT

PROMPT_S: Final = 1.0
"""A cancelled turn that takes longer to end holds up the end of a run."""

_N_TRIES: Final = 4
"""How often half-way is tried: on a busy machine a turn may be over by then."""

_PATIENCE_S: Final = 0.25
_RUINS: Final = "a turn that is given up would hold a run, or its reply would be taken for another's"


async def check_cancellation(ground: Ground) -> Outcome:
    """Whether a turn can be given up, at once and half-way, and the session and others are in order afterwards."""
    half_s = ground.profile.latency_s / 2
    reached: list[str] = []
    notes: list[str] = []
    for when, after_s, n_tries in (("at once", 0.0, 1), ("half-way", half_s, _N_TRIES)):
        turn, problem, note = await _beside_another(ground, after_s)
        while turn.ending is Ending.EARLY and not problem and (n_tries := n_tries - 1):
            turn, problem, note = await _beside_another(ground, after_s)
        if problem:
            return failed(f"cancelled {when}: {problem}")
        if turn.ending is Ending.CANCELLED:
            reached.append(f"{when} in {turn.took_s * 1000:.0f} ms")
        notes += [note] if note else []
    if not reached:
        return skipped("turns are answered before they can be cancelled; sessions were in order afterwards")
    told = f"a cancelled turn ends ({', '.join(reached)})"
    if notes:
        return noted(f"{told}, but {notes[0]}")
    return ok(f"{told}, the session goes on with replies of its own, and others are not disturbed")


async def _beside_another(ground: Ground, after_s: float) -> tuple[CancelledTurn, str, str]:
    """Cancel a turn while another session is open; return the turn, a problem, and a note."""
    async with ground.driver.conversation() as bystander:
        before = await bystander.say(ground.utterances[0])
        turn, problem, note = await _given_up(ground, after_s)
        after = await bystander.say(ground.utterances[1])
    if not problem and not ground.failed("close"):
        problem = _disturbed(before, after)
    return turn, problem, note


async def _given_up(ground: Ground, after_s: float) -> tuple[CancelledTurn, str, str]:
    """Cancel a turn in a session of its own and look at what follows; return the turn, a problem, and a note."""
    driver = ground.driver
    conversation = await driver.open()
    try:
        conversation.owns(word := driver.new_word())
        given_up = REPEAT.format(word=word)
        driver.n_turns += 1
        turn = await cancel_turn(
            conversation.session,
            given_up,
            after_s=after_s,
            patience_s=_PATIENCE_S,
            patience=driver.patience,
            name=f"check: send of session {conversation.number}",
        )
        problem, note = _how_it_ended(turn), ""
        if not problem and turn.ending is Ending.CANCELLED:
            problem, note = await _what_follows(ground, conversation, given_up, word)
    finally:
        closing = await conversation.close()
    if not problem and closing and not driver.close_hangs:
        problem = f"the session could not be closed afterwards: it {closing}"
    return turn, problem, note


def _how_it_ended(turn: CancelledTurn) -> str:
    match turn.ending:
        case Ending.RETURNED:
            return f"send swallowed the cancellation and returned a reply {turn.took_s:.2f} s later; {_RUINS}"
        case Ending.RAISED:
            return f"send turned the cancellation into {turn.detail}; {_RUINS}"
        case Ending.HUNG:
            return f"send ignored the cancellation and was left behind after {turn.took_s:.1f} s; a run would hang"
    if turn.took_s > PROMPT_S:
        return f"send took {turn.took_s:.1f} s to end after it was cancelled; {_RUINS}"
    return ""


async def _what_follows(ground: Ground, conversation: Conversation, given_up: str, word: str) -> tuple[str, str]:
    """Say two things in the session of the cancelled turn; return a problem and a note."""
    driver = ground.driver
    own = driver.new_word()
    answers = [await conversation.tell(REPEAT, own)]
    answers += [await conversation.say(utterance) for utterance in ground.utterances[:2] if answers[0].reply]
    if any(answer.timed_out for answer in answers):
        return f"the next turn of the session got no reply: {answers[0].problem or answers[-1].problem}", ""
    if any(answer.reply is None for answer in answers):
        refused = next(answer.problem for answer in answers if answer.reply is None)
        return "", f"the session takes no turn after it: {refused}"
    if ground.profile.repeats_words:
        return _late_words(answers[0], given_up=word, own=own), ""
    if ground.profile.comparable:
        return await _late_replies(ground, answers, given_up), ""
    return "", ""


def _late_words(answer: Answer, *, given_up: str, own: str) -> str:
    said = answer.text.casefold()
    if given_up in said and own not in said:
        return f"the next turn got the late reply of the cancelled one: “{excerpt(answer.text)}”"
    return ""


async def _late_replies(ground: Ground, answers: Sequence[Answer], given_up: str) -> str:
    """Compare with a session that never heard the cancelled turn, and one that did."""
    said = [answer.utterance for answer in answers]
    heard = [answer.text for answer in answers]
    without = list(await ground.driver.talk(said))
    if heard == without:
        return ""
    late, *after = await ground.driver.talk([given_up, *said])
    if heard == after:
        return ""
    lagging = [late, *without[:-1]] == heard or [late, *after[:-1]] == heard
    if heard[0] == late != without[0] or lagging:
        return f"the next turn “{excerpt(said[0], 40)}” got the late reply of the cancelled one: “{excerpt(late)}”"
    return ""


def _disturbed(before: Answer, after: Answer) -> str:
    if before.reply is not None and after.reply is None:
        return f"another session lost its reply: {after.problem}"
    return ""


CANCELLATION: Final = Check("cancellation", "lets a turn be given up", check_cancellation)
