"""A question about anything but a place that the assistant asked and that is still open.

It must not ask or answer; ``handling.choosing`` does.
"""

from __future__ import annotations

from hairpin.domain.base import Value
from hairpin.testbed.acts import Act
from hairpin.testbed.vehicle import Dial
from hairpin.testbed.wording import Phrase


class Option(Value):
    """One answer: how it is told, the words a user can mean it by, and what choosing it does."""

    label: str | Phrase
    words: tuple[str, ...]
    act: Act


class Choice(Value):
    """The open question, asked in exchange ``t``: which of ``options``, or which value of ``dial``."""

    t: int
    options: tuple[Option, ...] = ()
    dial: Dial | None = None
