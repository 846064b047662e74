"""A receiver of one's own, an endpoint of acme's, and time that stands still until it is moved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memories.models import Webhook
from memories.ports import FixedClock
from memories.services.webhooks.create_webhook import create_webhook
from memories.services.webhooks.deliver import deliver
from tests.memories.services.conftest import (  # noqa: F401 - fixtures
    _outside,
    clock,
    embedder,
    globex,
    subject_id,
    system,
    user,
)
from tests.memories.services.conftest import acme as acme
from tests.support.people import House
from tests.support.receiver import Receiver, receiver


@pytest.fixture
def local(settings: Any) -> None:
    """Receivers of a test are on this machine."""
    settings.WEBHOOK_PRIVATE_ADDRESSES = True
    settings.WEBHOOK_PLAIN_HTTP = True


@pytest.fixture
def post_box(local: None) -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def hook(acme: House, post_box: Receiver) -> tuple[Webhook, str]:
    """The endpoint and its secret."""
    return create_webhook(actor=acme.actor("admin", "rest"), url=post_box.url)


def rounds(house: House, clock: FixedClock, number: int = 1, hours: float = 2) -> int:  # noqa: F811
    """So many rounds of delivery, each so many hours after the one before; how many attempts were made."""
    made = 0
    for _ in range(number):
        made += deliver(house.id)
        clock.advance(hours=hours)
    return made
