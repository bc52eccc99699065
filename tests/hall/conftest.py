"""What tests of the hall share."""

import pytest
from tests.hall.play import House


@pytest.fixture(params=[False, True], ids=["at once", "when needed"])
def sleepy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether tables come back after a restart only when somebody needs them: nothing else is different."""
    monkeypatch.setattr(House, "sleepy", request.param)
    return bool(request.param)
