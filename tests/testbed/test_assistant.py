"""Whole conversations with the assistant, without faults, in the plain wording."""

from __future__ import annotations

import pytest

from hairpin.domain.users import Context
from hairpin.testbed.constraints import Constraint, violated
from hairpin.testbed.planner import MAX_STOPS
from hairpin.testbed.world import Category, load_city
from tests.testbed.talking import hold, walk

CITY = load_city()


def test_the_marienplatz_conversation_keeps_every_condition_and_shows_it() -> None:
    """The motivating example of the in-car paper, as a correct assistant answers it."""
    first, second, third, fourth = hold(
        "Guide me to Marienplatz while avoiding toll roads",
        "Could we also avoid highways? I'd like a quieter drive.",
        "Make it a scenic route through a park",
        "Add a stop at a pharmacy",
    ).replies
    assert "This route has no toll roads." in first
    assert "It uses a motorway: A9." in first
    assert "This route has no motorways and no toll roads." in second
    assert "motorway:" not in second
    assert third.startswith("A scenic route to Marienplatz is via ")
    assert "It runs through the " in third
    assert "Stops in order: the pharmacy " in fourth
    assert "This route has no motorways and no toll roads." in fourth


def test_the_truth_about_motorways_and_tolls_is_told_unasked() -> None:
    (reply,) = hold("Take me to Marienplatz").replies
    assert "It uses a motorway: A9." in reply
    assert "It includes a toll road: " in reply


def test_a_lifted_condition_is_gone_and_the_others_stay() -> None:
    walked = walk("Take me to Marienplatz without tolls and without motorways", "Tolls are fine after all")
    assert walked.last.constraints == (Constraint.AVOID_MOTORWAYS,)
    assert walked.keys[-1][:2] == ("constraint.lifted.avoid_tolls", "route.head")


def test_lifting_what_was_never_asked_is_said_and_changes_nothing() -> None:
    assert walk("Take me to Pasing", "Tolls are fine").keys[-1] == ("constraint.not_set.avoid_tolls",)


def test_conditions_outlast_a_new_destination_and_a_cancelled_trip() -> None:
    walked = walk("Take me to Riem without tolls", "Cancel the route", "Take me to Giesing")
    assert walked.last.constraints == (Constraint.AVOID_TOLLS,)
    assert walked.last.route is not None
    assert violated(walked.last.constraints, walked.last.route.roads) == ()


def test_conditions_without_a_destination_are_noted() -> None:
    first, second = hold("Please avoid toll roads from now on", "What did I ask you to avoid?").replies
    assert first == "Noted for every route: no toll roads."
    assert second == "You asked for no toll roads."


def test_an_impossible_route_is_refused_honestly_and_names_what_blocks_it() -> None:
    first, second = hold(
        "Take me to the Flughafen without motorways and without tolls", "How long will it take?"
    ).replies
    assert first.startswith("There is no route to Flughafen with no motorways and no toll roads.")
    assert "The condition that blocks it is no motorways." in first
    assert "A92" in first
    assert second == first


def test_the_best_order_of_stops_is_told_and_the_stops_stay() -> None:
    walked = walk(
        "Plan a trip with a stop at a pharmacy and a supermarket before Marienplatz in the best order",
        "Change the destination to Sendling, but keep the stops",
    )
    for state in walked.states:
        assert {CITY.pois[stop].category for stop in state.stops} == {Category.PHARMACY, Category.SUPERMARKET}
        assert state.route is not None
        assert state.route.stops == state.stops
    assert walked.last.destination == "sendling"


def test_a_withdrawn_stop_is_gone() -> None:
    walked = walk("Take me to Riem with a stop at a bakery and a pharmacy", "Never mind the pharmacy")
    assert [CITY.pois[stop].category for stop in walked.last.stops] == [Category.BAKERY]
    assert walked.keys[-1][:2] == ("stop.removed", "route.head")


def test_a_stop_can_be_swapped_for_another() -> None:
    walked = walk("Take me to Riem with a stop at a pharmacy", "Swap the pharmacy for a supermarket")
    assert [CITY.pois[stop].category for stop in walked.last.stops] == [Category.SUPERMARKET]


def test_a_stop_that_is_not_there_cannot_be_dropped() -> None:
    (_, reply) = hold("Take me to Riem", "Skip the stop at the bakery").replies
    assert reply == "There is no stop at a bakery on this trip."


