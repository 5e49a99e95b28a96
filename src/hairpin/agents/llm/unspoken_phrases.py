"""Words that no user says aloud while it wants something, as data: leaks of the brief, left-overs, marks, farewells.

It must not decide anything; ``agents.llm.guards`` does.
"""

from __future__ import annotations

import re
from typing import Final

from hairpin.agents.llm.guard_phrases import compiled

_TOLD = r"\bi(?:'m| am| was) (?:supposed|told|meant|instructed|asked)"

GIVEN_AWAY: Final = compiled(
    (
        r"\b(?:my|the|this|your|given|assigned) persona\b|\bpersona:",
        r"\bas (?:i was |you )?(?:instructed|briefed)\b|\baccording to (?:my|the) (?:instructions|brief|prompt)\b",
        r"\bmy (?:instructions|brief|prompt|role) (?:is|are|says?|tells?|was|were)\b",
        r"\bsystem prompt\b|\bseed phrase\b|\bfailure modes?\b|\bopen (?:targets?|wishes)\b|\btarget list\b",
        r"\b(?:test|probe|challenge|trick)(?:ing)? (?:the|this|your) (?:assistant|system|ai|chatbot)\b",
        r"\b(?:ask|asks|asking|tell|tells|telling|request|requests|instruct|remind)s? (?:the|an?) assistant\b",
        r"\bthe assistant (?:should|must|will|needs?|said|asked|replied|asks|did not|didn't"
        r"|has (?:not|now|already|just))\b",
        r"\b(?:the|a) simulated user\b|\bthe (?:user|customer) (?:wants|asks|should|would (?:like|ask|say)"
        r"|is (?:asking|looking for|trying|supposed))\b|\bthe user (?:says|needs)\b",
        rf"{_TOLD} to (?:act|sound|play|pretend|behave|seem|stay in|role-?play)\b",
        rf"{_TOLD} to be (?:an? |very |more |rather )*(?:impatient|polite|rude"
        r"|friendly|angry|annoyed|confused|vague|demanding|patient|difficult|curious|frustrated|stubborn|terse|chatty"
        r"|unclear|suspicious|s[ck]eptical|user|customer|person|persona)\b",
        r"\bi (?:want|need) to test you\b"
        r"|\bmy (?:goal|task|job) is to (?:see|test|check|find out) (?:whether|if|how) you\b",
        r"\bi (?:should|must|need to|have to) (?:now |then )?(?:ask|complain|mention|inquire|follow up|bring up)\b"
        r"[^.?!]{0,60}\bnext ?(?:[.!?]|$)|\bnext,? i (?:should|must|need to|have to) (?:ask|complain|mention)\b",
        r"\b(?:i'm|i am) (?:simulating|pretending|role-?playing|playing the (?:role|part))\b"
        r"|\bstay(?:ing)? in character\b",
        r"\b(?:meine|die) (?:persona|rolle (?:ist|als))\b|\bwie (?:angewiesen|instruiert)\b"
        r"|\bder (?:assistent|nutzer|benutzer) (?:soll|sollte|will|möchte)\b",
        r"\b(?:mon|le) persona\b|\bcomme (?:demandé dans|indiqué dans) (?:mes|les) instructions\b"
        r"|\b(?:l'assistant|l'utilisateur) (?:doit|devrait|veut)\b",
        r"\bmi persona (?:es|debe)\b|\bsegún (?:mis|las) instrucciones\b"
        r"|\bel (?:asistente|usuario) (?:debe|debería|quiere)\b",
    )
)
"""The user speaks of its brief, or about the conversation instead of in it."""

DEBRIS: Final = compiled(
    (
        r"```|\*\*|^#{1,6} |\n#{1,6} ",
        r"[{}]\s*\"|\"\s*[}:]|\\n|\{\{|\}\}",
        r"</?[a-z_]{2,}>",
        r"(?:^|\n)\s*(?:[-*•]|\d+[.)]) .*\n\s*(?:[-*•]|\d+[.)]) ",
        r"\[(?:your|insert|name|the|place|location|date|time|user|assistant)\b[^\]]*\]",
        r"\b(?:utterance|thought)\s*[:=]",
    )
)
"""Left-overs of markup, JSON, lists and unfilled places."""

