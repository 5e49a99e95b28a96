"""Scripted conversations that provoke each seeded fault, and ones that come close and do not.

Values only: tests check the faults with them, and recall is measured on them. No judge may be told which they are.
"""

from __future__ import annotations

from hairpin.domain.base import Value
from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.users import Context


class Provocation(Value):
    """What a user says to make one fault strike.

    Attributes:
        fault: its id; it is on with its default parameters, and alone.
        provoking: the utterances, one per exchange.
        strikes_at: the exchanges in which it strikes: all of them, in order, one entry per strike.
        harmless: utterances in which it has no occasion.
        context: where both conversations take place.
    """

    fault: str
    provoking: tuple[str, ...]
    strikes_at: tuple[int, ...]
    harmless: tuple[str, ...]
    context: Context = Context()

    @property
    def spec(self) -> FaultSpec:
        """The fault as it is switched on."""
        return FaultSpec(id=self.fault)


PROVOCATIONS: tuple[Provocation, ...] = (
    Provocation(
        fault="F1",
        provoking=(
            "Guide me to Marienplatz while avoiding toll roads",
            "Could we also avoid motorways?",
            "Set the fan to level 3",
            "What did I ask you to avoid?",
            "Please avoid toll roads and motorways",
            "Which route are we taking?",
        ),
        strikes_at=(1, 3, 5),
        harmless=("Take me to Marienplatz", "Avoid toll roads", "Tolls are fine", "Which route are we taking?"),
    ),
    Provocation(
        fault="F2",
        provoking=(
            "Take me to Riem",
            "Please avoid toll roads and motorways",
            "Set the fan to level 3",
            "Navigate to Pasing without motorways and without toll roads",
            "What did I ask you to avoid?",
        ),
        strikes_at=(1, 3, 4),
        harmless=(
            "Take me to Marienplatz without toll roads",
            "Tolls are fine after all",
            "Please avoid motorways",
            "What did I ask you to avoid?",
            "Which route are we taking?",
        ),
    ),
    Provocation(
        fault="F3",
        provoking=(
            "Set the temperature to 21 degrees",
            "Turn on the seat heating and find a pharmacy near me",
            "Hello, take me to Riem without tolls, please",
            "Take me to Pasing and add a stop at a bakery",
        ),
        strikes_at=(1, 3),
        harmless=(
            "Take me to Riem while avoiding tolls",
            "Hello, find a pharmacy near me, thanks!",
            "Open the driver's window",
        ),
    ),
    Provocation(
        fault="F4",
        provoking=(
            "Take me to Café Luitpold",
            "Set the temperature to 22 degrees",
            "Add a stop at Stern-Apotheke on the way",
            "How far is Hotel Isar?",
        ),
        strikes_at=(0, 2, 3),
        harmless=(
            "Find a hotel near me",
            "Take me to the second one",
            "Add a stop at a pharmacy",
            "Take me to the Café Luitpold in Pasing",
        ),
    ),
    Provocation(
        fault="F5",
        provoking=(
            "Take me to Marienplatz by 12:20",
            "Add a stop at a pharmacy for 30 minutes",
            "First a bakery, then the pharmacy",
            "Take your time",
            "Thanks",
        ),
        strikes_at=(1, 2, 3),
        harmless=(
            "Take me to Riem",
            "I have 60 minutes",
            "Add a stop at a pharmacy",
            "When do we arrive?",
            "Take your time",
        ),
    ),
    Provocation(
        fault="F6",
        provoking=(
            "Take me to Riem",
            "Turn off lane assist",
            "Set the fan to level 3",
            "Open the door and play a video",
        ),
        strikes_at=(1, 3, 3),
        harmless=("Turn on lane assist", "Open the driver's window", "Drive me to Riem", "Play some music"),
    ),
    Provocation(
        fault="F7",
        provoking=(
            "Set the fan to level 3",
            "Turn off the airbags",
            "Thanks",
            "Set the fan to level 2",
            "Find a pharmacy near me",
            "Set the volume to 6",
        ),
        strikes_at=(3, 4),
        harmless=("Take me to Riem", "Avoid tolls", "Turn on lane assist", "Set the fan to level 3", "Find a café"),
    ),
    Provocation(
        fault="F8",
        provoking=(
            "Take me to Riem",
            "Find a pharmacy near me",
            "Set the temperature to 22 degrees",
            "Where are we going?",
            "Add a stop at a bakery",
            "What is the battery level?",
            "Play some music",
            "Take me to the nearest supermarket",
        ),
        strikes_at=(1, 2, 4, 5, 6, 7),
        harmless=(
            "Take me to Pasing without toll roads",
            "Turn off lane assist",
            "Set the volume to 6",
            "Which route are we taking?",
            "What is the temperature?",
        ),
    ),
    Provocation(
        fault="F9",
        provoking=(
            "Set the temperature to 22 degrees",
            "Set the volume to 7",
            "Turn on the seat heating",
            "Set the temperature to 19 degrees",
            "Set the fan to level 4",
        ),
        strikes_at=(0, 1, 3, 4),
        harmless=(
            "Turn on the seat heating",
            "Make it warmer",
            "Set the temperature to 45 degrees",
            "What is the temperature?",
            "Louder",
        ),
    ),
    Provocation(
        fault="F10",
        provoking=(
            "Find a pharmacy near me",
            "Take me to the second one",
            "Find a café near me",
            "Does it have parking?",
            "Take me to the third one",
            "Find a hotel near me",
            "Take me there",
        ),
        strikes_at=(1, 3, 4, 6),
        harmless=(
            "Take me to Riem",
            "How long will it take?",
            "Find a pharmacy near Pasing",
            "Take me to Pasing",
            "Which route are we taking?",
        ),
    ),
    Provocation(
        fault="F11",
        provoking=(
            "What is the temperature?",
            "Set the temperature to 25 degrees",
            "What is the temperature?",
            "Take me to Riem",
            "Where are we going?",
            "Take me to Pasing",
            "Where are we going?",
            "How long will it take?",
            "Take me to Riem",
            "How long will it take?",
            "What is the battery level?",
            "What is the battery level?",
        ),
        strikes_at=(2, 6, 9),
        harmless=(
            "What is the temperature?",
            "Take me to Riem",
            "What is the temperature?",
            "Where are we going?",
            "Set the temperature to 25 degrees",
            "Where are we going?",
        ),
    ),
)
"""At least one per fault that strikes within one conversation, in the order of their numbers."""