def test_there_are_at_most_so_many_stops() -> None:
    kinds = ["pharmacy", "supermarket", "bakery", "car wash", "museum", "hotel"]
    walked = walk("Take me to Riem", *(f"Add a stop at a {kind}" for kind in kinds))
    assert len(walked.last.stops) == MAX_STOPS
    assert walked.keys[-1] == ("trip.too_many_stops",)


def test_a_stop_asked_for_before_the_destination_is_kept_for_it() -> None:
    walked = walk("Stop at the Grünmarkt on the way", "Take me to Pasing")
    assert walked.keys[0] == ("stop.noted",)
    assert walked.last.stops == ("grunmarkt",)


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("The one in Pasing", "cafe_luitpold_pasing"),
        ("Pasing", "cafe_luitpold_pasing"),
        ("The one at Odeonsplatz please", "cafe_luitpold_odeonsplatz"),
        ("The second one", "cafe_luitpold_pasing"),
        ("the first", "cafe_luitpold_odeonsplatz"),
        ("The nearest one", "cafe_luitpold_odeonsplatz"),
        ("Take me to the one in Pasing", "cafe_luitpold_pasing"),
        ("I mean Café Luitpold in Pasing", "cafe_luitpold_pasing"),
    ],
)
def test_an_ambiguous_name_is_asked_about_and_the_answer_understood(answer: str, chosen: str) -> None:
    walked = walk("Take me to Café Luitpold without tolls", answer)
    assert walked.keys[0] == ("clarify.which",)
    assert walked.states[0].destination is None
    assert walked.states[0].constraints == (Constraint.AVOID_TOLLS,)
    assert walked.last.destination == chosen
    assert walked.last.pending is None


@pytest.mark.parametrize(("answer", "chosen"), [("The park", True), ("The district", False)])
def test_a_park_and_a_district_of_one_name_are_told_apart(answer: str, chosen: bool) -> None:
    walked = walk("Take me to Arabellapark", answer)
    assert (walked.last.destination in CITY.pois) is chosen


def test_an_ambiguous_stop_is_asked_about_before_the_trip_is_changed() -> None:
    walked = walk("Take me to Riem", "Also stop at Hotel Isar on the way", "The one at Isartor")
    assert walked.keys[1] == ("clarify.which",)
    assert walked.states[1].stops == ()
    assert walked.last.stops == ("hotel_isar_isartor",)


def test_an_answer_that_fits_none_is_asked_again_and_never_mind_drops_the_question() -> None:
    walked = walk("Take me to Café Luitpold", "the third one", "Never mind")
    assert walked.keys[1:] == (("clarify.again",), ("clarify.dropped",))
    assert walked.last.destination is None
    assert walked.last.pending is None


def test_a_name_that_was_just_listed_is_not_ambiguous() -> None:
    walked = walk("Find a café near Pasing with parking", "Take me to Café Luitpold")
    assert walked.last.destination == "cafe_luitpold_pasing"


def test_there_after_a_list_is_the_first_of_it_and_ordinals_count_it() -> None:
    walked = walk("Find a pharmacy near me", "Take me there", "Take the second one", "Take the last one")
    shown = walked.states[0].results
    assert [state.destination for state in walked.states[1:]] == [shown[0], shown[1], shown[2]]


@pytest.mark.parametrize("utterance", ["Take the second one", "Stop at the first one"])
def test_without_a_list_there_is_nothing_to_choose(utterance: str) -> None:
    assert walk(utterance).keys == (("place.no_list",),)


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("Find a pharmacy near Café Luitpold", "search.found"),
        ("How far is Hotel Isar?", "trip.distance"),
        ("Does Hotel Isar have parking?", "fact.yes"),
        ("How long does it take to Stern-Apotheke?", "trip.distance"),
    ],
)
def test_any_question_about_an_ambiguous_name_is_answered_once_it_is_clear(question: str, answered: str) -> None:
    walked = walk(question, "the first one")
    assert walked.keys[0] == ("clarify.which",)
    assert walked.keys[1][0] == answered


def test_two_ambiguous_names_are_asked_about_one_after_the_other() -> None:
    walked = walk("Take me to Hotel Isar with a stop at Stern-Apotheke", "The one in Haidhausen", "The second one")
    assert walked.keys[:2] == (("clarify.which",), ("clarify.which",))
    assert walked.last.destination == "hotel_isar_thalkirchen"
    assert walked.last.stops == ("stern_apotheke_haidhausen",)


