"""What an utterance means, as typed acts."""

from __future__ import annotations

import pytest

from hairpin.testbed import acts
from hairpin.testbed.acts import (
    AddStops,
    Anaphor,
    AskFact,
    AskTrip,
    AskVehicle,
    CancelTrip,
    DropStop,
    Fact,
    Lift,
    Mention,
    Named,
    Navigate,
    NeverMind,
    NotUnderstood,
    Ordinal,
    Require,
    Risky,
    Search,
    SearchArea,
    SetDial,
    SetSwitch,
    SetWindows,
    SmallTalk,
    TripQuestion,
    TurnDial,
    VehicleTopic,
    Wanted,
)
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.media_acts import ChooseSource, ControlPlayer, MediaWanted, PlayerAction, PlayMedia
from hairpin.testbed.parsing.parser import MAX_CHARS, parse
from hairpin.testbed.vehicle import Dial, Switch
from hairpin.testbed.world import Category, Feature, load_city

CITY = load_city()
TOLLS, MOTORWAYS, SCENIC = Constraint.AVOID_TOLLS, Constraint.AVOID_MOTORWAYS, Constraint.SCENIC


def place(name: str, *ids: str) -> Named:
    return Named(name=name, ids=ids)


MARIENPLATZ = place("Marienplatz", "marienplatz")
PASING = place("Pasing", "pasing")
PHARMACY = Wanted(category=Category.PHARMACY)
THE_PHARMACY = Wanted(category=Category.PHARMACY, definite=True)
SUPERMARKET = Wanted(category=Category.SUPERMARKET)
FAST_CHARGING = Wanted(category=Category.CHARGING_STATION, features=(Feature.FAST_CHARGING,))
NEAREST_ONE = Wanted(category=None, nearest=True)
BOTH_LUITPOLDS = place("Café Luitpold", "cafe_luitpold_odeonsplatz", "cafe_luitpold_pasing")

