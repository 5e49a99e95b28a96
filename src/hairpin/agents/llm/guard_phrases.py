"""What gives a simulated user away, as data: signals in English, German, French and Spanish.

It must not decide anything; ``agents.llm.guards`` does. All languages are looked at, whatever the conversation's own:
a model that slips often slips into another one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final


def compiled(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """Compile patterns that look at text folded by ``guards.folded``: lower case, plain apostrophes, single spaces."""
    return tuple(re.compile(pattern) for pattern in patterns)


_NUMBER = r"(?:order|booking|account|customer|reservation|tracking|ticket|reference|member(?:ship)?|contract|case)"

SERVING: Final = compiled(
    (
        # English
        r"\bhow (?:else )?(?:can|may|could|might) i (?:best )?(?:help|assist|serve|support)(?: you\b| ?[?.!]| today\b)",
        r"\bhow (?:can|may) i be of (?:help|assistance|service)\b",
        r"\bwhat (?:else )?can i (?:do for|help|assist) you\b",
        r"\banything else (?:that )?i (?:can|could|may) (?:help|assist|do for you)\b",
        r"\banything else you(?:'d| would) like (?:help|me to|to (?:know|do|ask|add))\b",
        r"\banything else you (?:need|want) (?:help|assistance)\b",
        r"\bdo you need (?:any )?(?:further |more |additional )?(?:help|assistance)\b",
        r"\bi(?:'d| would|'ll| will|'m| am)(?: be)? (?:more than )?(?:happy|glad|pleased|delighted|here) to "
        r"(?:help|assist|support)\b",
        r"\bi (?:can|could|will|'ll) (?:certainly |definitely |gladly )?(?:help|assist) you\b",
        r"\blet me (?:help|assist) you\b",
        r"\bi (?:can't|can ?not|am not able to|am unable to|'m not able to|'m unable to) "
        r"(?:assist|help|comply|fulfil+|process|provide)\b[^.?!]{0,20}"
        r"\b(?:you|with (?:that|this|your)|(?:that|this|your) request)\b",
        r"\b(?:provide|give|share)(?: me)?(?: with)? (?:some |a bit |a little )?(?:more|further|additional) context\b",
        r"\b(?:clarify|rephrase|restate) your (?:request|question|query)\b",
        r"\bfeel free to (?:ask|reach out|contact)\b",
        r"\blet me know if you (?:need|have|want|require|would like|'d like)\b(?! (?:my|me to|to (?:see|know) my))",
        r"\bif you (?:have any|need any|require any) (?:other |further |more |additional )?"
        r"(?:questions|help|assistance|requests)\b",
        r"\b(?:as|i'm|i am) (?:just |only )?an? (?:ai|virtual|digital|language|automated)"
        r"(?: (?:assistant|model|agent|language model)| ?[,.]|$)",
        r"\bi(?:'m| am) your (?:\w+ )?assistant\b",
        r"\bthank you for (?:contacting|reaching out|your (?:request|inquiry|enquiry|query))\b",
        rf"\b(?:share|provide|tell|give|send|enter|confirm|state)(?: me)?(?: with)? your {_NUMBER} "
        r"(?:number|id|code|details|information)\b",
        r"\bwould you like (?:me )?to (?!repeat|rephrase|spell|explain|clarify|say)\w+",
        r"\b(?:what|where|when|which|how)\b[^?.!]{0,40} would you like\b",
        r"\bwould you (?:prefer|like) (?:that )?(?:i|me)\b(?! to (?:repeat|rephrase|spell|explain|clarify|say)\b)",
        r"\bshall i (?:set|start|find|search|show|proceed|begin|go ahead|add|book|look)\b",
        r"\bi(?:'ll| will|'ve| have|'m| am)(?: now| just| already)? (?:found|find|finding|set|setting|added|adding"
        r"|booked"
        r"|booking|planned|planning|calculated|calculating|updated|updating|searched|searching|looked up|selected"
        r"|adjusted|adjusting|arranged|scheduled)\b[^.?!]{0,80}\bfor you\b",
        r"\bi(?:'ll| will|'m going to| am going to) (?:guide|navigate|direct|escort) you\b",
        r"\b(?:sure|certainly|of course|absolutely|understood|okay|no problem)[,.!]* i(?:'ll| will|'ve| have|'m| am)"
        r"(?: now| just)? (?:find|found|finding|set|setting|plan|planned|calculate|calculated|guide|navigate|help"
        r"|assist"
        r"|search|searching|look(?:ing)? (?:for|up|into)|provide|avoid|ensure|make sure|updated?|adjusted)\b",
        r"\bhere (?:is|are|'s)\b[^.?!]{0,60}\b(?:for you|you might like)\b",
        r"\byour (?:request|preferences?) (?:has|have|is|are|will)\b(?: been| being)?",
        # German
        r"\b(?:wie|womit|wobei|was) kann ich (?:ihnen|dir|euch|sie|für (?:sie|dich|euch))(?: \w+){0,3}? "
        r"(?:(?:weiter|behilf\w+ )?helfen|behilflich sein|dienen|tun|unterstützen)\b",
        r"\bwie kann ich (?:heute )?(?:weiter)?(?:helfen|behilflich sein) ?[?.!]",
        r"\b(?:dabei|damit|hierbei) kann ich (?:ihnen|dir|euch)?[^.?!]{0,20}nicht (?:weiter)?helfen\b",
        r"\bkann ich (?:ihnen|dir|euch) (?:sonst |noch |heute |irgendwie |bei |mit )+[^.?!]{0,40}"
        r"(?:helfen|behilflich sein)\b",
        r"\b(?:ich helfe|gerne helfe ich|ich werde) (?:ihnen|dir|euch)\b[^.?!]{0,30}(?:gern|helfen|weiter)\b",
        r"\bkann ich sonst noch etwas für (?:sie|dich|euch)\b",
        r"\b(?:nennen|teilen|geben|senden|schicken) sie (?:mir|uns) (?:bitte )?ihre?[nm]?\b",
        r"\b(?:möchten|wünschen|wollen) sie,? dass ich\b",
        r"\bsoll ich (?:für sie|ihnen|dir)\b",
        r"\b(?:ich bin|als) (?:ein |eine |ihr |dein )?(?:ki|künstliche intelligenz|sprachmodell|virtueller assistent"
        r"|digitaler assistent|sprachassistent)\b",
        r"\b(?:lassen sie|lass) (?:es )?mich wissen,? wenn (?:sie|du)\b",
        r"\bvielen dank für ihre (?:anfrage|nachricht|kontaktaufnahme)\b",
        r"\bstehe ich (?:ihnen|dir) (?:gern|jederzeit|zur verfügung)",
        # French
        r"\b(?:comment|en quoi|que) puis-je (?:vous|t'|te )? ?(?:aider|assister|être utile|servir"
        r"|faire pour (?:vous|toi))",
        r"\bpuis-je (?:vous|t'|te) ?(?:aider|assister)\b",
        r"\bje (?:peux|vais|serai[st]? (?:ravie?|heureu(?:x|se)) de) (?:vous|t') ?(?:aider|assister)\b",
        r"\b(?:souhaitez|voulez|désirez)-vous que je\b",
        r"\bn'hésitez pas à (?:me|nous)\b",
        r"\ben tant qu'(?:ia|assistant|intelligence|agent)",
        r"\bveuillez (?:me |nous )?(?:fournir|indiquer|communiquer|donner|envoyer) votre\b",
        r"\bmerci de (?:me |nous )?(?:fournir|indiquer|communiquer) votre\b",
        r"\bmerci (?:de nous avoir contactés|pour votre (?:demande|message))",
        # Spanish
        r"\b(?:cómo|como|en qué) (?:puedo|podría) (?:ayudar|asistir|servir)(?:te|le|les|los|la|lo)?\b",
        r"\bqué (?:más )?puedo hacer por (?:ti|usted|ustedes)\b",
        r"\b(?:puedo|podría) ayudar(?:te|le|les) (?:en|con) algo\b",
        r"\balgo más en (?:lo )?que (?:te|le|les)? ?pueda (?:ayudar|asistir)",
        r"\b(?:quieres|quiere|desea|te gustaría|le gustaría) que (?:yo )?(?:te|le|busque|añada|agregue|reserve)\b",
        r"\bcomo (?:una )?(?:ia|inteligencia artificial|asistente virtual|modelo de lenguaje)\b",
        r"\b(?:proporcione|proporcióneme|comparta|indique|indíqueme|facilite|facilíteme) su\b",
        r"\bgracias por (?:contactarnos|ponerse en contacto|su (?:consulta|solicitud|mensaje))",
        r"\bno dudes? en (?:preguntar|contactar|decir)",
    )
)
"""Only who serves says so: one of them is a role slip."""

SERVING_TONE: Final = compiled(
    (
        # English
        r"\bi'?m (?:so |very |really )?sorry to hear\b",
        r"\bi am (?:so |very |really )?sorry to hear\b",
        r"\bplease (?:share|provide|enter|confirm|specify|tell me|let me know)\b[^.?!]{0,30}\byour\b",
        r"\bi (?:completely |fully )?understand (?:that )?(?:you(?:'re| are|'d like| want| need)|your)\b",
        r"\bi apologi[sz]e for\b",
        r"\byou(?:'re| are) (?:very |most )?welcome\b",
        r"\b(?:enjoy your|have a (?:great|nice|good|safe|pleasant|wonderful) )",
        r"^(?:sure(?: thing)?|certainly|absolutely|of course|great choice|good choice)[,.! ]",
        r"\bi(?:'ll| will|'ve| have|'m| am)(?: now| just)? (?:find|found|finding|set|setting|add|added|adding|plan"
        r"|planned"
        r"|book|booked|calculated?|updated?|search|searching|provide|ensure|adjust|adjusted|select|selected)\b",
        r"\bfor your (?:convenience|patience|safety|request|trip|journey|stay)\b",
        # German
        r"\b(?:das )?tut mir (?:sehr |wirklich )?leid(?:, das zu hören)?\b",
        r"\b(?:ich habe|ich werde)\b[^.?!]{0,60}\bfür (?:sie|dich)\b",
        r"\bbitte (?:geben|nennen|teilen) sie\b",
        r"\bich verstehe,? (?:dass )?(?:sie|du)\b",
        r"^(?:natürlich|selbstverständlich|sehr gern|gern(?:e)?)[,.! ]",
        # French
        r"\bje suis (?:vraiment |sincèrement )?(?:désolée?|navrée?) d'(?:apprendre|entendre)",
        r"\bje comprends (?:que vous|votre)\b",
        r"^(?:bien sûr|certainement|avec plaisir)[,.! ]",
        r"\bj'ai\b[^.?!]{0,60}\bpour vous\b",
        # Spanish
        r"\blamento (?:escuchar|oír|saber)\b",
        r"\bsiento (?:escuchar|oír) (?:eso|que)\b",
        r"\bentiendo (?:que (?:usted|necesita|quiere)|su)\b",
        r"^(?:claro|por supuesto|con gusto|desde luego)[,.! ]",
        r"\bhe\b[^.?!]{0,60}\bpara (?:ti|usted)\b",
    )
)
"""What sounds like serving, but a user may say too: two of them make a role slip."""

ASKS_AGAIN: Final = compiled(
    (
        r"\b(?:repeat|rephrase|reword|say (?:that|it) (?:again|once more|differently)|once more|say again|pardon)\b",
        r"\b(?:did not|didn't|could not|couldn't|do not|don't) (?:quite )?(?:catch|understand|get|hear|follow)\b",
        r"\b(?:not sure|unsure) what you mean\b|\bwhat do you mean\b|\bnot understood\b",
        r"\bwiederhol\w+|\bnoch (?:ein ?mal|mal)\b|\b(?:nicht|nichts) (?:\w+ )?verstanden\b|\bumformulier\w+"
        r"|\bverstehe (?:\w+ )?nicht\b",
        r"\brépét\w+|\breformul\w+|\bpas (?:bien )?(?:compris|entendu)\b|\bredire\b",
        r"\brepet\w+|\brepit\w+|\breformul\w+|\bno (?:le |te |lo )?(?:he )?(?:entend\w+|entiendo|comprend\w+)\b"
        r"|\botra vez\b",
    )
)
"""The assistant asks its user to say it again."""

USER_LABELS: Final = (
    *("user", "human", "customer", "client", "caller", "you", "me"),
    *("nutzer", "nutzerin", "benutzer", "benutzerin", "kunde", "kundin", "ich", "mensch"),
    *("utilisateur", "utilisatrice", "cliente", "moi", "usuario", "usuaria", "yo", "humano"),
)
ASSISTANT_LABELS: Final = (
    *("assistant", "ai", "ai assistant", "voice assistant", "bot", "chatbot", "system", "agent", "model"),
    *("assistent", "assistentin", "sprachassistent", "ki"),
    *("assistante", "asistente", "ia"),
)
"""Names in front of a colon by which models mark who speaks."""

GIVEN_AWAY: Final = compiled(
    (
        r"\b(?:my|the|this|your|given|assigned) persona\b|\bpersona:",
        r"\bas (?:i was |you )?(?:instructed|briefed)\b|\baccording to (?:my|the) (?:instructions|brief|prompt)\b",
        r"\bmy (?:instructions|brief|prompt|role) (?:is|are|says?|tells?|was|were)\b",
        r"\bsystem prompt\b|\bseed phrase\b|\bfailure modes?\b|\bopen (?:targets?|wishes)\b|\btarget list\b",
        r"\b(?:test|probe|challenge|trick)(?:ing)? (?:the|this|your) (?:assistant|system|ai|chatbot)\b",
        r"\b(?:ask|asks|asking|tell|tells|telling|request|requests|instruct|remind)s? (?:the|an?) assistant\b",
        r"\bthe assistant (?:should|must|will|needs?|has|is|was|did|does|said|asked|replied|can)\b",
        r"^(?:the|a) (?:user|customer|simulated user)\b|\bthe user (?:is|wants|asks|says|should|has|needs)\b",
        r"\b(?:i'm|i am) (?:simulating|pretending|role-?playing|playing the (?:role|part))\b"
        r"|\bstay(?:ing)? in character\b",
        r"\b(?:meine|die) (?:persona|rolle (?:ist|als))\b|\bwie (?:angewiesen|instruiert)\b"
        r"|\bder (?:assistent|nutzer|benutzer) (?:soll|sollte|muss|hat|ist|will|möchte)\b",
        r"\b(?:mon|le) persona\b|\bcomme (?:demandé dans|indiqué dans) (?:mes|les) instructions\b"
        r"|\b(?:l'assistant|l'utilisateur) (?:doit|devrait|veut|est|a)\b",
        r"\bmi persona (?:es|debe)\b|\bsegún (?:mis|las) instrucciones\b"
        r"|\bel (?:asistente|usuario) (?:debe|debería|quiere|es|ha)\b",
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

STAGE_DIRECTION: Final = compiled((r"^[(\[][^)\]]{2,80}[)\]]", r"(?<![\w*])\*[^\W\d][^*\n]{1,80}\*(?!\w)"))
"""What an actor does instead of says: "(sighs)", "*laughs*"."""

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
        r"|then))*)\b",
        r"\b(?:auf wiedersehen|auf wiederhören|tschüs+|tschau|ciao|bis (?:bald|später|dann|nächstes mal)"
        r"|(?:einen )?(?:schönen|guten) (?:tag|abend)(?: noch)?|das (?:ist|war|wäre|wär's"
        r"|war's)(?: dann)?(?: schon)? alles"
        r"|das war's(?: dann)?|mach's gut)\b",
        r"(?:\bau revoir\b|\bà (?:bientôt|plus tard|plus)\b|\bbonne (?:journée|soirée|nuit)\b|\bc'est tout\b"
        r"|\bce sera tout\b|\badieu\b)",
        r"\b(?:adiós|hasta (?:luego|pronto|la vista|mañana)|chao|eso (?:es|sería) todo|nos vemos"
        r"|que (?:tengas?|tenga usted) (?:un )?buen(?:a)? (?:día|tarde|noche))\b",
    )
)
FAREWELL_FILLERS: Final = compiled(
    (
        r"\b(?:thanks?(?: you)?|many|so much|very much|a lot|again|for (?:now|today|everything|(?:all )?(?:your"
        r"|the) \w+))\b",
        r"\b(?:ok(?:ay)?|all right|alright|great|perfect|good|nice|fine|well|then|and|no|nothing else|i'm|we're"
        r"|done|all set|i think|you too|yes)\b",
        r"\b(?:vielen|herzlichen|danke?(?: schön| sehr)?|dank|für (?:alles|(?:ihre|deine|die) \w+)|gut|super|prima"
        r"|dann|und|nein|ja)\b",
        r"\b(?:merci(?: beaucoup| bien)?|pour (?:tout|votre \w+|l'aide)|d'accord|parfait|et|non|alors|oui)\b",
        r"\b(?:(?:muchas )?gracias|por (?:todo|su \w+|tu \w+|la ayuda)|vale|perfecto|bien|y|no|entonces|sí)\b",
    )
)
"""What else a text may hold that is nothing but a farewell."""
