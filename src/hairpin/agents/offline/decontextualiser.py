"""The offline decontextualiser: pronouns and ellipses of a question, filled from the questions before it.

Deterministic; what it cannot fill it leaves as it is.
"""

from __future__ import annotations

import re
from typing import Final

from hairpin.agents.offline import english
from hairpin.agents.offline.antecedents import Antecedents, names_of_people
from hairpin.agents.offline.earlier_requests import bearing_requests, is_request
from hairpin.agents.offline.ellipsis import completed
from hairpin.agents.offline.languages import refuse_unknown_language
from hairpin.agents.offline.noun_phrases import Token, content_stems, noun_phrases, tokens
from hairpin.agents.offline.reference_answerer import find_answer
from hairpin.domain.briefs import RewriteBrief

_KIN_OF: Final = re.compile(
    rf"\b(?P<who>[A-Z]\w+)['’]s (?P<kin>(?:best |older |younger )?(?:{'|'.join(sorted(english.KIN))}))\b(?!['’]s)"
)
_KINDS: Final = {
    word: kind
    for kind, words in (("it", "it its"), ("they", "they them their"), ("he", "he him his"), ("she", "she her hers"))
    for word in words.split()
}
_CLAUSE: Final = re.compile(r",|\b(?:and|but|if|because|when)\b")
_ANNOUNCERS: Final = (("to",), ("that",), ("for",))
_FEW: Final = 2
_WHO_IS: Final = re.compile(r"^who(?:'s| is| was)\b", re.IGNORECASE)


class OfflineDecontextualiser:
    """Implements ``ports.Decontextualiser`` for English.

    Earlier questions are made to stand alone one after the other, so that what they mean is known when they are
    referred to. People are told apart by what the story calls them; who or what a question asks for counts as named
    by it, as the story tells it, else as "the person who …". Without a story, earlier texts may be requests that change
    what a question asks about: those that share words with it are appended, "(after: set the temperature to 20)".

    Raises:
        InvalidInputError: a language other than English.
    """

    def __init__(self, language: str = english.LANGUAGE) -> None:
        refuse_unknown_language(language, role="decontextualiser")

    async def rewrite(self, brief: RewriteBrief) -> str:
        """Return ``brief.question`` as it can be understood alone."""
        return rewritten(brief.question, brief.earlier, brief.reference_text)


def rewritten(question: str, earlier: tuple[str, ...], story_text: str | None) -> str:
    """Return ``question`` as it can be understood without ``earlier``; as it is where nothing can be filled in."""
    story_text = story_text if story_text and story_text.strip() else None
    before = Antecedents(story_text)
    previous: str | None = None
    for text in (text for text in earlier if any(token.is_word for token in tokens(text))):
        previous = _standing_alone(text, previous, before)
        before.note(previous)
    alone = _standing_alone(question, previous, before)
    bearing = bearing_requests(alone, earlier) if story_text is None else ()
    return f"{alone} (after: {'; '.join(bearing)})" if bearing else alone


def _standing_alone(question: str, previous: str | None, before: Antecedents) -> str:
    if previous is None:
        return question
    resolved = _resolved(question, before)
    whole = completed(resolved, previous, lambda phrase: before.gender_of(phrase) is not None)
    if whole == question and before.story_text is None and not is_request(previous):
        whole = _with_topic(question, before)
    return _with_names_for_kin(whole, before)


def _resolved(question: str, before: Antecedents) -> str:
    """Return ``question`` with what they mean in the place of pronouns and of names that leave something out."""
    every = tokens(question)
    line, end = "", 0
    done: set[str] = set()
    for place, token in enumerate(every):
        kind = _KINDS.get(token.lower, "")
        found = None if kind in done else _meaning(question, every, place, before)
        if found is not None:
            done |= {kind} - {""}
            text, length = found
            line += question[end : token.start] + (_capitalised(text) if token.start == 0 else text)
            end = every[place + length - 1].end
    line += question[end:]
    return line


