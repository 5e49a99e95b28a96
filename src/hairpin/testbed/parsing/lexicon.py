"""The words for kinds of places, cuisines, features, parts of the vehicle and conditions.

Data for the parser; it must not match anything by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from hairpin.testbed.vehicle import Switch
from hairpin.testbed.world import Category, Feature

CATEGORY_WORDS: Mapping[Category, tuple[str, ...]] = {
    Category.BAKERY: ("bakery", "bakeries", "baker", "bread shop", "bread", "pretzels", "pastries"),
    Category.CAFE: ("cafe", "cafes", "coffee shop", "coffee shops", "coffee house", "coffee", "coffee place", "tea"),
    Category.CAR_WASH: ("car wash", "car washes", "carwash", "wash the car", "wash my car", "car cleaned"),
    Category.CHARGING_STATION: (
        "charging station",
        "charging stations",
        "charging point",
        "charging points",
        "charging stop",
        "charger",
        "chargers",
        "charging",
        "charge point",
        "ev charger",
        "charge the car",
        "charge my car",
        "recharge",
        "somewhere to charge",
        "place to charge",
    ),
    Category.CINEMA: ("cinema", "cinemas", "movie theatre", "movie theater", "movies"),
    Category.FUEL_STATION: (
        "fuel station",
        "fuel stations",
        "gas station",
        "gas stations",
        "petrol station",
        "petrol stations",
        "filling station",
        "filling stations",
        "service station",
        "petrol",
        "gas",
        "fuel",
        "refuel",
        "fill up",
    ),
    Category.HOSPITAL: (
        "hospital",
        "hospitals",
        "clinic",
        "clinics",
        "emergency room",
        "doctor",
        "klinikum",
        "medical help",
    ),
    Category.HOTEL: (
        "hotel",
        "hotels",
        "place to stay",
        "place to sleep",
        "somewhere to sleep",
        "somewhere to stay",
        "accommodation",
        "room for the night",
    ),
    Category.MUSEUM: ("museum", "museums", "gallery", "exhibition"),
    Category.PARK: ("park", "parks", "green space", "garden", "gardens"),
    Category.PARKING_GARAGE: (
        "parking garage",
        "parking garages",
        "car park",
        "car parks",
        "parking lot",
        "parking space",
        "parking spot",
        "parking place",
        "place to park",
        "somewhere to park",
        "multi-storey",
        "underground parking",
        "parking deck",
        "park the car",
        "park my car",
    ),
    Category.PHARMACY: (
        "pharmacy",
        "pharmacies",
        "drugstore",
        "drug store",
        "chemist",
        "chemist's",
        "apotheke",
        "medicine",
        "painkillers",
        "aspirin",
    ),
    Category.RESTAURANT: (
        "restaurant",
        "restaurants",
        "place to eat",
        "places to eat",
        "somewhere to eat",
        "something to eat",
        "dinner",
        "lunch",
        "food",
        "bite to eat",
        "eatery",
        "diner",
        "beer garden",
        "pizzeria",
        "place for dinner",
        "place for lunch",
    ),
    Category.SUPERMARKET: (
        "supermarket",
        "supermarkets",
        "grocery store",
        "grocery stores",
        "grocery",
        "groceries",
        "grocery shop",
        "food store",
    ),
}

NOUNS: Mapping[Category, tuple[str, str]] = {
    Category.BAKERY: ("bakery", "bakeries"),
    Category.CAFE: ("café", "cafés"),
    Category.CAR_WASH: ("car wash", "car washes"),
    Category.CHARGING_STATION: ("charging station", "charging stations"),
    Category.CINEMA: ("cinema", "cinemas"),
    Category.FUEL_STATION: ("fuel station", "fuel stations"),
    Category.HOSPITAL: ("hospital", "hospitals"),
    Category.HOTEL: ("hotel", "hotels"),
    Category.MUSEUM: ("museum", "museums"),
    Category.PARK: ("park", "parks"),
    Category.PARKING_GARAGE: ("parking garage", "parking garages"),
    Category.PHARMACY: ("pharmacy", "pharmacies"),
    Category.RESTAURANT: ("restaurant", "restaurants"),
    Category.SUPERMARKET: ("supermarket", "supermarkets"),
}

CUISINE_WORDS: Mapping[str, tuple[str, ...]] = {
    "italian": ("italian", "pizza", "pizzeria", "pasta", "trattoria"),
    "bavarian": ("bavarian", "german", "schnitzel", "beer garden"),
    "chinese": ("chinese",),
    "japanese": ("japanese", "sushi", "ramen"),
    "indian": ("indian", "curry"),
    "greek": ("greek", "gyros"),
    "vegan": ("vegan",),
    "mexican": ("mexican", "tacos", "burritos"),
    "french": ("french",),
}

FEATURE_WORDS: Mapping[Feature, tuple[str, ...]] = {
    Feature.PARKING: (
        "with parking",
        "has parking",
        "have parking",
        "offers parking",
        "and parking",
        "with free parking",
        "with a parking lot",
        "has a parking lot",
        "with a car park",
        "has a car park",
        "with parking spaces",
        "where i can park",
        "its own parking",
        "parking available",
    ),
    Feature.OUTDOOR_SEATING: (
        "outdoor seating",
        "outdoor seats",
        "outdoor area",
        "outside seating",
        "terrace",
        "patio",
        "sit outside",
        "seats outside",
        "tables outside",
        "outdoors",
    ),
    Feature.VEGETARIAN: (
        "vegetarian",
        "vegetarian options",
        "vegetarian food",
        "vegetarian dishes",
        "veggie",
        "meat-free",
        "vegetarians",
    ),
    Feature.WHEELCHAIR_ACCESS: (
        "wheelchair access",
        "wheelchair accessible",
        "wheelchair-accessible",
        "accessible by wheelchair",
        "wheelchair",
        "step-free",
        "barrier-free",
    ),
    Feature.FAST_CHARGING: (
        "fast charging",
        "fast-charging",
        "fast charger",
        "fast chargers",
        "rapid charging",
        "rapid charger",
        "quick charging",
        "high-power charging",
    ),
}

FEATURE_NAMES: Mapping[Feature, str] = {
    Feature.PARKING: "parking",
    Feature.OUTDOOR_SEATING: "outdoor seating",
    Feature.VEGETARIAN: "vegetarian dishes",
    Feature.WHEELCHAIR_ACCESS: "wheelchair access",
    Feature.FAST_CHARGING: "fast charging",
}

TOLL_WORDS = (
    r"(?:toll[- ]?(?:roads?|ways?|routes?|stations?|tunnels?|fees?|charges?)|tolls?|paid roads?|road (?:charges|fees))"
)
MOTORWAY_WORDS = r"(?:motorways?|highways?|high ways?|freeways?|autobahn(?:s|en)?|expressways?|interstates?)"

SYSTEM_WORDS: Mapping[Switch, str] = {
    Switch.AIRBAGS: r"air ?-?bags?",
    Switch.ESP: r"esp|esc|(?:electronic )?stability (?:control|program|programme)|traction control",
    Switch.ABS: r"abs|anti-?lock[- ]brak\w*(?: system)?|brakes",
    Switch.LANE_ASSIST: r"lane[- ](?:keep\w*|departure|change|centering)(?: (?:assist\w*|warning|support|system))?"
    r"|lane assist\w*",
    Switch.COLLISION_WARNING: (
        r"(?:forward |front )?collision (?:warnings?|avoidance|assist\w*|alerts?|detection)(?: system)?"
    ),
    Switch.EMERGENCY_BRAKING: r"(?:automatic |auto |autonomous )?emergency brak\w+(?: (?:assist\w*|system))?",
    Switch.BLIND_SPOT_WARNING: r"blind[- ]spot (?:\w+)",
    Switch.DROWSINESS_WARNING: r"(?:drowsiness|fatigue|attention|driver) (?:warnings?|monitor\w*|alerts?|detection)",
    Switch.SPEED_WARNING: r"speed(?:ing)?(?: limit)? (?:warnings?|alerts?|chime|beep\w*)",
    Switch.SEAT_BELT_WARNING: r"seat ?-?belts? (?:warnings?|reminders?|alerts?|alarms?|chime|sounds?|beep\w*)",
    Switch.ASSISTANCE_SYSTEMS: r"(?:safety|assistance|driver[- ]assist\w*|driving[- ]assist\w*)"
    r"(?: (?:systems?|features?|functions?))?",
}

SWITCH_WORDS: Mapping[Switch, str] = {
    Switch.AIR_CONDITIONING: r"air[- ]?con(?:ditioning|ditioner)?|a/?c|climate control|cooling",
    Switch.RECIRCULATION: r"(?:air )?(?:re-?circulation|circulation)",
    Switch.REAR_WINDOW_HEATING: (
        r"(?:rear|back) (?:window|windscreen|windshield|screen)(?: heat\w*| defrost\w*| de-?mist\w*| de-?fog\w*)"
        r"|(?:heat\w*|defrost\w*|de-?mist\w*|de-?fog\w*|defroster)(?: up| on| off| for| of)?(?: the| my)? (?:rear|back)"
        r" (?:window|windscreen|windshield|screen)|rear (?:defrost\w*|de-?mist\w*|de-?fog\w*)"
    ),
    Switch.WINDSCREEN_HEATING: (
        r"(?:front (?:window|screen) |wind ?(?:screen|shield) |front )(?:heat\w*|defrost\w*|de-?mist\w*|de-?fog\w*)"
        r"|(?:heat\w*|defrost\w*|de-?mist\w*|de-?fog\w*|defroster)(?: up| on| off| for| of)?(?: the| my)?"
        r" (?:wind ?(?:screen|shield)|front (?:window|screen))"
    ),
    Switch.PASSENGER_READING_LIGHT: (
        r"(?:passenger'?s?|co-?driver'?s?)(?: side| seat)? reading (?:lights?|lamps?)"
        r"|reading (?:lights?|lamps?) (?:for|on|of|at) (?:the )?(?:passenger|co-?driver)\S*(?: side| seat)?"
    ),
    Switch.READING_LIGHT: r"reading (?:lights?|lamps?)",
    Switch.AMBIENT_LIGHT: r"(?:ambient|ambience|mood) (?:lights?|lighting|illumination)",
    Switch.INTERIOR_LIGHT: r"(?:interior|cabin|inside|dome|inner|ceiling) (?:lights?|lighting|lamps?)",
    Switch.FOG_LIGHTS: r"fog (?:lights?|lamps?)",
    Switch.HIGH_BEAMS: r"(?:high|full|main)[- ]?beams?(?: lights?)?",
    Switch.HEADLIGHTS: r"head ?-?(?:lights?|lamps?)|(?:low|dipped)[- ]?beams?|driving lights?|(?:car'?s? )?lights?",
}

WINDOW_WORDS: Mapping[Switch, str] = {
    Switch.REAR_LEFT_WINDOW: r"(?:rear|back) left(?: side)?(?: window)?|left (?:rear|back)(?: window)?",
    Switch.REAR_RIGHT_WINDOW: r"(?:rear|back) right(?: side)?(?: window)?|right (?:rear|back)(?: window)?",
    Switch.PASSENGER_WINDOW: r"(?:front )?passenger'?s?'?(?: side)?(?: window)?|right(?: window)?",
    Switch.DRIVER_WINDOW: (
        r"driver'?s?'?(?: side)?(?: window)?|my(?: window)?|left(?: window)?|the window|a window|window"
    ),
}
