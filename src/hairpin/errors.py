"""The errors Hairpin raises on purpose.

The innermost ring: it imports nothing of Hairpin. Every message says what, where, the value and the way out.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class HairpinError(Exception):
    """Base of every error raised on purpose."""

    exit_code: ClassVar[int] = 3


class UserError(HairpinError):
    """The user can fix it: printed without a traceback."""

    exit_code: ClassVar[int] = 2


class InvalidInputError(UserError):
    """Something a user wrote is wrong: says where it stands, what is wrong and how to mend it."""

    def __init__(self, what: str, *, where: str, hint: str | None = None) -> None:
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(f"{where}: {what}" + (f"; {hint}" if hint else ""))


class UnknownReferenceError(InvalidInputError):
    """A name refers to nothing that exists."""

    def __init__(self, kind: str, name: str, *, where: str, known: Iterable[str] = (), hint: str | None = None) -> None:
        self.kind = kind
        self.name = name
        super().__init__(f"unknown {kind} {name!r}", where=where, hint=did_you_mean(name, known) or hint)


class StoreError(HairpinError):
    """The results database cannot be written or read; names the file."""


class RunBusyError(StoreError, UserError):
    """Another process is driving the run: two at once would do everything twice."""


class EncoderError(HairpinError):
    """The model that turns texts into vectors cannot be loaded or run; names it."""


class RefusedTextsError(EncoderError):
    """These texts have no vectors, or not so many at once; others, or fewer, may have."""


class EndsRunError(HairpinError):
    """Every other conversation would meet the same: the whole run ends, with this one message."""


class ProviderStoppedError(EndsRunError):
    """A provider takes no more requests: the quota is used up, the account is closed."""


class ModelSetupError(EndsRunError, UserError):
    """A model's key is missing or refused, or a parameter that the user set is not taken; the user can fix it."""

    exit_code: ClassVar[int] = 2


class CanaryError(UserError):
    """A judge got transcripts wrong whose right judgement is known: what it says of others is worth nothing."""

    def __init__(self, wrong: Sequence[str], *, n_asked: int) -> None:
        self.wrong = tuple(wrong)
        lines = "".join(f"\n  {line}" for line in wrong)
        super().__init__(
            f"{len(wrong)} of {n_asked} canaries came out wrong, so no conversation was run; give the judges another "
            f"model or prompt, or run with --no-canary:{lines}"
        )


class SutConnectionError(HairpinError):
    """No connection to the assistant under test could be made."""


class SutError(HairpinError):
    """The assistant under test answered with an error, too late, or not at all."""


class AdapterFaultError(HairpinError):
    """The adapter broke its contract: a wrong type returned, a session used after it was closed."""


class CheckFaultError(HairpinError):
    """A check of the user's own raised, or returned what says neither passed nor failed."""


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Return a hint naming the closest of the ``known`` names, else the first of them; ``None`` when there are none."""
    names = sorted(set(known))
    close = get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    if not names:
        return None
    shown = ", ".join(repr(item) for item in names[:12])
    return f"known: {shown}" + (" …" if len(names) > 12 else "")