def _meaning(question: str, every: tuple[Token, ...], place: int, before: Antecedents) -> tuple[str, int] | None:
    """Return what stands for the tokens from ``place`` on, and how many of them; ``None``: they stay."""
    token = every[place]
    after = every[place + 1] if place + 1 < len(every) else None
    noun_follows = after is not None and after.is_word and after.lower not in english.FUNCTION_WORDS
    word = token.lower
    if word in english.PERSON_PRONOUNS:
        owns = word == "his" or (word == "her" and noun_follows)
        return _of(before.person(english.PERSON_PRONOUNS[word]), owns=owns)
    avoid = frozenset(content_stems(question))
    if word in ("it", "its") and not _is_ambient(every, place) and not _is_named_here(question, token):
        return _of(before.thing(plural=False, avoid=avoid), owns=word == "its")
    if word in ("they", "them", "their"):
        many = before.people() if before.story is not None else None
        return _of(many or before.thing(plural=True, avoid=avoid), owns=word == "their")
    if word == "there" and not _is_expletive(every, place):
        return _of(before.place())
    if word in ("this", "that", "these", "those") and _stands_for_a_thing(every, place):
        return _of(before.thing(plural=word.endswith("se"), avoid=avoid))
    if word in ("this", "that", "these", "those", "the") and noun_follows and after is not None:
        return _longer_name(every, place, before)
    if word in ("one", "ones") and place and every[place - 1].lower not in english.FUNCTION_WORDS - {"a", "the"}:
        thing = before.thing(avoid=avoid)
        return None if thing is None else (thing.removeprefix("the "), 1)
    return None


def _of(thing: str | None, *, owns: bool = False) -> tuple[str, int] | None:
    if thing is None:
        return None
    return (_possessive(thing) if owns else thing), 1


def _possessive(text: str) -> str:
    return f"{text}'" if text.endswith("s") and not text[:1].isupper() else f"{text}'s"


def _is_ambient(every: tuple[Token, ...], place: int) -> bool:
    """Whether "it" means nothing that was named: "How warm is it?", "Is it raining?"."""
    around = {t.lower for t in every[max(0, place - 3) : place + 2]}
    after = tuple(t.lower for t in every[place + 1 : place + 3])
    announces = after[:1] and after[0] in english.PREDICATES | {"cost", "take"} and after[1:] in _ANNOUNCERS
    return bool(announces) or (bool(around & english.AMBIENT) and not any(t.lower == "than" for t in every))


def _is_named_here(question: str, pronoun: Token) -> bool:
    """Whether the question names, in another clause, what the pronoun means."""
    named = [phrase for phrase in noun_phrases(question) if phrase.end <= pronoun.start and not phrase.plural]
    return bool(named) and _CLAUSE.search(question, named[-1].end, pronoun.start) is not None


def _is_expletive(every: tuple[Token, ...], place: int) -> bool:
    near = (every[place - 1].lower if place else "", every[place + 1].lower if place + 1 < len(every) else "")
    return any(word in ("is", "are", "was", "were", "be", "been", "if") for word in near)


def _stands_for_a_thing(every: tuple[Token, ...], place: int) -> bool:
    """Whether a demonstrative stands alone: nothing but a mark, an auxiliary or a verb follows."""
    before = every[place - 1].lower if place else ""
    if place + 1 == len(every) or not every[place + 1].is_word:
        return True
    after = every[place + 1].lower
    return before in english.AUXILIARIES and (after in english.PREPOSITIONS or after.endswith("ed"))


def _longer_name(every: tuple[Token, ...], place: int, before: Antecedents) -> tuple[str, int] | None:
    """Return the longer name for "the experiment", if it was named by one and nothing else describes it here."""
    noun = every[place + 1]
    follows = every[place + 2] if place + 2 < len(every) else None
    describes = follows is not None and (
        follows.lower in ("of", "that", "who", "which") or follows.lower.endswith("'s")
    )
    more = follows is not None and follows.is_word and follows.lower not in english.FUNCTION_WORDS
    if describes or more or noun.text != noun.bare:
        return None
    longer = before.with_head(noun.bare)
    return None if longer is None else (longer, 2)


def _with_topic(question: str, before: Antecedents) -> str:
    """Return ``question`` with what "the causes" are those of, where it does not say so."""
    phrases, text = noun_phrases(question), question.rstrip(" ?.!")
    if not phrases or phrases[-1].end != len(text) or phrases[-1].head not in english.RELATIONAL:
        return question
    topic = before.topic()
    if topic is None or any(phrase.name or phrase.core in topic.lower() for phrase in phrases) or len(phrases) > _FEW:
        return question
    return f"{text} of {topic}{question[len(text) :].strip() or '?'}"


def _with_names_for_kin(question: str, before: Antecedents) -> str:
    """Return ``question`` with the name of who is called "Mina's brother", where the story tells it."""
    if before.story_text is None or _WHO_IS.match(question):
        return question
    for found in _KIN_OF.finditer(question):
        answer = find_answer(before.story_text, f"Who is {found['who']}'s {found['kin']}?")
        if answer is not None and names_of_people(answer.text, before.story) == (answer.text,):
            question = question.replace(found.group(), answer.text)
    return question


def _capitalised(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
