"""How requests and constraints are named as targets, and which target a request of the dialogue is.

Names read back as what they name: a target made here is found again by its words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hairpin.agents.offline.ledger import Ask, Established
from hairpin.agents.offline.reading import OTHER_KIND, Condition, Request, read_user
from hairpin.agents.offline.text import content_words
from hairpin.domain.conversation import normalise
from hairpin.domain.lexicon import Language
from hairpin.domain.targets import Target
from hairpin.domain.templates import SLOT

SPOKEN_SHARE = 0.5
"""The share of a target's content words that make an utterance speak of it, where the lexicon does not know it."""


def request_text(request: Request | Ask, language: Language) -> str:
    """Return the name of a request with its parameters; of one the lexicon does not know, the user's words."""
    kind = language.request(request.kind)
    return request.quote if kind is None else _filled(kind.title, request.params)


def constraint_text(fact: Established | Condition, language: Language) -> str:
    """Return the name of a constraint with its parameters."""
    return _filled(language.constraint(fact.constraint).title, fact.params)


def match_targets(asks: Sequence[Ask], targets: Sequence[Target], language: Language) -> dict[int, str]:
    """Return the target id of each ask that is one of ``targets``; each target is used once, the surest match first."""
    wanted = {target.id: _wanted(target, language) for target in targets}
    rules: tuple[Callable[[Ask, Target], bool], ...] = (
        lambda ask, target: normalise(target.text) == normalise(request_text(ask, language)),
        lambda ask, target: _same_request(ask, wanted[target.id]),
        lambda ask, target: ask.kind == OTHER_KIND and speaks_of(ask.quote, target),
    )
    found: dict[int, str] = {}
    for same in rules:
        for ask in asks:
            free = [target for target in targets if target.id not in found.values()]
            match = next((target for target in free if same(ask, target)), None)
            if ask.index not in found and match is not None:
                found[ask.index] = match.id
    return found


def speaks_of(text: str, target: Target) -> bool:
    """Whether ``text`` has most of the content words of a target that the lexicon cannot read."""
    words = content_words(target.text)
    return bool(words) and len(words & content_words(text)) >= SPOKEN_SHARE * len(words)


def is_readable(target: Target, language: Language) -> bool:
    """Whether the lexicon can tell from the target's words which request it is; whoever named it, and its kind."""
    return _wanted(target, language) is not None


def _wanted(target: Target, language: Language) -> Request | None:
    requests = read_user(target.text, language).requests
    return next((request for request in requests if request.kind == target.kind), next(iter(requests), None))


def _same_request(ask: Ask, wanted: Request | None) -> bool:
    if wanted is None or wanted.kind != ask.kind:
        return False
    return all(ask.params[name] == value for name, value in wanted.params.items() if name in ask.params)


def _filled(title: str, params: Mapping[str, str]) -> str:
    """Fill a title; brackets hold what is left out when a parameter in them is not given."""
    parts = title.replace("]", "[").split("[")
    kept = [part for part in parts if all(match["name"] in params for match in SLOT.finditer(part))]
    return " ".join(SLOT.sub(lambda match: params[match["name"]], "".join(kept)).split())