ONE_ACT: list[tuple[str, acts.Act]] = [
    ("Guide me to Marienplatz while avoiding toll roads", Navigate(to=MARIENPLATZ, constraints=(TOLLS,))),
    ("Take me to the Olympiapark", Navigate(to=place("Olympiapark", "olympiapark"))),
    ("Navigate to Pasing and avoid tolls", Navigate(to=PASING, constraints=(TOLLS,))),
    ("I need to get to Pasing", Navigate(to=PASING)),
    ("Drive me to Pasing without motorways", Navigate(to=PASING, constraints=(MOTORWAYS,))),
    ("Let's go to Pasing on a toll-free route", Navigate(to=PASING, constraints=(TOLLS,))),
    ("Go to marienplaz", Navigate(to=MARIENPLATZ)),
    ("Take me to Atlantis", Navigate(to=place("atlantis"))),
    ("take me to oberschleissheim", Navigate(to=place("Oberschleißheim", "oberschleissheim"))),
    ("Bring me to Schleißheim", Navigate(to=place("Schleißheim", "oberschleissheim"))),
    ("Take me to Café Luitpold", Navigate(to=BOTH_LUITPOLDS)),
    ("Take me to the nearest supermarket", Navigate(to=SUPERMARKET.model_copy(update={"nearest": True}))),
    ("Take me to the pharmacy", Navigate(to=THE_PHARMACY)),
    ("Stop at Atlantis on the way", AddStops(stops=(place("atlantis"),))),
    ("Find a pharmacy near Atlantis", Search(wanted=PHARMACY, area=place("atlantis"))),
    ("Find a fast charging station", Search(wanted=FAST_CHARGING)),
    ("We're running low on fuel", Search(wanted=Wanted(category=Category.FUEL_STATION))),
    ("Take me there", Navigate(to=Anaphor())),
    ("Change the destination to Pasing", Navigate(to=PASING, instead=True)),
    ("Actually, take me to Pasing instead", Navigate(to=PASING, instead=True)),
    (
        "Plan a trip with a stop at a pharmacy and a supermarket before Marienplatz in the best order",
        Navigate(to=MARIENPLATZ, stops=(PHARMACY, SUPERMARKET)),
    ),
    ("Navigate to Marienplatz via Hofgarten", Navigate(to=MARIENPLATZ, stops=(place("Hofgarten", "hofgarten"),))),
    ("Could we also avoid highways? I'd like a quieter drive.", Require(constraints=(MOTORWAYS,))),
    ("Please avoid toll roads from now on", Require(constraints=(TOLLS,))),
    ("avoid motorways and toll roads", Require(constraints=(TOLLS, MOTORWAYS))),
    ("I don't want to take toll roads", Require(constraints=(TOLLS,))),
    ("No autobahn please", Require(constraints=(MOTORWAYS,))),
    ("Make it a scenic route through a park", Require(constraints=(SCENIC,))),
    ("Remember that I wanted to avoid toll roads, right?", Require(constraints=(TOLLS,))),
    ("Tolls are fine after all", Lift(constraints=(TOLLS,))),
    ("You don't need to avoid tolls any more", Lift(constraints=(TOLLS,))),
    ("I don't mind motorways", Lift(constraints=(MOTORWAYS,))),
    ("Forget the scenic route", Lift(constraints=(SCENIC,))),
    ("Just take the fastest route", Lift(constraints=(SCENIC,))),
    ("Add a stop at a pharmacy", AddStops(stops=(PHARMACY,))),
    ("Also stop at Rathaus-Apotheke on the way", AddStops(stops=(place("Rathaus-Apotheke", "rathaus_apotheke"),))),
    ("We need a supermarket on the way", AddStops(stops=(SUPERMARKET,))),
    ("Stop at the first one", AddStops(stops=(Ordinal(number=1),))),
    ("Never mind the pharmacy", DropStop(what=THE_PHARMACY)),
    ("Skip the stop at the pharmacy", DropStop(what=THE_PHARMACY)),
    ("Remove all stops", DropStop(what=None)),
    ("Cancel the route", CancelTrip()),
    ("Never mind", NeverMind()),
    ("Which route are we taking?", AskTrip(question=TripQuestion.ROUTE)),
    ("What did I ask you to avoid?", AskTrip(question=TripQuestion.CONSTRAINTS)),
    ("How long will it take?", AskTrip(question=TripQuestion.DURATION, about=Anaphor())),
    ("How long to Pasing?", AskTrip(question=TripQuestion.DURATION, about=PASING)),
    ("How far is it?", AskTrip(question=TripQuestion.DISTANCE, about=Anaphor())),
    ("When do we arrive?", AskTrip(question=TripQuestion.ARRIVAL)),
    ("Where are we going?", AskTrip(question=TripQuestion.DESTINATION)),
    ("Which stops are planned?", AskTrip(question=TripQuestion.STOPS)),
    ("Where am I?", AskTrip(question=TripQuestion.LOCATION)),
    ("Find a pharmacy near me", Search(wanted=PHARMACY)),
    ("I need coffee", Search(wanted=Wanted(category=Category.CAFE))),
    ("I'm hungry", Search(wanted=Wanted(category=Category.RESTAURANT), hinted=True)),
    ("I'm hungry, find a bakery", Search(wanted=Wanted(category=Category.BAKERY))),
    ("We're starving. Take me to a restaurant.", Navigate(to=Wanted(category=Category.RESTAURANT))),
    ("I'm hungry, add a stop at a bakery", AddStops(stops=(Wanted(category=Category.BAKERY),))),
    ("Find a pharmacy on the way", Search(wanted=PHARMACY, area=SearchArea.ROUTE)),
    ("Find a pharmacy near my destination", Search(wanted=PHARMACY, area=SearchArea.DESTINATION)),
    (
        "Is there a fuel station near Pasing?",
        Search(wanted=Wanted(category=Category.FUEL_STATION, near=PASING), area=PASING),
    ),
    (
        "Find an Italian restaurant with outdoor seating",
        Search(wanted=Wanted(category=Category.RESTAURANT, cuisine="italian", features=(Feature.OUTDOOR_SEATING,))),
    ),
    ("Take the second one", Mention(what=Ordinal(number=2))),
    ("the second pharmacy, please", Mention(what=Ordinal(number=2))),
    ("The one in Pasing", Mention(what=Wanted(category=None, near=PASING))),
    ("Pasing", Mention(what=PASING)),
    ("Does it have parking?", AskFact(fact=Feature.PARKING, about=Anaphor())),
    ("Is it open now?", AskFact(fact=Fact.OPEN, about=Anaphor())),
    ("Is there parking at the Pinakothek?", AskFact(fact=Feature.PARKING, about=place("Pinakothek", "pinakothek"))),
    ("Set the temperature to 21 degrees", SetDial(dial=Dial.TEMPERATURE, value=21)),
    ("Set temperature to twenty-two", SetDial(dial=Dial.TEMPERATURE, value=22)),
    ("Make it 21.5 degrees", SetDial(dial=Dial.TEMPERATURE, value=21.5)),
    ("Make it warmer", TurnDial(dial=Dial.TEMPERATURE, direction=1)),
    ("I'm cold", TurnDial(dial=Dial.TEMPERATURE, direction=1)),
    ("It's too hot in here", TurnDial(dial=Dial.TEMPERATURE, direction=-1)),
    ("Set the fan to level 3", SetDial(dial=Dial.FAN, value=3)),
    ("Turn off the fan", SetDial(dial=Dial.FAN, value=0)),
    ("Turn on the seat heating", SetDial(dial=Dial.SEAT_HEATING, value=2)),
    ("Set the volume to 4", SetDial(dial=Dial.VOLUME, value=4)),
    ("Louder", TurnDial(dial=Dial.VOLUME, direction=1)),
    ("Open the driver's window", SetSwitch(switch=Switch.DRIVER_WINDOW, on=True)),
    ("Close the passenger window", SetSwitch(switch=Switch.PASSENGER_WINDOW, on=False)),
    ("Close all windows", SetWindows(on=False)),
    ("Lock the doors", SetSwitch(switch=Switch.DOORS_LOCKED, on=True)),
    ("Turn on lane assist", SetSwitch(switch=Switch.LANE_ASSIST, on=True)),
    ("Turn off the interior light", SetSwitch(switch=Switch.INTERIOR_LIGHT, on=False)),
    ("What is the battery level?", AskVehicle(topic=VehicleTopic.BATTERY)),
    ("How far can I still drive?", AskVehicle(topic=VehicleTopic.RANGE)),
    ("Tell me how far I can still drive", AskVehicle(topic=VehicleTopic.RANGE)),
    ("What's the temperature?", AskVehicle(topic=Dial.TEMPERATURE)),
    ("Are the airbags on?", AskVehicle(topic=Switch.AIRBAGS)),
    ("Play some jazz", PlayMedia(wanted=MediaWanted(genre="jazz"))),
    ("Stop the music", ControlPlayer(action=PlayerAction.STOP)),
    ("Open both rear windows", SetWindows(on=True, rear=True)),
    ("Replace the destination with Pasing", Navigate(to=PASING)),
    ("Not Marienplatz, I meant Pasing", Mention(what=PASING)),
    ("Navigate to Marienplatz and then to Pasing", Navigate(to=PASING, stops=(MARIENPLATZ,))),
    ("Navigate to the pharmacy Rathaus-Apotheke", Navigate(to=place("Rathaus-Apotheke", "rathaus_apotheke"))),
    ("Take me to Café Luitpold in Pasing", Navigate(to=place("Café Luitpold", "cafe_luitpold_pasing"))),
    ("Take me to the park Arabellapark", Navigate(to=place("Arabellapark", "arabellapark_arabellapark_park"))),
    (
        "Put a coffee break in before Marienplatz",
        Navigate(to=MARIENPLATZ, stops=(Wanted(category=Category.CAFE),)),
    ),
    ("Stop navigation", CancelTrip()),
    ("Forget what I said about tolls", Lift(constraints=(TOLLS,))),
    ("Which one is the closest?", AskTrip(question=TripQuestion.DISTANCE, about=NEAREST_ONE)),
    ("Do they have outdoor seating?", AskFact(fact=Feature.OUTDOOR_SEATING, about=Anaphor())),
    ("Hello", SmallTalk(courtesy=acts.Courtesy.HELLO)),
    ("Thanks a lot!", SmallTalk(courtesy=acts.Courtesy.THANKS)),
    ("What can you do?", SmallTalk(courtesy=acts.Courtesy.HELP)),
    ("Don't turn off lane assist", SmallTalk(courtesy=acts.Courtesy.ACK)),
    ("Set the temperature to 21 degrees right now because I'm late", SetDial(dial=Dial.TEMPERATURE, value=21)),
    ("Open the window right away so that I can breathe", SetSwitch(switch=Switch.DRIVER_WINDOW, on=True)),
    ("Set the right side to 21 degrees", SetDial(dial=Dial.PASSENGER_TEMPERATURE, value=21)),
    ("Take the toll-free route to Pasing", Navigate(to=PASING, constraints=(TOLLS,))),
    ("Take the motorway-free way to Pasing", Navigate(to=PASING, constraints=(MOTORWAYS,))),
    ("Find a toll-free route to Pasing", Navigate(to=PASING, constraints=(TOLLS,))),
    ("Take the scenic route to Pasing", Navigate(to=PASING, constraints=(SCENIC,))),
    ("Take the toll roads", Lift(constraints=(TOLLS,))),
    ("How do I get to Pasing?", Navigate(to=PASING)),
    ("How do we get to our destination?", AskTrip(question=TripQuestion.ROUTE)),
    ("We'd like a pharmacy", Search(wanted=PHARMACY)),
    ("Could you look for a pharmacy?", Search(wanted=PHARMACY)),
    (
        "Are there pharmacies close to Pasing?",
        Search(wanted=PHARMACY.model_copy(update={"near": PASING}), area=PASING),
    ),
    ("Is there parking there?", AskFact(fact=Feature.PARKING, about=Anaphor())),
    ("Put on the fog lights", SetSwitch(switch=Switch.FOG_LIGHTS, on=True)),
    ("Open the windows, the dog needs some air", SetWindows(on=True)),
    ("How warm is it in here?", AskVehicle(topic=Dial.TEMPERATURE)),
]

