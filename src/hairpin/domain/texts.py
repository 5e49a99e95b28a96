"""Texts as encoders see them: of one form, and never blank.

It must not know any encoder; ``domain.conversation`` has the coarser form in which words are compared.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_INVISIBLE: Final = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})


def normalised(text: str) -> str:
    """Return ``text`` in NFC with single spaces; half characters, which no tokenizer takes, become U+FFFD."""
    return " ".join(unicodedata.normalize("NFC", _LONE_SURROGATE.sub("\ufffd", text)).split())


def is_blank(text: str) -> bool:
    """Whether nothing of ``text`` can be seen."""
    return all(unicodedata.category(char) in _INVISIBLE for char in text)
