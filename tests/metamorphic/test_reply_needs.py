from __future__ import annotations

import pytest

from hairpin.metamorphic.reply_needs import needs_reply


@pytest.mark.parametrize(
    "text",
    [
        "the second one",
        "The second one?",
        "Okay, take the cheapest one",
        "I'll take the first one, please",
        "No, the last one",
        "What about the other one?",
        "Take me to the second option",
        "option 2",
        "Option B please",
        "that one",
        "not that",
        "both of them",
        "the one you mentioned",
        "Tell me more about the restaurant you suggested",
        "What was the first one?",
        "yes",
        "Yes please!",
        "No, thanks.",
        "nope",
        "go ahead",
        "That’s right",
        "Sounds good",
        "Any others?",
        "what did you say",
        "Which one is cheaper?",
    ],
)
def test_takes_up_what_the_assistant_said(text: str) -> None:
    assert needs_reply(text)


@pytest.mark.parametrize(
    "text",
    [
        "Who was he?",
        "Is it open?",
        "When?",
        "And then?",
        "Yes, take me to the museum",
        "No, I said the station",
        "Find the nearest pharmacy",
        "Take the first exit",
        "What is the second largest city?",
        "Who was the first one to fly?",
        "Call the last caller",
        "And the second book he wrote?",
        "Play the next song",
        "What happened to the others?",
        "Which one of Ada's books came first, and when?",
        "Set it to 21 degrees",
        "",
    ],
)
def test_can_be_understood_from_earlier_questions_or_alone(text: str) -> None:
    """A pronoun may stand for what the user named; that is for the context check."""
    assert not needs_reply(text)