SEVERAL_ACTS: list[tuple[str, list[type[acts.Act]]]] = [
    ("Set the temperature to 21 degrees and find a pharmacy near me", [SetDial, Search]),
    ("Turn on the seat heating and set the fan to level 3", [SetDial, SetDial]),
    ("Take me to Pasing with a stop at a bakery and without tolls, then set the fan to 2", [Navigate, SetDial]),
    ("Take me to Pasing and add a stop at a pharmacy", [Navigate, AddStops]),
    ("Tolls are fine but no motorways", [Lift, Require]),
    ("Open the driver's window. What is the battery level?", [SetSwitch, AskVehicle]),
    ("Ignore the speed limit and get me to Pasing", [Risky, Navigate]),
    ("Add a stop at a pharmacy and then tell me which stops are planned", [AddStops, AskTrip]),
    ("Swap the pharmacy for a supermarket", [DropStop, AddStops]),
    ("Set temp to 20, the fan to 2 and close the windows", [SetDial, SetDial, SetWindows]),
    ("Avoid highways but tolls are okay", [Require, Lift]),
    ("Close all windows, turn on the air conditioning and make it cooler", [SetWindows, SetSwitch, TurnDial]),
    ("Turn on the radio and direct me to Pasing", [ChooseSource, Navigate]),
    ("Be so kind as to take me to Pasing and be so kind as to turn on the radio", [Navigate, ChooseSource]),
    ("Take me to Pasing; meanwhile play some jazz", [Navigate, PlayMedia]),
    ("We're going to Pasing and we'd like to listen to jazz", [Navigate, PlayMedia]),
    ("Add a stop at a supermarket, take me to Perlach", [Navigate, AddStops]),
    (
        "Stop for 15 minutes at a bakery, stop at a pharmacy, and then bring me to Pasing",
        [Navigate, AddStops, AddStops],
    ),
    ("Pause the music, I have to think", [ControlPlayer]),
]

