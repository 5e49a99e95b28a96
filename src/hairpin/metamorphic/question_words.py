"""Words of English questions: their tokens, who is asked about, and where a subject ends.

Without a parser: what is not recognised is refused, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hairpin.metamorphic.english_verbs import BASE_BY_PAST, BASE_BY_THIRD_PERSON, BASES
from hairpin.metamorphic.word_lists import word_set

BE: Final = word_set("is are was were am")
DO: Final = word_set("do does did")
HAVE: Final = word_set("has have had")
MODALS: Final = word_set("can could will would shall should may might must")
AUXILIARIES: Final = BE | DO | HAVE | MODALS
PRONOUNS: Final = word_set("he she it they we i you there this that these those one someone anyone everyone")
OBJECT_PRONOUNS: Final = word_set("him her it them us me you this that these those here there himself herself")
DETERMINERS: Final = word_set(
    "the a an his her its their my our your any some another each every no many several all both late early"
)
PREPOSITIONS: Final = word_set(
    "in on at by for with from to into onto about after before during under over between among against through of off "
    "up down out near since until behind beside besides across along around within without toward towards upon as "
    "like than inside outside above below throughout"
)
TAIL_PREPOSITIONS: Final = word_set(
    "in on at before after during since until near behind beside besides inside outside under below above across along "
    "around between among throughout"
)
"""What a place or a time can begin with."""

LOOSE_PREPOSITIONS: Final = TAIL_PREPOSITIONS - frozenset({"on", "at"})
"""Of those, what seldom belongs to the verb before it: "look at", "depend on"."""

ADVERBS: Final = word_set(
    "still ever also really actually always often just only usually first finally originally initially never even "
    "mostly mainly typically once sometimes now currently recently apparently eventually not"
)
LEADING: Final = word_set("and so but then typically also ok okay well or now")
_TOKEN: Final = re.compile(r"\S+")
_CONTRACTED: Final = {"what's": "what is", "who's": "who is", "where's": "where is", "when's": "when is"}


def tokens_of(question: str) -> list[str]:
    """Return the words of a question without question mark, leading "and", or contractions with "is"."""
    words = _TOKEN.findall(question.replace("’", "'").strip(" ?.!>\"'"))
    while words and words[0].casefold().strip(",") in LEADING and len(words) > 1:
        words = words[1:]
    if words and words[0].casefold() in _CONTRACTED:
        words = [*_CONTRACTED[words[0].casefold()].split(), *words[1:]]
    words = ["its" if word.casefold() == "it's" and place else word for place, word in enumerate(words)]
    return [word.rstrip(",") if index < len(words) - 1 else word for index, word in enumerate(words)]


def low(word: str) -> str:
    """Return a word for look-up."""
    return word.casefold().strip("\"'.,;:")


def is_name(word: str) -> bool:
    """Whether a word, not the first, is written as a name or as a number."""
    bare = word.lstrip("\"'(")
    return bool(bare) and (bare[0].isupper() or bare[0].isdigit())


def begins_noun_phrase(words: Sequence[str]) -> bool:
    """Whether ``words`` begin with a pronoun, a determiner, a possessive or a name."""
    if not words:
        return False
    first = low(words[0])
    return first in PRONOUNS or first in DETERMINERS or is_name(words[0]) or words[0].endswith(("'s", "s'"))


def is_preposition(word: str) -> bool:
    """Whether ``word`` is a preposition or a particle."""
    return low(word) in PREPOSITIONS


def is_participle(word: str) -> bool:
    """Whether ``word`` looks like what follows a form of "be" as a verb."""
    plain = low(word)
    return (len(plain) > 4 and plain.endswith(("ing", "ed"))) or plain in _PARTICIPLES


_PARTICIPLES: Final = word_set(
    "born called known made built held found given taken written seen shown sold told sent won lost led kept left said "
    "brought bought caught chosen drawn driven eaten fought fallen forced grown heard hidden hit hurt known paid put "
    "read set shot shot spoken spent stolen struck taught thought thrown worn begun broken done gone able unable going "
    "different similar afraid aware ready"
)


def is_manner(word: str) -> bool:
    """Whether ``word`` is an adverb by its look."""
    plain = low(word)
    return plain.endswith("ly") and len(plain) > 4 and plain not in _NO_ADVERBS and not is_name(word)


_NO_ADVERBS: Final = word_set("family early reply supply apply rely assembly butterfly jelly belly ally bully")


def is_known_verb(word: str) -> bool:
    """Whether ``word`` is the base form of a known verb."""
    return low(word) in BASES


def tensed(word: str) -> tuple[str, str] | None:
    """Return auxiliary and base form that a finite verb stands for: "went" is ("did", "go"); ``None``: unknown."""
    plain = low(word)
    if plain in BASE_BY_PAST and plain not in ("cut", "put", "let", "set", "read"):
        return ("did", BASE_BY_PAST[plain])
    if plain in BASE_BY_THIRD_PERSON:
        return ("does", BASE_BY_THIRD_PERSON[plain])
    return None


def subject_length(words: Sequence[str], *, after_be: bool) -> int | None:
    """Return how many of the words after an auxiliary are the subject; ``None``: no telling.

    A pronoun; a run of names; or a determiner up to the first known verb (after "be": participle, preposition or
    article), with at least one noun between.
    """
    if not words:
        return None
    if low(words[0]) in PRONOUNS:
        return 1
    n_names = _names_length(words) if is_name(words[0]) else 0
    if n_names and not words[n_names - 1].endswith("'s"):
        return n_names
    if not begins_noun_phrase(words):
        return None
    least = max(2, n_names + 1)
    return next((place for place in range(least, len(words)) if _ends_subject(words[place], after_be=after_be)), None)


def _ends_subject(word: str, *, after_be: bool) -> bool:
    if not after_be:
        return is_known_verb(word)
    return is_participle(word) or low(word) in ("a", "an") or (is_preposition(word) and low(word) != "of")


def _names_length(words: Sequence[str]) -> int:
    length = 1
    while length < len(words):
        joined = low(words[length]) in ("of", "the", "and", "de", "von", "&") and length + 1 < len(words)
        if is_name(words[length]):
            length += 1
        elif joined and any(is_name(word) for word in words[length + 1 : length + 3]):
            length += 2
        else:
            break
    return length