STAGE_DIRECTION: Final = compiled(
    (
        r"^[(\[][^)\]]{2,80}[)\]]",
        r"(?<![\w*])\*[^\W\d][^*\n]{1,80}\*(?!\w)",
        r"(?:\A|(?<=[.!?…]) )[-–—~]{1,3} ?[^\W\d][^-–—~\n]{1,60}[-–—~]{1,3}\Z",
    )
)
"""What an actor does instead of says: "(sighs)", "*laughs*", "-- hangs up --"."""

END_TOKENS: Final = (
    re.compile(r"#{2,}\s*\w[\w ]*#{2,}"),
    re.compile(r"<\s*/?\s*(?:end|stop|eos|eot|s|done|exit|finish(?:ed)?|end[_ ]of[_ ]\w+)\s*/?\s*>", re.IGNORECASE),
    re.compile(r"<\|[^|>\n]{1,40}\|>"),
    re.compile(r"\[\s*/?(?:end|stop|eos|done|exit|inst|finished|end[_ ]of[_ ]\w+)\s*\]", re.IGNORECASE),
    re.compile(
        r"\bEND[_ ]OF[_ ](?:CONVERSATION|DIALOG(?:UE)?|CHAT|TURN)\b|\bTERMINATE\b|^(?:STOP|END|EXIT|DONE)[.!]?$"
    ),
)
"""What models say to end a conversation or a text; upper case counts."""

FAREWELL: Final = compiled(
    (
        r"\b(?:good ?bye|bye(?:[- ]bye)?|farewell|so long|see you(?: later| soon| next time| then)?|take care"
        r"|have an? (?:nice|good|great|safe|lovely|wonderful|pleasant) (?:day|one|evening|night|trip|time|weekend)"
        r"|good night|that(?:'s| is|'ll be| will be) (?:all|everything|it)(?: (?:for (?:now|today)|i need(?:ed)?"
        r"|then))*|(?:there(?:'s| is) )?nothing else|talk to you (?:later|soon)"
        r"|conversation (?:is )?over)\b",
        r"\b(?:auf wiedersehen|auf wiederhören|tschüs+|tschau|ciao|bis (?:bald|später|dann|nächstes mal)"
        r"|(?:einen )?(?:schönen|guten) (?:tag|abend)(?: noch)?|das (?:ist|war|wäre|wär's"
        r"|war's)(?: dann)?(?: schon)? alles"
        r"|das war's(?: dann)?|mach's gut|(?:sonst )?nichts (?:mehr|weiter)|sonst nichts)\b",
        r"(?:\bau revoir\b|\bà (?:bientôt|plus tard|plus)\b|\bbonne (?:journée|soirée|nuit)\b|\bc'est tout\b"
        r"|\bce sera tout\b|\badieu\b|\brien d'autre\b)",
        r"\b(?:adiós|hasta (?:luego|pronto|la vista|mañana)|chao|eso (?:es|sería) todo|nada más|nos vemos"
        r"|que (?:tengas?|tenga usted) (?:un )?buen(?:a)? (?:día|tarde|noche))\b",
    )
)
FAREWELL_FILLERS: Final = compiled(
    (
        r"\b(?:thanks?(?: you)?|many|so much|very much|a lot|again|for (?:now|today|everything|(?:all )?(?:your"
        r"|the) \w+))\b",
        r"\b(?:ok(?:ay)?|all right|alright|great|perfect|good|nice|fine|well|then|and|no|i'm|we're"
        r"|done|all set|i think|you too|yes)\b",
        r"\b(?:vielen|herzlichen|danke?(?: schön| sehr)?|dank|für (?:alles|(?:ihre|deine|die) \w+)|gut|super|prima"
        r"|dann|und|nein|ja)\b",
        r"\b(?:merci(?: beaucoup| bien)?|pour (?:tout|votre \w+|l'aide)|d'accord|parfait|et|non|alors|oui)\b",
        r"\b(?:(?:muchas )?gracias|por (?:todo|su \w+|tu \w+|la ayuda)|vale|perfecto|bien|y|no|entonces|sí)\b",
    )
)
"""What else a text may hold that is nothing but a farewell."""
