"""One writer per process and database, however many stores use it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.errors import StoreError
from hairpin.store import schema, sqlite
from hairpin.store.reader import open_run
from hairpin.store.sharing import release_writer, share_writer
from hairpin.store.writer import Writer

pytestmark = pytest.mark.anyio


async def add_run(writer: Writer, run_id: str) -> None:
    row = {"run_id": run_id, "name": "n", "created_at": "", "fingerprint": "", "value": "{}"}
    await writer.insert("a run", [(schema.runs, row)])


async def test_two_openings_of_one_file_share_a_writer_until_the_last_gives_it_back(path: Path) -> None:
    first = sqlite.create_file(path)
    link = path.with_name("link.sqlite")
    link.symlink_to(path)
    second = sqlite.open_file(link)
    writer = share_writer(first)
    assert share_writer(second) is writer
    release_writer(first)
    await add_run(writer, "still open")
    release_writer(second)
    with pytest.raises(StoreError, match="closed"):
        await add_run(writer, "too late")


async def test_two_files_have_two_writers(tmp_path: Path) -> None:
    files = [sqlite.create_file(tmp_path / name) for name in ("a.sqlite", "b.sqlite")]
    first, second = (share_writer(file) for file in files)
    assert first is not second
    for file in files:
        release_writer(file)


async def test_a_file_can_be_opened_again_after_it_was_closed(path: Path) -> None:
    file = sqlite.create_file(path)
    share_writer(file)
    release_writer(file)
    writer = share_writer(file)
    await add_run(writer, "again")
    release_writer(file)
    assert open_run(path).run_id() == "again"
