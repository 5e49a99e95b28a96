"""From a type to an answer of that type: how a model is asked for JSON, and what is taken for its answer.

Sends nothing itself; how requests are made is the caller's.
"""

from __future__ import annotations

from hairpin.llm.answers.asking import ask_structured
from hairpin.llm.answers.modes import ModeMemory, mode_of

__all__ = ["ModeMemory", "ask_structured", "mode_of"]