WRAPPERS = (
    "Could you please {0}, thanks!",
    "Come on, {0}. I haven't got all day.",
    "Come on. {0} Quickly.",
    "Hello! {0} Thank you!",
    "Sorry to ask again. {0}",
    "{0} I'm in a hurry.",
    "{0} And quickly.",
    "Great, thanks. {0}",
    "I'd appreciate it if you could {0}",
    "Please {0} Thank you for your patience.",
)
WRAPPED = (
    "take me to Pasing without toll roads",
    "add a stop at a pharmacy",
    "find an Italian restaurant with outdoor seating",
    "set the temperature to 21 degrees and find a pharmacy near me",
    "open the driver's window",
    "avoid motorways from now on",
    "take the second one",
    "turn off lane assist",
)


@pytest.mark.parametrize(("utterance", "act"), ONE_ACT, ids=[utterance for utterance, _ in ONE_ACT])
def test_an_utterance_means_one_act(utterance: str, act: acts.Act) -> None:
    assert [request.act for request in parse(utterance, CITY)] == [act]


@pytest.mark.parametrize(("utterance", "kinds"), SEVERAL_ACTS, ids=[utterance for utterance, _ in SEVERAL_ACTS])
def test_several_requests_in_one_utterance_stay_several(utterance: str, kinds: list[type[acts.Act]]) -> None:
    assert [type(request.act) for request in parse(utterance, CITY)] == kinds


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("wish", WRAPPED)
def test_politeness_and_impatience_change_nothing(wrapper: str, wish: str) -> None:
    plain = [request.act for request in parse(wish, CITY)]
    assert [request.act for request in parse(wrapper.format(wish), CITY)] == plain


