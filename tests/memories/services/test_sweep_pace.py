"""A sweep's batch that holds its locks for too long is undone and goes again with fewer rows; nothing is lost or taken twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from memories.models import Memory, Tombstone
from memories.services import sweep as sweeping
from memories.services.sweep import sweep
from memories.store import sweep as store
from memoryhub.common.db import tenant_transaction
from tests.support.factories import make_memory
from tests.support.people import House

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_takes_too_long_goes_again_with_fewer_rows(
    acme: House, globex: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for house in (acme, globex):
        with tenant_transaction(house.id):
            for number in range(80):
                make_memory(house.subjects["user"], f"note {number}", expires_at=NOW - timedelta(days=1))
    taking, tried = store.take_ended, []

    def take(broom: store.Broom) -> store.Counts:
        tried.append(broom.rows)
        if len(tried) == 1:
            taking(broom)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_sleep(60)")
        return taking(broom)

    monkeypatch.setattr(sweeping.store, "take_ended", take)
    run = sweep(actor=acme.actor("operator"), now=NOW)
    assert tried[1] is not None and tried[0] is not None and tried[1] < tried[0]
    assert run.counts["rules"] == {"sweep.ttl": {"fact": 80}} and run.counts["examined"] == 80
    with tenant_transaction(acme.id):
        assert Memory.objects.filter(status="expired").count() == 80
        assert Tombstone.objects.count() == 80
    with tenant_transaction(globex.id):
        assert Memory.objects.filter(status="current").count() == 80
        assert Tombstone.objects.count() == 0
