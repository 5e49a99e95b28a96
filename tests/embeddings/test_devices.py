from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings import devices
from hairpin.errors import EncoderError


class FakeTorch(ModuleType):
    """As much of torch as is asked about hardware."""

    def __init__(self, *, n_cuda: int = 0, mps: bool = False) -> None:
        super().__init__("torch")
        self.__version__ = "9.9"
        self.cuda = SimpleNamespace(is_available=lambda: n_cuda > 0, device_count=lambda: n_cuda)
        self.backends = SimpleNamespace(mps=SimpleNamespace(is_available=lambda: mps))


def install(monkeypatch: pytest.MonkeyPatch, torch: FakeTorch) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(devices, "_may_have_accelerator", lambda: True)


@pytest.mark.parametrize(
    ("n_cuda", "mps", "best"), [(1, True, "cuda"), (2, False, "cuda"), (0, True, "mps"), (0, False, "cpu")]
)
def test_auto_is_cuda_then_mps_then_cpu(monkeypatch: pytest.MonkeyPatch, n_cuda: int, mps: bool, best: str) -> None:
    install(monkeypatch, FakeTorch(n_cuda=n_cuda, mps=mps))
    assert devices.choose_device("auto") == best
    assert devices.known_device("auto") == best


def test_a_named_device_is_taken_as_it_is_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert devices.choose_device("cuda:1") == "cuda:1"


def test_without_torch_auto_is_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert devices.choose_device("auto") == "cpu"


@pytest.mark.skipif(sys.platform == "darwin", reason="every build for macOS may have MPS")
@pytest.mark.parametrize(
    ("version", "known"),
    [
        ("cuda: Optional[str] = None\nhip: Optional[str] = None\n", "cpu"),
        ("cuda: Optional[str] = '12.8'\nhip: Optional[str] = None\n", None),
        ("cuda = None\nhip = '6.2'\n", None),
        ("something else\n", None),
    ],
)
def test_a_build_that_knows_no_accelerator_is_told_by_its_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, known: str | None
) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    (tmp_path / "torch" / "version.py").write_text(version, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    assert devices.known_device("auto") == known


@pytest.mark.parametrize(
    ("device", "torch", "said"),
    [
        ("cuda", FakeTorch(), "sees no CUDA device"),
        ("cuda:2", FakeTorch(n_cuda=2), "there are 2 CUDA devices"),
        ("mps", FakeTorch(), "has no MPS"),
    ],
)
def test_a_device_that_is_not_there_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, device: str, torch: FakeTorch, said: str
) -> None:
    install(monkeypatch, torch)
    with pytest.raises(EncoderError, match=f"{device}.*{said}.*set device: auto or cpu"):
        devices.check_device(device)


@pytest.mark.parametrize(("device", "torch"), [("cpu", FakeTorch()), ("cuda:1", FakeTorch(n_cuda=2))])
def test_a_device_that_is_there_is_taken(monkeypatch: pytest.MonkeyPatch, device: str, torch: FakeTorch) -> None:
    install(monkeypatch, torch)
    devices.check_device(device)
    assert devices.choose_device(device) == device


@pytest.mark.parametrize(
    ("device", "dtype"), [("cpu", "float32"), ("mps", "float32"), ("cuda", "float16"), ("cuda:1", "float16")]
)
def test_half_precision_is_for_cuda_unless_asked_for(device: str, dtype: str) -> None:
    assert devices.choose_dtype(EncoderSpec(), device) == dtype
    assert devices.choose_dtype(EncoderSpec(dtype="float16"), device) == "float16"
    assert devices.choose_dtype(EncoderSpec(dtype="float32"), device) == "float32"