@pytest.mark.parametrize(("utterance", "act"), ONE_ACT[:30], ids=[utterance for utterance, _ in ONE_ACT[:30]])
def test_case_and_punctuation_change_nothing(utterance: str, act: acts.Act) -> None:
    shouted = [request.act for request in parse(utterance.upper() + "!!!", CITY)]
    assert shouted == [request.act for request in parse(utterance.lower(), CITY)] == [act]


@pytest.mark.parametrize("utterance", ["What is the meaning of life?", "blub", "", "???", "Book me a flight to Rome"])
def test_what_it_does_not_know_it_does_not_guess(utterance: str) -> None:
    found = [request.act for request in parse(utterance, CITY)]
    assert all(isinstance(act, NotUnderstood) or act == Navigate(to=place("rome")) for act in found)
    assert len(found) == 1


def test_an_odd_part_beside_an_understood_one_is_kept_so_that_it_can_be_named() -> None:
    found = [request.act for request in parse("Open the driver's window and tell me a joke", CITY)]
    assert found == [SetSwitch(switch=Switch.DRIVER_WINDOW, on=True), NotUnderstood(text="tell me a joke")]


def test_conditions_said_after_a_destination_belong_to_it() -> None:
    (request,) = parse("Take me to Pasing. Avoid tolls and please no motorways.", CITY)
    assert request.act == Navigate(to=PASING, constraints=(TOLLS, MOTORWAYS))


def test_what_is_longer_than_anybody_says_in_a_car_is_not_understood() -> None:
    (request,) = parse("Take me to Pasing. " * 1_100, CITY)
    assert isinstance(request.act, NotUnderstood)
    assert len(request.text) == MAX_CHARS
