from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.conversation import Exchange
from hairpin.domain.recording import Recording


def test_a_recording_holds_at_least_one_exchange() -> None:
    with pytest.raises(ValidationError, match="exchanges"):
        Recording(id="r", exchanges=())
    assert Recording(id="r", exchanges=(Exchange(t=0, user="Hi", assistant="Hello"),)).context is None
