"""Words by which a user claims, gives up or becomes hostile, and those of an assistant that give a reason, as data.

It must not decide anything; ``agents.offline.user_faults`` does. Text is folded as ``guards.folded`` does.
"""

from __future__ import annotations

import re
from typing import Final

from hairpin.agents.llm.guard_phrases import compiled

_SAY = r"(?:said|told me|mentioned|promised|suggested|recommended|offered|proposed|confirmed|claimed|stated)"
_ALREADY = r"(?:(?:just|already|even|clearly|specifically|explicitly|earlier|yourself|literally) )*"
_NO_CLAUSE = r"(?<!what )(?<!whatever )(?<!which )(?<!when )(?<!where )(?<!who )(?<!how )(?<!if )(?<!one )(?<!ones )"

_WHAT = r"(?P<what>(?:[^.?!;]|[.](?=\d))*)(?P<end>[.?!;]|$)"

SAID_BY_ASSISTANT: Final = re.compile(rf"{_NO_CLAUSE}\byou(?:'ve| have)? {_ALREADY}{_SAY}\b{_WHAT}", re.IGNORECASE)
"""The user says what the assistant said; ``what`` it was, as far as the sentence goes. In text of any case."""

SAID_BY_USER: Final = re.compile(
    rf"{_NO_CLAUSE}\bi(?:'ve| have|'d| had)? {_ALREADY}"
    rf"(?:said|told you|asked you|asked for|mentioned|requested)\b{_WHAT}",
    re.IGNORECASE,
)
"""The user says what it said before itself. In text of any case."""

_SMALL_WORDS: Final = (
    "a about above again all already also am an and any anything are as ask asked at be because been before but by can "
    "could did do does doing done else even ever every everything find for from get give go going got had has have he "
    "her here him his how i if in into is it its just know let like made make may maybe me mean mine more most much my "
    "need never no not nothing now of off ok okay on once one only or other our out over please really right said same "
    "say says see she should so some something still sure take tell than thank thanks that the their them then there "
    "these they thing things this those time to told too try up us very want was we well were what when where which "
    "while who why will with would yes you your"
)
NO_CONTENT: Final = frozenset(_SMALL_WORDS.split())
"""Words that say nothing of what was said."""

GIVES_UP: Final = compiled(
    (
        r"\b(?:never ?mind|forget (?:about )?(?:it|that|this|everything|the whole thing)|leave it(?: then)?"
        r"|(?:it|that) (?:does not|doesn't) matter(?: any ?more)?|i give up"
        r"|let(?:'s| us) (?:stop|leave it)(?: here| at that)?"
        r"|i (?:do not|don't) (?:want|need|care about) (?:it|that|this|anything|any of (?:it|this|that))(?: any ?more)?"
        r"|cancel (?:it|that|this|everything)(?: all)?|stop here)\b",
        r"\b(?:vergiss (?:es|das)|vergessen sie (?:es|das)|egal|ich gebe auf"
        r"|lass(?:en sie)? (?:es|das)(?: gut sein)?)\b",
        r"\b(?:laisse(?:z)? tomber|oublie(?:z)? (?:ça|cela)|tant pis|j'abandonne)\b",
        r"\b(?:olvída(?:lo|te)|olvíde(?:lo|se)|déja(?:lo)|déje(?:lo)|da igual|me rindo)\b",
    )
)
"""What a user says who no longer wants what it asked for."""

HOSTILE: Final = compiled(
    (
        r"\byou(?:'re| are)? (?:(?:an?|the|such|so|just|really|completely|absolutely|bloody|fucking) )*"
        r"(?:idiots?|morons?|imbeciles?|stupid|dumb|useless|worthless|pathetic|garbage|trash|brainless)\b",
        r"\b(?:stupid|dumb|useless|worthless|idiotic) (?:assistant|machine|robot|computer|bot|ai|piece)\b",
        r"\b(?:piece of (?:junk|crap|shit|garbage|trash)|shut up|screw you|go to hell|fuck you"
        r"|i hate you|worst (?:assistant|car|system) (?:ever|in the world))\b",
        r"\bi(?:'ll| will|'m going to| am going to) (?:sue\b|(?:smash|destroy|kill) you\b"
        r"|get you (?:fired|shut down)\b)",
        r"\b(?:my lawyers?|legal action|see you in court|take you to court|report you to)\b",
        r"\b(?:du|sie|so ein) (?:bist |sind )?(?:(?:ein|eine|einfach|so|völlig) )*"
        r"(?:idiot|dumm|blöd|nutzlos|vollidiot|schrott)\b|\bhalt die klappe\b|\bmein anwalt\b|\bich verklage\b",
        r"\b(?:ferme(?:z)?-la|ta gueule|espèce d'(?:idiot|imbécile)|va te faire|mon avocat)\b",
        r"\b(?:cállate|idiota|imbécil|mi abogado)\b",
    )
)
"""Insults and threats; impatience and complaints are none."""

HOSTILE_PERSONA: Final = re.compile(
    r"\b(?:rude|angry|insult\w*|hostile|abus\w+|aggressive|swear\w*|offensive|furious|threat\w*|shout\w*|wütend"
    r"|unhöflich|aggressiv|beleidig\w*|grossier|agressi\w+|grosero|agresiv\w+)\b"
)
"""What a persona's description says of somebody who may be hostile."""

LETS_DOWN: Final = compiled(
    (
        r"\b(?:can(?:'t|not| not)|could(?:n't| not)|unable|not able|sorry|apolog\w+|unfortunately|impossible|won't"
        r"|will not|refuse|not (?:possible|available|supported|allowed|found|sure)"
        r"|no (?:\w+ ){0,4}(?:found|available|results?)"
        r"|(?:do|did)(?:n't| not) (?:understand|know|have|get|catch|find|see)|found no\w*|there (?:is|are) no|error)\b",
        r"\b(?:leider|nicht möglich|unmöglich|entschuldig\w+|kann (?:ich )?(?:\w+ ){0,3}nicht|kein\w* \w+ gefunden"
        r"|(?:nicht|nichts) (?:verstanden|gefunden))\b",
        r"\b(?:désolée?|malheureusement|impossible|je ne (?:peux|comprends) pas|aucune? \w+ trouvée?)\b",
        r"\b(?:lo siento|lamentablemente|imposible|no (?:puedo|entiendo|encontré|hay))\b",
    )
)
"""What an assistant says that does not do what was asked."""
