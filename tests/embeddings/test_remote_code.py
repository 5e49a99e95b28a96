from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.embeddings.remote_code import code_of, refuse_code
from hairpin.errors import EncoderError
from tests.embeddings.model_folders import write_model

OWN_MODULE = [{"idx": 0, "name": "0", "path": "", "type": "custom_st.Transformer"}]


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"config.json": {"auto_map": {"AutoModel": "modeling.MyModel"}}}, "modeling.MyModel"),
        ({"config.json": {"auto_map": {"AutoModel": "owner/repo--modeling.MyModel"}}}, "owner/repo--modeling.MyModel"),
        ({"tokenizer_config.json": {"auto_map": {"AutoTokenizer": [None, "tok.Fast"]}}}, "tok.Fast"),
        ({"0_Transformer/config.json": {"auto_map": {"AutoConfig": "conf.Conf"}}}, "conf.Conf"),
        ({"modules.json": OWN_MODULE}, "custom_st.Transformer"),
        ({"router_config.json": {"types": {"0": "os.Router"}}}, "os.Router"),
        ({"config.json": {"auto_map": "modeling.MyModel"}}, "modeling.MyModel"),
    ],
)
def test_a_model_that_brings_code_is_refused_with_model_and_setting_named(
    tmp_path: Path, files: dict[str, object], named: str
) -> None:
    folder = write_model(tmp_path, files)
    assert code_of(folder) == (named,)
    with pytest.raises(EncoderError, match=r"owner/model.*trust_remote_code: true") as caught:
        refuse_code("owner/model", folder)
    assert named in str(caught.value)


def test_a_model_without_code_is_let_through(tmp_path: Path) -> None:
    folder = write_model(tmp_path, {"router_config.json": {"types": {"0": "sentence_transformers.models.Dense"}}})
    assert code_of(folder) == ()
    refuse_code("m", folder)


def test_a_configuration_that_cannot_be_read_is_no_permission(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    (folder / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(EncoderError, match=r"config\.json: cannot be read"):
        refuse_code("m", folder)
