"""The base of all domain values.

It must not grow behaviour: a value is data that never changes.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value with no unknown fields and no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
