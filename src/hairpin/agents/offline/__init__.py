"""The roles played without a model: templates and signals carried by the packs.

Deterministic given the briefs; no network, no clock.
"""

from __future__ import annotations

from hairpin.agents.offline.roles import build_offline_roles

__all__ = ["build_offline_roles"]
