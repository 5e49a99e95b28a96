"""The price files: found like every pack, laid over each other, and read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.model_spec import OpenAiModel
from hairpin.errors import InvalidInputError
from hairpin.packs.finder import PackFinder, PackRoot
from hairpin.packs.prices import load_prices


def write(folder: Path, text: str) -> Path:
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "prices.yaml").write_text(text, encoding="utf-8")
    return folder


def only(*folders: Path) -> PackFinder:
    return PackFinder(tuple(PackRoot(f"root {n}", folder) for n, folder in enumerate(folders)))


def test_the_shipped_prices_are_valid_dated_and_cheaper_when_cached() -> None:
    table, (origin,) = load_prices(PackFinder.standard(plugins=[]))
    assert origin.origin == "built-in"
    assert table.as_of
    for price in table.prices["openai"].values():
        assert 0 < price.input < price.output
        assert price.cached_input is None or price.cached_input < price.input


def test_known_list_prices_are_in_the_shipped_table() -> None:
    """OpenAI's list prices of gpt-4.1-mini and of gpt-4o-mini, which have stood since these models came out."""
    table, _ = load_prices(PackFinder.standard(plugins=[]))
    mini = table.price_of(OpenAiModel(model="gpt-4.1-mini-2025-04-14"))
    assert mini is not None
    assert (mini.input, mini.cached_input, mini.output) == (0.40, 0.10, 1.60)
    small = table.price_of(OpenAiModel(model="gpt-4o-mini"))
    assert small is not None
    assert (small.input, small.cached_input, small.output) == (0.15, 0.075, 0.60)


def test_a_file_of_the_user_is_laid_over_the_shipped_one_model_by_model(tmp_path: Path) -> None:
    own = "as_of: 2027-01-01\nprices:\n  openai: {gpt-4.1: {input: 1, output: 4}}\n  azure: {x: {input: 3, output: 9}}"
    packs = write(tmp_path / "mine", own)
    table, origins = load_prices(PackFinder.standard(packs=[packs], plugins=[]))
    assert table.prices["openai"]["gpt-4.1"].input == 1
    assert table.prices["openai"]["gpt-4.1"].cached_input is None
    assert table.prices["openai"]["gpt-4.1-mini"].input == 0.40
    assert table.prices["azure"]["x"].output == 9
    assert [origin.origin for origin in origins] == [f"--packs: {packs / 'agents' / 'prices.yaml'}", "built-in"]
    assert table.as_of < "2027", "the date is that of the oldest file"


def test_of_two_files_the_one_found_first_wins(tmp_path: Path) -> None:
    first = write(tmp_path / "a", "as_of: 2026-02-02\nprices: {openai: {m: {input: 1, output: 1}}}")
    second = write(tmp_path / "b", "as_of: 2026-01-01\nprices: {openai: {m: {input: 2, output: 2}}}")
    table, _ = load_prices(only(first, second))
    assert (table.prices["openai"]["m"].input, table.as_of) == (1, "2026-01-01")


def test_without_any_file_nothing_has_a_price(tmp_path: Path) -> None:
    table, origins = load_prices(only(tmp_path))
    assert table.price_of(OpenAiModel(model="gpt-4.1")) is None
    assert origins == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("as_of: 2026-01-01\nprices: {openai: {m: {input: -1, output: 2}}}", "prices.openai.m.input must be at least"),
        ("as_of: 2026-01-01\nprices: {openai: {m: {input: 1}}}", "the key 'output' is missing"),
        ("as_of: 2026-01-01\nprices: {openai: {m: {input: 1, output: '2'}}}", "write a number without quotes"),
        ("as_of: 2026-01-01\nprices: {local: {m: {input: 1, output: 2}}}", "a local model costs nothing"),
        ("as_of: 2026-01-01\nprices: {opneai: {m: {input: 1, output: 2}}}", "did you mean 'openai'"),
        ("as_of: yesterday\nprices: {}", "is no date: 'yesterday'"),
        ("as_of: 2026-01-01\ncurrency: EUR\nprices: {}", "currency must be 'USD', not 'EUR'"),
        ("prices: {}", "the key 'as_of' is missing"),
    ],
)
def test_a_wrong_file_is_named_with_line_value_and_way_out(tmp_path: Path, text: str, message: str) -> None:
    folder = write(tmp_path / "mine", text)
    with pytest.raises(InvalidInputError) as caught:
        load_prices(only(folder))
    assert message in str(caught.value)
    assert str(folder / "agents" / "prices.yaml") in str(caught.value)
