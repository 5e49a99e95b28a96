"""What languages are called in prompts: small models know "German", not "de".

Whether an agent speaks a language is not decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NAMES: Final[Mapping[str, str]] = {
    **{"ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish"},
    **{"fi": "Finnish", "fr": "French", "hi": "Hindi", "hu": "Hungarian", "it": "Italian", "ja": "Japanese"},
    **{"ko": "Korean", "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese"},
    **{"ro": "Romanian", "ru": "Russian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese"},
}
"""By ISO 639 code."""


def language_name(tag: str) -> str:
    """Return the English name of a language tag: ``de`` is "German", ``de-AT`` "German (de-AT)", others stay."""
    name = NAMES.get(tag.replace("_", "-").split("-")[0].casefold())
    if name is None:
        return tag
    return name if tag.casefold() in NAMES else f"{name} ({tag})"
