"""Adapters named in a scenario: ``./my_ica.py:MyIca``, ``package.module:Name`` or an entry point's name.

Importing is ``packs.functions``; what an object must be is ``sut.callables``.
"""

from __future__ import annotations

from hairpin.domain.sut_spec import PythonSut
from hairpin.packs.functions import load_object
from hairpin.ports import SutAdapter
from hairpin.sut.callables import adapter_of


def adapter_of_reference(spec: PythonSut) -> SutAdapter:
    """Import what ``spec`` names and make an adapter of it.

    Raises:
        InvalidInputError: it cannot be found or imported, or is no adapter.
        UserError: its constructor raised.
    """
    where = f"sut {spec.reference!r}"
    return adapter_of(load_object(spec.reference, folder=spec.folder, where=where), name=spec.reference)
