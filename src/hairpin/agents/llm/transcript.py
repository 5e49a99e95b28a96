"""Words of others in a prompt: fenced so that nothing said in them can pass for an instruction or end the fence.

It must not shorten or judge what was said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hairpin.domain.conversation import DialogueTurn, normalise, well_formed
from hairpin.domain.users import Context
from hairpin.ports import ChatMessage

NO_ANSWER: Final = "(no answer)"
"""How an empty reply is shown."""

FENCE: Final = "> "
"""What every line of quoted words begins with; text has no means to get out of it."""

_UNSEEN: Final = r"[\u200b-\u200d\u2060\ufeff]*"
_TOKEN_NAMES: Final = (
    r"inst|sys|[gs]?mask|sep|cls|pad|unk|bos|eos|eot|sop|eop|tool_\w+|available_tools|(?:system|user)_prompt"
)
_CONTROL: Final = re.compile(
    rf"[<＜](?={_UNSEEN}(?:[|/!A-Za-z_\uff5c\u2581]|0x[0-9a-f]{{1,2}}[>＞]))"
    rf"|[\[［](?={_UNSEEN}/?(?:(?-i:[A-Z_]{{3,}})|{_TOKEN_NAMES})[\]］])"
    rf"|◁(?={_UNSEEN}[/|]?\w+[/|]?▷)",
    re.IGNORECASE,
)
_DISARMED: Final = {"<": "‹", "＜": "‹", "◁": "‹", "[": "⁅", "［": "⁅"}
_ALIKE: Final = str.maketrans("‹◁⁅‘’‚“”„‐‑‒–—", "<<['''\"\"\"-----")
_TELLING_BYTES: Final = 4
"""Of UTF-8: four letters, or two of a script in which one is a syllable or a word."""

_GAP: Final = re.compile(r"…|\.{3,}|\[…\]|\[\.\.\.\]")


def disarmed(text: str) -> str:
    """Return ``text`` without what a model's tokenizer could take for a control token, such as ``<|im_end|>``."""
    return _CONTROL.sub(lambda match: _DISARMED[match[0]], well_formed(text)).replace("\x00", "\ufffd")


def fenced(text: str) -> str:
    """Return ``text`` with the fence before each of its lines; ``(no answer)``, unfenced, when it is blank."""
    if not text.strip():
        return NO_ANSWER
    return "\n".join(FENCE + line for line in disarmed(text).splitlines())


def one_line(text: str) -> str:
    """Return ``text`` on one line, for a list in a prompt."""
    return " ".join(disarmed(text).split())


def exchange_message(turn: DialogueTurn) -> ChatMessage:
    """Return what is shown of one exchange."""
    text = f"Exchange {turn.t}\nUser:\n{fenced(turn.user)}\nAssistant:\n{fenced(turn.assistant)}"
    if turn.state is not None:
        text += f"\nWhat the assistant's system reports after this reply, unseen by the user:\n{fenced(turn.state)}"
    return ChatMessage(role="user", text=text)


def context_messages(context: Context) -> tuple[ChatMessage, ...]:
    """Return what is shown of the situation: nothing where none is given, else one message."""
    given = {"location": context.location, "date": context.date, "time": context.time}
    lines = [f"{name}: {value}" for name, value in (*given.items(), *context.vehicle.items()) if value is not None]
    if context.reference_text:
        lines += ["reference text:", *context.reference_text.splitlines()]
    text = "The situation, known to user and assistant:\n" + fenced("\n".join(lines))
    return (ChatMessage(role="user", text=text),) if lines else ()


def comparable(text: str) -> str:
    """Return ``text`` as quotations are compared: normalised, quotation marks and dashes alike."""
    return normalise(text.translate(_ALIKE))


def is_quote(text: str, sources: Sequence[str]) -> bool:
    """Whether ``text`` stands in one of ``sources``, which are ``comparable``; parts that ``…`` joins each do.

    A few letters would be found in anything: they are words there, and a single letter is all that was said.
    """
    parts = [part for piece in _GAP.split(text) if (part := comparable(piece))]
    return bool(parts) and all(any(_stands_in(part, source) for source in sources) for part in parts)


def _stands_in(part: str, source: str) -> bool:
    if len(part.encode()) >= _TELLING_BYTES:
        return part in source
    return part == source or (len(part) > 1 and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", source) is not None)
