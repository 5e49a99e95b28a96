"""The media catalogue: its data is sound, and names that several titles bear differ in nothing a condition asks."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.testbed.catalogue import CatalogueFile, MediaKind, load_catalogue
from hairpin.testbed.media_acts import MediaCondition
from hairpin.testbed.player import permitted

EMPTY: dict[str, list[dict[str, object]]] = {
    name: [] for name in ("artists", "songs", "albums", "stations", "podcasts", "playlists", "audio_books")
}


def test_it_holds_every_kind_and_every_collection_holds_something() -> None:
    titles = load_catalogue().titles.values()
    assert {title.kind for title in titles} == set(MediaKind)
    collections = (MediaKind.ALBUM, MediaKind.ARTIST, MediaKind.PLAYLIST, MediaKind.PODCAST)
    assert all(bool(title.tracks) is (title.kind in collections) for title in titles)


def test_some_names_are_borne_by_several_titles_that_fit_the_same_conditions() -> None:
    catalogue = load_catalogue()
    for name in ("Summer Rain", "First Light", "Luna"):
        bearers = [title for title in catalogue.titles.values() if title.name == name]
        assert len(bearers) == 2
        for condition in MediaCondition:
            assert len({bool(permitted(catalogue, title, (condition,))) for title in bearers}) == 1


@pytest.mark.parametrize(
    "broken",
    [
        {"songs": [{"id": "a", "name": "A"}, {"id": "a", "name": "B"}]},
        {"playlists": [{"id": "p", "name": "P", "tracks": ["nothing"]}]},
        {"songs": [{"id": "a", "name": "A", "artist": "nobody"}]},
    ],
)
def test_a_file_with_ids_used_twice_or_leading_nowhere_is_refused(broken: dict[str, list[dict[str, object]]]) -> None:
    with pytest.raises(ValidationError):
        CatalogueFile.model_validate(EMPTY | broken)
