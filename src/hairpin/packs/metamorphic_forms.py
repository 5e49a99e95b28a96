"""The ``test_seeds:`` and ``metamorphic:`` of a scenario as values.

It reads no test seeds; ``test_seed_source`` does.
"""

from __future__ import annotations

from pathlib import Path

from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.test_seeds import TestSeedsSource
from hairpin.errors import InvalidInputError
from hairpin.packs.campaign_forms import resolve_encoder
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.files import is_folder, is_there, read_file
from hairpin.packs.metamorphic_formats import TestSeedsForm
from hairpin.packs.yaml_source import Document


def resolve_test_seeds(document: Document[ScenarioFile], folder: Path) -> TestSeedsSource | None:
    """Return where the scenario's test seeds are, below ``folder``, or ``None`` if it has none.

    Raises:
        InvalidInputError: there is no such file, or it is a folder where a file is wanted or the other way round.
    """
    form = document.value.test_seeds
    if form is None:
        return None
    where = document.where(*(("test_seeds",) if isinstance(form, str) else ("test_seeds", "file")))
    form = TestSeedsForm(file=form) if isinstance(form, str) else form
    path = folder / form.file
    if form.format == "run" and is_there(path) and not is_folder(path):
        hint = "name the folder of the run, or another format"
        raise InvalidInputError(f"{form.file!r} is no folder of a run", where=where, hint=hint)
    if not is_there(path) or (is_folder(path) and form.format not in ("run", "auto")):
        # For its message: the file itself may be larger than files of settings are.
        read_file(path, "file of test seeds", where=where)
    return TestSeedsSource(**form.model_dump(exclude={"file"}), file=str(path))


def resolve_metamorphic(document: Document[ScenarioFile], folder: Path) -> MetamorphicSpec | None:
    """Return how the scenario's conversations are replayed; with test seeds by default as in the paper."""
    form = document.value.metamorphic
    if form is None:
        return None if document.value.test_seeds is None else MetamorphicSpec()
    told = form.model_dump(exclude={"encoder"})
    return MetamorphicSpec(**told, encoder=resolve_encoder(form.encoder, folder))
