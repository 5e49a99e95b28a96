"""How many tokens a request will take: from its characters, corrected by what servers report.

No tokenizer: those download files, and know only some models. Nothing here is money.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hairpin.domain.llm_calls import TokenCounts
from hairpin.domain.outcome import Role

CHARS_PER_TOKEN: Final = 4.0
"""Of English text, with the tokenizers of today."""

OUTPUT_TOKENS: Final[Mapping[Role, int]] = {
    Role.EXTRACTOR: 250,
    Role.SIMULATOR: 80,
    Role.STRATEGIST: 120,
    Role.TURN_JUDGE: 400,
    Role.CONVERSATION_JUDGE: 300,
    Role.SIMULATOR_REVIEWER: 250,
    Role.DECONTEXTUALISER: 60,
    Role.REFERENCE_ANSWERER: 60,
    Role.CONTEXT_JUDGE: 150,
    Role.QUESTION_WRITER: 120,
}
"""What an answer of a role takes of a model that does not think aloud; assumed until servers have said more."""

_CAUTION = 1.25  # above the mean: most answers are no longer than this
_PRIOR_CHARS = 2_000
_PRIOR_ANSWERS = 2


@dataclass(slots=True)
class _Learnt:
    """What one model has reported in one role."""

    chars: int = 0
    prompt_tokens: int = 0
    answers: int = 0
    output_tokens: int = 0
    longest: int = 0


class TokenEstimator:
    """Estimates per role and model. Not for several threads at once."""

    def __init__(self) -> None:
        self._learnt: dict[tuple[Role, str], _Learnt] = {}

    def estimate(self, role: Role, model: str, *, n_chars: int, output_cap: int) -> tuple[int, int]:
        """Return the prompt and output tokens to expect, with some caution.

        Args:
            role: who asks.
            model: which model.
            n_chars: characters of the prompt.
            output_cap: the most output that the request allows, in tokens; a server that was seen to ignore its cap is
                not trusted to keep to it.
        """
        known = self._learnt.get((role, model)) or _Learnt()
        per_char = (_PRIOR_CHARS / CHARS_PER_TOKEN + known.prompt_tokens) / (_PRIOR_CHARS + known.chars)
        output = _PRIOR_ANSWERS * OUTPUT_TOKENS[role] + known.output_tokens
        expected = _CAUTION * output / (_PRIOR_ANSWERS + known.answers)
        return round(_CAUTION * n_chars * per_char), min(round(expected), max(output_cap, known.longest))

    def learn(self, role: Role, model: str, *, n_chars: int, tokens: TokenCounts) -> None:
        """Take in what a server reported for a prompt of ``n_chars`` characters; the unreported teaches nothing."""
        known = self._learnt.setdefault((role, model), _Learnt())
        if tokens.prompt_tokens is not None:
            known.chars += n_chars
            known.prompt_tokens += tokens.prompt_tokens
        if tokens.completion_tokens is not None:
            known.answers += 1
            known.output_tokens += tokens.completion_tokens
            known.longest = max(known.longest, tokens.completion_tokens)
