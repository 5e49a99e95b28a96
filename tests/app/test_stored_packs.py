"""A stored run whose folder of packs has gone: it is said which run named it, and the folder that is given helps."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.app.rejudging import load_rejudging
from hairpin.app.resume import ResumeRequest, load_resumable
from hairpin.errors import InvalidInputError

SCENARIO = "id: greeting\nsut: ./ica.py:answer\nturns: [{user: hello, checks: [{contains: hello}]}]\noracles: []\n"
ASSISTANT = "def answer(utterance: str) -> str:\n    return utterance\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished run that was made with the packs in ``mine``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(SCENARIO)
    (tmp_path / "ica.py").write_text(ASSISTANT)
    (tmp_path / "mine" / "rubrics").mkdir(parents=True)
    return hairpin.run("s.yaml", packs=[tmp_path / "mine"]).path


def test_a_folder_of_packs_that_is_gone_is_told_with_the_run_that_named_it(run: Path, tmp_path: Path) -> None:
    """No --packs of now can help, so the message must not be about that option."""
    (tmp_path / "mine").rename(tmp_path / "elsewhere")
    says = rf"greeting-.*: the run was made with --packs {tmp_path}/mine, and there is no such folder any more; put it"
    with pytest.raises(InvalidInputError, match=says):
        load_rejudging(run, packs=[tmp_path / "elsewhere"])
    with pytest.raises(InvalidInputError, match=says):
        load_resumable(ResumeRequest(run=run))
    (tmp_path / "mine").symlink_to(tmp_path / "elsewhere")
    assert load_rejudging(run).packs == (tmp_path / "mine",)
    assert load_resumable(ResumeRequest(run=run)).done
