from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.settings import read_settings


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"HAIRPIN_CACHE_DIR": "/fast/cache", "XDG_CACHE_HOME": "/xdg", "HOME": "/me"}, "/fast/cache"),
        ({"XDG_CACHE_HOME": "/xdg", "HOME": "/me"}, "/xdg/hairpin"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/me"}, "/me/.cache/hairpin"),
        ({"HOME": "/me"}, "/me/.cache/hairpin"),
    ],
)
def test_the_cache_folder_is_the_named_one_else_one_in_the_users_cache(environ: dict[str, str], folder: str) -> None:
    assert read_settings(environ).cache_dir == Path(folder)


@pytest.mark.parametrize("environ", [{}, {"HAIRPIN_CACHE_DIR": "", "HOME": "/me"}])
def test_nothing_is_cached_without_a_home_or_when_the_folder_is_empty(environ: dict[str, str]) -> None:
    assert read_settings(environ).cache_dir is None
