"""What must be there before a run has a folder: keys, model files, the file of the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.app.credentials import require_access
from hairpin.domain.model_spec import CompatibleModel, ModelSpec, OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.errors import InvalidInputError, ModelSetupError
from hairpin.settings import Settings

OWN = CompatibleModel(base_url="http://127.0.0.1:9/v1", model="m", api_key_env="MY_JUDGE_KEY")
OPENAI = OpenAiModel(model="m")
NO_KEYS = Settings(environ={})
KEYS = Settings(environ={"MY_JUDGE_KEY": "k-1", "OPENAI_API_KEY": "k-2"})


def test_all_missing_keys_are_named_at_once_each_with_the_roles_that_need_it() -> None:
    models: dict[Role, ModelSpec] = {Role.SIMULATOR: OPENAI, Role.TURN_JUDGE: OWN, Role.CONVERSATION_JUDGE: OPENAI}
    with pytest.raises(ModelSetupError) as caught:
        require_access(models, NO_KEYS)
    first, second = str(caught.value).splitlines()
    assert first.startswith("simulator, conversation judge: environment variable OPENAI_API_KEY is not set")
    assert second.startswith("turn judge: environment variable MY_JUDGE_KEY is not set")


def test_a_cache_that_cannot_be_used_is_found_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="does not exist"):
        require_access({Role.TURN_JUDGE: OWN}, KEYS, cache=tmp_path / "gone" / "answers.db")
    other = tmp_path / "notes.txt"
    other.write_text("not a database, whatever its name says", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"notes\.txt"):
        require_access({Role.TURN_JUDGE: OWN}, KEYS, cache=other)


def test_with_keys_and_a_usable_cache_nothing_is_said(tmp_path: Path) -> None:
    require_access({Role.TURN_JUDGE: OWN, Role.SIMULATOR: OPENAI}, KEYS, cache=tmp_path / "answers.db")
    require_access({}, NO_KEYS, cache=None)