def test_the_pharmacy_is_the_one_on_the_trip_if_there_is_one() -> None:
    walked = walk("Take me to Riem with a stop at the Rathaus-Apotheke", "How far is the pharmacy?")
    assert walked.last.focus == "rathaus_apotheke"


def test_where_a_search_looks_follows_what_was_said() -> None:
    replies = hold(
        "Find a café near my destination",
        "Take me to Sendling",
        "Find a café near my destination",
        "Find a bakery on the way",
        "Find a supermarket near there",
        "Find a cinema near Atlantis",
    ).replies
    assert replies[0] == "No destination is set. Where do you want to go?"
    assert replies[2].startswith("I found cafés near Sendling: Café Kranz")
    assert replies[3].startswith("I found bakeries on the way to Sendling: Backstube Nord")
    assert replies[4].startswith("I found supermarkets near Backstube Nord: ")
    assert replies[5] == "I do not know a place called Atlantis."


def test_best_rated_means_among_those_near() -> None:
    (reply,) = hold("Find the best rated restaurant near Sendling").replies
    assert reply.startswith("I found restaurants near Sendling: Grüne Gabel (Au, 6.8 km)")


def test_naming_the_destination_or_the_search_takes_it_back() -> None:
    walked = walk("Take me to Pasing", "Forget Pasing", "Cancel the route", "Find a bakery", "Never mind the bakery")
    assert walked.states[1].destination is None
    assert walked.keys[1:3] == (("destination.cancelled",), ("destination.missing",))
    assert walked.keys[4] == ("clarify.dropped",)
    assert walked.last.results == ()


def test_what_is_part_of_the_trip_already_is_not_added_again() -> None:
    walked = walk("Take me to Riem with a stop at a pharmacy", "Add a stop at a pharmacy", "Also stop at Riem")
    assert walked.keys[1:] == (("stop.already",), ("destination.told",))
    assert len(walked.last.stops) == 1


def test_a_search_lists_what_fits_from_near_to_far() -> None:
    (reply,) = hold("Find an Italian restaurant with outdoor seating").replies
    assert reply == (
        "I found Italian restaurants with outdoor seating near you: "
        "Da Marco (Garching, 0.7 km) and Trattoria Sole (Schwabing, 11.8 km)."
    )


def test_a_search_without_a_match_says_so_and_what_there_would_be() -> None:
    (reply,) = hold("Find an Italian restaurant with wheelchair access and parking and outdoor seating").replies
    assert reply.startswith("I found no Italian restaurant with ")
    assert "Without outdoor seating there would be: Pizzeria Vesuvio" in reply


def test_open_now_goes_by_the_time_of_the_context() -> None:
    late = walk("Find a pharmacy that is open now", context=Context(time="21:00"))
    noon = walk("Find a pharmacy that is open now", context=Context(time="12:00"))
    assert late.last.results == ("ring_apotheke", "rathaus_apotheke")
    assert len(noon.last.results) == 3


def test_facts_about_the_place_spoken_of() -> None:
    replies = hold(
        "Find an Italian restaurant with outdoor seating",
        "Does it have parking?",
        "Does it have wheelchair access?",
        "Is it open now?",
        "When does it close?",
        "How is it rated?",
        "Where is it?",
        "Is the Hofgarten open?",
    ).replies
    assert replies[1:] == (
        "The restaurant Da Marco has parking.",
        "The restaurant Da Marco has no wheelchair access.",
        "The restaurant Da Marco is open now, until 23:00.",
        "The restaurant Da Marco is open from 11:30 to 23:00.",
        "The restaurant Da Marco is rated 4.4 out of 5.",
        "The restaurant Da Marco is in Garching.",
        "The park Hofgarten is always open.",
    )


def test_questions_about_the_trip_are_answered_from_the_route() -> None:
    context = Context(time="17:40")
    replies = hold(
        "Take me to Marienplatz with a stop at a bakery without motorways",
        "How long will it take?",
        "When do we arrive?",
        "Which stops are planned?",
        "Where are we going?",
        "Where am I?",
        context=context,
    ).replies
    assert ": 19 minutes, 18.1 km. Stops in order: the bakery Backstube Nord." in replies[0]
    assert replies[1:] == (
        "It takes 24 minutes to Marienplatz.",
        "You will arrive at Marienplatz at 18:04, in 24 minutes.",
        "Stops in order: the bakery Backstube Nord.",
        "The destination is Marienplatz.",
        "You are in Garching.",
    )


