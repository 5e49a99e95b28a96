"""What the kit says: sentences of no domain, words that nobody else would say, and texts that are hard to carry.

It must not know any assistant.
"""

from __future__ import annotations

from typing import Final

from hairpin.domain.rng import derive_rng_seed

NEUTRAL: Final = (
    "Hello, can you help me?",
    "What can you do for me?",
    "Please tell me more about that.",
    "What did I say first?",
    "Thank you. What should I do next?",
    "Let us talk about something else.",
)
"""Said where no utterances are given, and added where too few are."""

N_UTTERANCES: Final = 4

TELL: Final = "The code word is {word}. Please remember it."
ASK: Final = "What was the code word?"
REPEAT: Final = "Please repeat this word: {word}"
REFERENCE: Final = "The code word of the day is {word}."
ASK_REFERENCE: Final = "What is the code word of the day?"

HARD_TEXTS: Final = {
    "emoji joined without width": "a family: \U0001f468\u200d\U0001f469\u200d\U0001f467 and a \U0001f1e9\U0001f1ea",
    "right-to-left script": "\u05e9\u05dc\u05d5\u05dd and \u0645\u0631\u062d\u0628\u0627 in one line",
    "combining marks": "Zu\u0308rich, caf\u0065\u0301 and \u1e9b\u0323",
    "scripts beyond Latin": "\u4f60\u597d, \u0928\u092e\u0938\u094d\u0924\u0947, \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "quotes, braces and backslashes": "she said \"{hello}\" \\n and '{{bye}}' </s> ${x} %s",
    "line breaks": "the first line\nthe second line\r\nand the last one",
    "control characters": "a bell \x07, an escape \x1b[1m and a tab \t here",
}
"""By what is hard about it. No NUL, which databases refuse, and no lone surrogate, which no encoding carries."""

_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
_FILLER: Final = "This is a long introduction that does not ask for anything. "


def code_word(rng_seed: int, *path: str) -> str:
    """Return a word of eight letters that is no word, the same for the same seed and path."""
    number = derive_rng_seed(rng_seed, "code word", *path)
    letters: list[str] = []
    for _ in range(4):
        number, consonant = divmod(number, len(_CONSONANTS))
        number, vowel = divmod(number, len(_VOWELS))
        letters += _CONSONANTS[consonant], _VOWELS[vowel]
    return "".join(letters)


def filler(n_bytes: int) -> str:
    """Return whole ASCII sentences of at least ``n_bytes`` that ask for nothing; the last ends with a blank."""
    return _FILLER * -(-n_bytes // len(_FILLER))


def enough(utterances: tuple[str, ...]) -> tuple[str, ...]:
    """Return the different ``utterances``, with neutral ones added until there are ``N_UTTERANCES``."""
    different = tuple(dict.fromkeys(text for text in utterances if text.strip()))
    more = tuple(text for text in NEUTRAL if text not in different)
    return different + more[: max(0, N_UTTERANCES - len(different))]
