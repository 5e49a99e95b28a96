"""What gives a simulated user away: each fault planted in a conversation, and what honest users say beside it."""

from __future__ import annotations

import pytest

from hairpin.agents.offline import user_faults
from hairpin.agents.offline.user_faults import find_faults
from hairpin.domain.briefs import ReviewBrief
from hairpin.domain.conversation import Exchange, UtteranceSource
from hairpin.domain.failures import Failure, FailureMode, ModeKind
from hairpin.domain.reviews import SimulatorFaultKind
from hairpin.domain.strategies import Strategy
from hairpin.domain.targets import Target, TargetStatus
from hairpin.domain.users import Context, Persona

RECALL = Strategy(id="context_recall", title="Context Recall", target_mode="context_forgotten", max_consecutive=2)
MODE = FailureMode(
    id="planning_poor",
    kind=ModeKind.RESPONSE,
    title="Poor planning",
    definition="",
    materiality="",
    positive_example="",
    negative_example="",
)
SEED = "Take me to Marienplatz"
SERVED = "I have planned a route to Marienplatz, it takes 20 minutes."
OPEN = Target(id="g1", text="go to Marienplatz", introduced=0)


def conversation(
    *turns: tuple[str, str],
    seed: str = SEED,
    target: Target = OPEN,
    persona: str = "Says what is wanted in plain sentences.",
    failures: tuple[Failure, ...] = (),
    source: UtteranceSource = UtteranceSource.SIMULATED,
) -> ReviewBrief:
    return ReviewBrief(
        seed_phrase=seed,
        context=Context(location="Munich", time="17:40"),
        persona=Persona(id="neutral", title="Neutral driver", description=persona),
        exchanges=tuple(Exchange(t=t, user=u, assistant=a, source=source) for t, (u, a) in enumerate(turns)),
        targets=(target,),
        strategies=(RECALL,),
        modes=(MODE,),
        failures=failures,
    )


def kinds(brief: ReviewBrief) -> list[SimulatorFaultKind]:
    return [fault.kind for fault in find_faults(brief)]


def after_a_good_reply(text: str) -> ReviewBrief:
    return conversation((SEED, SERVED), (text, "Fine."))


@pytest.mark.parametrize(
    "text",
    [
        "As a simulated user I would like a bakery",
        "Now for some Context Recall: where are we going?",
        "Was that context_forgotten?",
        "I want to see planning_poor",
        "My persona would be angry now",
        "Is target g1 done?",
        "The bakery (g1), please",
        "Where is it? ###STOP###",
    ],
)
def test_who_speaks_of_its_brief_leaks_it(text: str) -> None:
    assert kinds(after_a_good_reply(text)) == [SimulatorFaultKind.LEAK]


@pytest.mark.parametrize(
    "text",
    [
        "How can I help you today?",
        "Your table has been successfully booked.",
        SERVED,
        "Assistant: I am on it",
        "User: stop there. Assistant: okay, stopping there.",
    ],
)
def test_who_speaks_as_the_assistant_slips(text: str) -> None:
    assert kinds(after_a_good_reply(text)) == [SimulatorFaultKind.ROLE_SLIP]


@pytest.mark.parametrize(
    "text", ["Goodbye!", "Thanks, that's all.", "Never mind. Bye.", "Okay, forget it.", "I give up"]
)
def test_who_leaves_with_targets_open_for_no_reason_ends_early(text: str) -> None:
    assert kinds(after_a_good_reply(text)) == [SimulatorFaultKind.ENDED_EARLY]


@pytest.mark.parametrize(
    "text",
    [
        "You told me that the Deutsches Museum closes early on Mondays.",
        "You mentioned a discount voucher for electric cars.",
        "I asked you for Luigi's Trattoria.",
        "I told you to book four cinema seats beside the window.",
        "As I said, the parking garage beneath Gasteig.",
    ],
)
def test_who_claims_what_nobody_said_is_untrue(text: str) -> None:
    assert kinds(after_a_good_reply(text)) == [SimulatorFaultKind.UNTRUE_CLAIM]


def test_before_any_reply_the_assistant_can_have_said_nothing() -> None:
    assert kinds(conversation(("As you said, take me to Marienplatz", SERVED))) == [SimulatorFaultKind.UNTRUE_CLAIM]


