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


_NUMBER = r"(?:order|booking|account|customer|reservation|tracking|member(?:ship)?|contract)"
_OFFICE_NUMBER = r"(?:ticket|reference|case)"
"""Both sides may have one and ask the other for it."""
_DONE = (
    r"(?:calculated|confirmed|planned|booked|reserved|scheduled|updated|processed|set|saved|noted|added|placed"
    r"|submitted|completed|cancell?ed|adjusted|created|started|registered|recorded|received|applied|arranged)"
)
_READY = (
    r"\b(?:sure|certainly|of course|absolutely|understood|okay|no problem)[,.!]* "
    r"i(?:'ll| will|'ve| have|'m| am)(?: now| just)?"
)
_OPENS = r"(?:^|(?<=[.?!] ))"
_SERVICES = r"(?:suchen|heraussuchen|zeigen|helfen|buchen|reservieren|finden|bestellen|vorschlagen|berechnen|empfehlen)"
_FOUND = (
    r"(?:berechnet|gefunden|herausgesucht|gebucht|reserviert|aktualisiert|angepasst|eingestellt|hinzugefügt|gestartet)"
)

SERVING: Final = compiled(
    (
        # English
        r"\bhow (?:else )?(?:can|may|could|might) i (?:best )?(?:help|assist|serve|support)"
        r"(?: you\b| ?[?.!]|(?: with your \w+)?(?: today)? ?(?:\?|$))",
        r"\b(?:can|may) i (?:help|assist) you(?: today| with (?:anything|something|that|this|your \w+))? ?(?:\?|$)",
        r"^(?:is there |was there )?anything else(?: today| for now)? ?[?.!]*$",
        r"\bhow (?:can|may) i be of (?:help|assistance|service)\b",
        r"\bwhat (?:else )?can i (?:do for|help|assist) you\b",
        r"\b(?:any|some)thing else (?:that )?i (?:can|could|may) (?:help|assist|do)\b",
        r"\banything else you(?:'d| would) like (?:help|me to|to (?:know|do|ask|add))\b",
        r"\banything else you (?:need|want) (?:help|assistance)\b",
        r"\bdo you need (?:any )?(?:further |more |additional )?(?:help|assistance)\b",
        r"\bi(?:'d| would|'ll| will|'m| am)(?: be)? (?:more than )?(?:happy|glad|pleased|delighted|here) to "
        r"(?:help|assist|support)(?: you\b| with (?:that|this|it|your)\b| ?(?:[.!?]|$))",
        r"\bi (?:can|could|will|'ll) (?:certainly |definitely |gladly )?(?:help|assist) you\b",
        r"\blet me (?:help|assist) you\b",
        r"\bi (?:can't|can ?not|am not able to|am unable to|'m not able to|'m unable to) "
        r"(?:assist|help|comply|fulfil+|process|provide)\b[^.?!]{0,20}"
        r"\b(?:you|with (?:that|this|your)|(?:that|this|your) request)\b",
        r"\b(?:provide|give|share)(?: me)?(?: with)? (?:some |a bit |a little )?(?:more|further|additional) context\b",
        r"\b(?:clarify|rephrase|restate) your (?:request|question|query)\b",
        r"\bfeel free to (?:ask|reach out|contact)\b",
        r"\blet me know if (?:you (?:need|have|want|require|would like|'d like)|there(?:'s| is)) "
        r"(?:(?:any|some|more|further|additional|other|your) ){0,3}"
        r"(?:help|assistance|support|questions?|anything|concerns)\b",
        r"\bif you (?:have any|need any|require any) (?:other |further |more |additional )?"
        r"(?:questions|help|assistance|requests)\b",
        r"\b(?:as|i'm|i am) (?:just |only )?an? (?:ai|virtual|digital|language|automated)"
        r"(?: (?:assistant|model|agent|language model)| ?[,.]|$)",
        r"\bi(?:'m| am) your (?:\w+ )?assistant\b",
        r"\bthank you for (?:contacting|reaching out|your (?:request|inquiry|enquiry|query))\b",
        rf"\b(?:what(?:'s| is)|(?:may|can|could) i have) your {_NUMBER} (?:number|id|code)\b",
        rf"\b(?:share|provide|tell|give|send|enter|confirm|state)(?: me)?(?: with)? your {_NUMBER} "
        r"(?:number|id|code|details|information)\b",
        r"\bwould you like me to (?!repeat|rephrase|spell|explain|clarify|say)\w+",
        r"\bwould you like to (?:proceed|continue|begin|book|reserve|order|schedule|change anything|add anything)\b",
        r"\b(?:what|where|when|which|how)\b[^?.!]{0,40} would you like\b",
        r"\bwould you (?:prefer|like) (?:that )?(?:i|me)\b(?! to (?:repeat|rephrase|spell|explain|clarify|say)\b)",
        r"\bshall i (?:proceed\b|(?!give|keep|leave)[^.?!]{2,60}\bfor you\b)",
        r"\bi(?:'ll| will|'ve| have|'m| am)(?: now| just| already)? (?:found|find|finding|set|setting|added|adding"
        r"|booked"
        r"|booking|planned|planning|calculated|calculating|updated|updating|searched|searching|looked up|selected"
        r"|adjusted|adjusting|arranged|scheduled|started|starting|confirmed|reserved)\b[^.?!]{0,80}\bfor you\b"
        r"(?! (?:to|guys|and me)\b)",
        r"\bi(?:'ll| will|'m going to| am going to) (?:guide|navigate|direct|escort) you\b",
        rf"{_READY} (?:guide|navigate|assist|calculate|calculated|look(?:ing)? (?:into|it up|that up)|ensure|make sure"
        r"|updated?|adjusted)\b(?![^.?!]{0,80}\b(?:my|myself)\b)",
        rf"{_READY} (?:find|found|finding|set|setting|plan|planned|help|search|searching"
        r"|look(?:ing)? for|provide|avoid)\b[^.?!]{0,80}\b(?:you|your)\b",
        r"\bhere (?:is|are|'s)\b[^.?!]{0,60}\b(?:for you|you might like)\b",
        rf"\byour \w+(?: \w+)? (?:has|have) (?:now |already |just |successfully )*been (?:successfully )?{_DONE}\b",
        rf"\byour (?:request|preferences?) (?:is|are|will be) (?:now |already |being )*{_DONE}\b",
        # German
        r"\b(?:wie|womit|wobei|was) (?:kann|darf) ich (?:ihnen|dir|euch|sie|für (?:sie|dich|euch))(?: \w+){0,3}? "
        r"(?:(?:weiter|behilf\w+ )?helfen|behilflich sein|dienen|tun|unterstützen)\b",
        r"\bwie kann ich (?:heute )?(?:weiter)?(?:helfen|behilflich sein) ?[?.!]",
        r"\b(?:dabei|damit|hierbei) kann ich (?:ihnen|dir|euch)?[^.?!]{0,20}nicht (?:weiter)?helfen\b",
        r"\bkann ich (?:ihnen|dir|euch) (?:(?:sonst |noch |heute |irgendwie |bei |mit )+[^.?!]{0,40})?(?:weiter)?"
        r"(?:helfen|behilflich sein)\b",
        r"\b(?:ich helfe|gerne helfe ich|ich werde) (?:ihnen|dir|euch)\b[^.?!]{0,30}(?:gern|helfen|weiter)\b",
        r"\bkann ich sonst noch etwas für (?:sie|dich|euch)\b",
        r"\b(?:nennen|teilen|geben|senden|schicken) sie (?:mir|uns) (?:bitte )?ihre?[nm]? "
        r"(?:(?:bestell|kunden|buchungs|auftrags|vertrags|konto|reservierungs|sendungs|mitglieds)nummer|daten|anliegen"
        r"|wünsche|präferenzen|standort)\b",
        r"\b(?:möchten|wünschen|wollen) sie,? dass ich\b",
        rf"\bsoll ich (?:(?:für sie|ihnen|dir)\b[^.?!]{{0,60}}\b{_SERVICES}|[^.?!]{{0,60}}\bfür sie\b)",
        rf"\bich habe\b[^.?!]{{0,60}}\bfür (?:sie|dich|euch)\b[^.?!]{{0,40}}\b{_FOUND}\b",
        r"\b(?:ich bin|als) (?:ein |eine |ihr |dein )?(?:ki|künstliche intelligenz|sprachmodell|virtueller assistent"
        r"|digitaler assistent|sprachassistent)\b",
        r"\b(?:lassen sie|lass) (?:es )?mich wissen,? (?:wenn|falls|ob|sobald) (?:sie|du) "
        r"(?:(?:noch |weitere |irgendwelche )*(?:hilfe|fragen|unterstützung|wünsche)\b"
        r"|(?:noch |sonst |irgend)*(?:et)?was (?:brauch|benötig|möcht|wünsch))",
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
        rf"\byour {_OFFICE_NUMBER} (?:number|id|code)\b",
        r"\bhappy to (?:help|assist|support)\b",
        r"\blet me know if you(?: need| want| require| have|'d like| would like)\b(?! (?:my|me)\b)",
        r"\bwould you like to (?:know|hear|see|add|start|try|go)\b",
        r"\bshall i (?:set|start|find|search|show|begin|go ahead|add|book|look)\b",
        r"\byour (?:request|preferences?) (?:has|have|is|are|will)\b",
        r"\bi (?:completely |fully )?understand (?:that )?(?:you(?:'re| are|'d like| want| need)|your)\b",
        r"\bi apologi[sz]e for\b",
        r"\byou(?:'re| are) (?:very |most )?welcome\b",
        r"\b(?:enjoy your|have a (?:great|nice|good|safe|pleasant|wonderful) )",
        rf"{_OPENS}(?:sure(?: thing)?|certainly|absolutely|of course|great choice|good choice)[,.! ]",
        r"\bi(?:'ll| will|'ve| have|'m| am)(?: now| just)? (?:find|found|finding|set|setting|add|added|adding|book"
        r"|booked|calculated?|updated?|search|searching|ensure|adjust|adjusted|select|selected)\b"
        r"(?![^.?!]{0,80}\b(?:my|mine|myself|me)\b)",
        r"\bfor your (?:convenience|patience|safety|request|trip|journey|stay)\b",
        # German
        r"\b(?:das )?tut mir (?:sehr |wirklich )?leid(?:, das zu hören)?\b",
        r"\b(?:ich habe|ich werde)\b[^.?!]{0,60}\bfür (?:sie|dich)\b",
        rf"\bich habe\b[^.?!]{{0,60}}\b{_FOUND}\b(?<!reserviert)(?<!gebucht)",
        r"\bsoll ich (?:ihnen|dir)\b|\b(?:geben|nennen|teilen|schicken|senden) sie (?:mir|uns)\b",
        r"\bbitte (?:geben|nennen|teilen) sie\b",
        r"\bich verstehe,? (?:dass )?(?:sie|du)\b",
        rf"{_OPENS}(?:natürlich|selbstverständlich|sehr gern|gern(?:e)?)[,.! ]",
        # French
        r"\bje suis (?:vraiment |sincèrement )?(?:désolée?|navrée?) d'(?:apprendre|entendre)",
        r"\bje comprends (?:que vous|votre)\b",
        rf"{_OPENS}(?:bien sûr|certainement|avec plaisir)[,.! ]",
        r"\bj'ai\b[^.?!]{0,60}\bpour vous\b",
        # Spanish
        r"\blamento (?:escuchar|oír|saber)\b",
        r"\bsiento (?:escuchar|oír) (?:eso|que)\b",
        r"\bentiendo (?:que (?:usted|necesita|quiere)|su)\b",
        rf"{_OPENS}(?:claro|por supuesto|con gusto|desde luego)[,.! ]",
        r"\bhe\b[^.?!]{0,60}\bpara (?:ti|usted)\b",
    )
)
"""What sounds like serving, but a user may say too: two of them make a role slip."""

RELAYED: Final = re.compile(
    r"(?:(?:please|can you|could you|bitte)[, ]*)*(?:(?:tell|text|message|write(?: to)?|email|remind|answer|play"
    r"|sage?|schreibe?|antworte) (?!me\b|us\b|mir\b|uns\b|your?\b|dein|ihr)|(?:send|schicke?) (?:\w+ )?(?:an? |the "
    r"|eine )(?:message|text|mail|email|nachricht)\b)"
)
"""How a sentence begins whose rest is to be told to somebody else."""

POLITE_WORDS: Final = re.compile(
    r"\b(?:please|kindly|thanks|thank you|bitte|danke|s['’]il (?:vous|te) pla[iî]t|merci|por favor|gracias)\b"
)

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
