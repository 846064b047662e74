"""A house whose clock stands still, and a person's chat in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memories.ports import FixedClock
from tests.privacy.redaction.world import still
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House, make_house


@pytest.fixture(autouse=True)
def clock() -> Iterator[FixedClock]:
    with still() as fixed:
        yield fixed


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def chat(house: House, clock: FixedClock) -> Chat:
    return chat_of(house, clock)