@pytest.mark.parametrize(
    "text", ["You are such an idiot", "Shut up and drive", "I will sue you", "GET ME THERE RIGHT NOW YOU HEAR"]
)
def test_who_is_hostile_for_no_reason_escalates(text: str) -> None:
    assert kinds(after_a_good_reply(text)) == [SimulatorFaultKind.UNREALISTIC_ESCALATION]


@pytest.mark.parametrize(
    "text",
    [
        "You said it takes 20 minutes.",
        "You said it takes twenty minutes or so, right?",
        "I told you about Marienplatz already.",
        "Did you say there is a discount voucher for trams?",
        "What did I ask you to avoid?",
        "The one you mentioned",
        "I asked you to hurry",
        "I said no.",
        "Add a stop at a bakery, then never mind the museum",
        "Forget it, play some jazz instead",
        "That is a stupid route",
        "Come on. I haven't got all day.",
        "Turn on the AC. THANKS",
        "Play Goodbye Yellow Brick Road",
        "Where are we going?",
        "",
    ],
)
def test_what_real_users_say_is_no_fault(text: str) -> None:
    assert kinds(after_a_good_reply(text)) == []


@pytest.mark.parametrize(
    "text", ["How can I help you today, my persona?", "I will sue you", "As you said, Goodbye", "Never mind"]
)
def test_what_the_seed_phrase_says_is_nobodys_fault(text: str) -> None:
    assert kinds(conversation((text, SERVED), seed=text)) == []


@pytest.mark.parametrize("reply", ["Sorry, I can't do that.", "", "I found no route."])
@pytest.mark.parametrize("text", ["Never mind.", "You are such an idiot"])
def test_an_assistant_that_lets_its_user_down_is_a_reason(reply: str, text: str) -> None:
    assert kinds(conversation((SEED, reply), (text, "Fine."))) == []


@pytest.mark.parametrize("text", ["Goodbye!", "You are such an idiot"])
def test_a_failure_that_was_found_is_a_reason(text: str) -> None:
    failure = Failure(t=0, mode="planning_poor", kind=ModeKind.RESPONSE, evidence="x")
    assert kinds(conversation((SEED, SERVED), (text, "Fine."), failures=(failure,))) == []


def test_saying_the_same_twice_is_a_reason() -> None:
    assert kinds(conversation((SEED, SERVED), ("And now?", SERVED), ("You are useless", "Fine."))) == []


def test_a_question_is_a_reason_to_give_up() -> None:
    assert kinds(conversation((SEED, "Which one do you mean?"), ("Never mind.", "Fine."))) == []


def test_leaving_with_everything_done_is_no_fault() -> None:
    done = OPEN.model_copy(update={"status": TargetStatus.COMPLETED, "resolved": 0})
    assert kinds(conversation((SEED, SERVED), ("Thanks, bye!", "Bye."), target=done)) == []


def test_a_rude_persona_may_be_rude() -> None:
    turns = ((SEED, SERVED), ("You are such an idiot", "Fine."))
    assert kinds(conversation(*turns, persona="Rude and quick to insult.")) == []


def test_only_what_the_simulator_made_up_is_looked_at() -> None:
    turns = ((SEED, SERVED), ("My persona says goodbye", "Fine."))
    assert kinds(conversation(*turns, source=UtteranceSource.REPLAYED)) == []


def test_a_fault_names_its_turn_and_quotes_the_words() -> None:
    (fault,) = find_faults(after_a_good_reply("My persona is " + "very " * 60 + "angry"))
    assert (fault.t, fault.evidence) == (1, "“my persona”")


class Counting:
    """A pattern that nothing matches, and which text it was looked for in."""

    def __init__(self) -> None:
        self.looked_at: list[str] = []

    def search(self, text: str) -> None:
        self.looked_at.append(text)


def test_a_long_conversation_is_reviewed_without_looking_at_every_reply_again_each_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pattern, n = Counting(), 60
    monkeypatch.setattr(user_faults, "LETS_DOWN", (pattern,))
    turns = [(f"Take me to stop {t}", f"The way to stop number {t} is planned.") for t in range(n)]
    assert kinds(conversation(*turns, ("Thanks, goodbye!", "Bye."))) == [SimulatorFaultKind.ENDED_EARLY]
    assert len(pattern.looked_at) == n
