"""How long tests wait for what must come: the times they state are for an idle machine, and only end what hangs."""

from __future__ import annotations

import os
from typing import Final

SLOWNESS: Final = max(1.0, float(os.environ.get("SLOWNESS", "2")) / 2)
"""Multiplies every such time; ``make … SLOWNESS=4`` doubles it, as it does the Makefile's budgets."""
