"""The files ``agents/prices.yaml``: what models cost, a user's own laid over the one that ships with Hairpin.

It computes no cost; ``llm.prices`` does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Annotated, Final, Literal

from pydantic import AfterValidator

from hairpin.domain.model_spec import ModelPrice
from hairpin.domain.scenario import PackOrigin
from hairpin.errors import did_you_mean
from hairpin.llm.prices import PriceTable
from hairpin.packs.field_types import NonBlank, Version
from hairpin.packs.file_model import FileModel
from hairpin.packs.files import is_file, read_file
from hairpin.packs.finder import PackFile, PackFinder
from hairpin.packs.model_formats import PriceForm
from hairpin.packs.validation_messages import invalid
from hairpin.packs.yaml_source import load_model

PRICES_FILE: Final = PurePosixPath("agents/prices.yaml")
_KIND: Final = "prices"
_PROVIDERS: Final = ("openai", "azure", "openai-compatible")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _known_providers(value: Mapping[str, object]) -> Mapping[str, object]:
    for name in value:
        if name == "local":
            raise invalid("has no place here: a local model costs nothing", "remove it", at=(name,))
        if name not in _PROVIDERS:
            raise invalid("is no provider", did_you_mean(name, _PROVIDERS) or "", at=(name,))
    return value


def _date(value: str) -> str:
    if _DATE.fullmatch(value) is None:
        raise invalid(f"is no date: {value!r}", "write YYYY-MM-DD")
    return value


class PricesFile(FileModel):
    """``agents/prices.yaml``: USD per million tokens, by provider and model; ``as_of``: when looked up."""

    version: Version = 1
    currency: Literal["USD"] = "USD"
    as_of: Annotated[str, AfterValidator(_date)]
    prices: Annotated[Mapping[str, Mapping[NonBlank, PriceForm]], AfterValidator(_known_providers)]


def load_prices(finder: PackFinder) -> tuple[PriceTable, tuple[PackOrigin, ...]]:
    """Return the prices of all files, the first found winning model by model, and where they came from.

    Raises:
        InvalidInputError: one of the files is not valid.
    """
    prices: dict[str, dict[str, ModelPrice]] = {}
    found = tuple(_files(finder))
    dates: list[str] = []
    for file in reversed(found):
        content = load_model(file.data, file.where, PricesFile)
        dates.append(content.as_of)
        for provider, models in content.prices.items():
            values = {name: ModelPrice(**form.model_dump()) for name, form in models.items()}
            prices.setdefault(provider, {}).update(values)
    return PriceTable(prices=prices, as_of=min(dates, default="")), tuple(file.origin for file in found)


def _files(finder: PackFinder) -> list[PackFile]:
    paths = ((root, root.folder / PRICES_FILE) for root in finder.roots)
    return [PackFile(_KIND, _KIND, path, root.label, read_file(path, _KIND)) for root, path in paths if is_file(path)]