@pytest.mark.parametrize("question", ["How long will it take?", "Which route are we taking?", "When do we arrive?"])
def test_without_a_destination_it_asks_for_one(question: str) -> None:
    assert walk(question).keys == (("destination.missing",),)


def test_settings_are_confirmed_with_their_value() -> None:
    replies = hold(
        "Set the temperature to 21 degrees",
        "Make it warmer",
        "Set the temperature to 35 degrees",
        "Set the temperature to 23 degrees",
        "Set the fan to level 3",
        "Turn on the seat heating",
        "Open the driver's window",
        "Are the windows closed?",
        "Close all windows",
        "Close all windows",
        "Open both rear windows",
        "Open the sunroof",
        "Unlock the doors",
        "Turn off the fan",
        "What is the fan set to?",
        "How fast are we going?",
        "Play some jazz",
        "Mute the music",
        "What is the battery level?",
        "How far can I still drive?",
    ).replies
    assert replies == (
        "The temperature is now set to 21 degrees.",
        "The temperature is now set to 23 degrees.",
        "The temperature can only be set from 16 degrees to 28 degrees; it stays set to 23 degrees.",
        "The temperature is already set to 23 degrees.",
        "The fan is now set to level 3.",
        "The seat heating is now on at level 2.",
        "The driver's window is now open.",
        "The driver's window is open. The passenger's window is closed. The rear left window is closed. "
        "The rear right window is closed.",
        "All windows are now closed.",
        "All windows are already closed.",
        "The rear windows are now open.",
        "The sunroof is now open.",
        "The doors are now unlocked.",
        "The fan is now off.",
        "The fan is off.",
        "You are driving at 50 km/h.",
        "Playing the playlist Jazz at the Table.",
        "The sound is muted.",
        "The battery is at 62 percent.",
        "With 62 percent battery you can still drive about 254 km.",
    )


def test_a_dial_stops_at_its_end_and_says_so() -> None:
    walked = walk(*["Make it colder"] * 3)
    assert walked.keys == (("setting.done",), ("setting.done",), ("setting.limit",))


def test_a_standing_car_says_that_it_stands() -> None:
    assert hold("How fast are we going?", context=Context(vehicle={"moving": False})).replies == (
        "The car is standing.",
    )


def test_two_requests_get_two_answers() -> None:
    assert walk("Set the temperature to 21 degrees and find a pharmacy near me").keys == (
        ("setting.done", "search.found", "search.more"),
    )


def test_the_route_is_told_once_however_many_requests_changed_it() -> None:
    (keys,) = walk("Take me to Riem, add a stop at a pharmacy and tell me which stops are planned").keys
    assert keys.count("route.head") == 1
    assert keys.count("route.stops") == 1


def test_what_is_not_understood_is_said_alone_and_beside_other_requests() -> None:
    alone, beside = hold("blub", "Open the driver's window and tell me a joke").replies
    assert alone.startswith("Sorry, I did not understand that. I can plan routes")
    assert beside == 'The driver\'s window is now open. I did not understand "tell me a joke".'


def test_an_unknown_place_is_named() -> None:
    assert hold("Take me to Atlantis").replies == ("I do not know a place called Atlantis.",)


def test_being_there_already_is_said() -> None:
    assert hold("Take me to Garching").replies == ("You are already at Garching.",)


def test_being_there_already_takes_no_roads_whatever_was_asked_for() -> None:
    talk = hold("Take me to Garching without motorways", "Make it a scenic route", faults=["F1"])
    assert talk.replies == ("You are already at Garching.",) * 2
    assert talk.states[-1]["route"] == {"roads": [], "minutes": 1, "km": 0.0}
    assert talk.strikes == ()


def test_small_talk_is_answered() -> None:
    assert walk("Hello", "Thanks", "Goodbye", "What can you do?", "Okay").keys == (
        ("chat.hello",),
        ("chat.thanks",),
        ("chat.bye",),
        ("chat.help",),
        ("chat.ack",),
    )
