"""What every part of a file of users is made of.

It must not know any format; ``file_formats`` and ``pack_formats`` do.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Discriminator


class FileModel(BaseModel):
    """A part of a file: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def text_or(form: str) -> Discriminator:
    """Return a discriminator between a text and the mapping or list called ``form``; all else must be a text."""
    return Discriminator(lambda value: "text" if isinstance(value, str | int | float | None) else form)
