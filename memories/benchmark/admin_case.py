"""The operators' pages through the real views, as an operator's browser asks for them: milliseconds and statements of each."""

from __future__ import annotations

import uuid
from functools import partial

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Membership, Role, User
from memories.benchmark.cases import Line, Options, Result
from memories.benchmark.measure import interleaved
from memories.benchmark.spread import Spread
from memories.benchmark.store import Store
from memories.models import Memory
from memoryhub.common.db import tenant_transaction

ROUNDS = 40
"""A page takes tens of milliseconds; more rounds tell no more."""


WITHIN = 1.5
"""How much longer than in the first store that was measured a page may take at the median."""
_first: dict[str, float] = {}


def run(store: Store, options: Options) -> Result:
    """A line a page, beside the same page in the smallest store of the run; where tenants share the store, the pages of the
    largest and of the smallest one."""
    result = Result()
    asked: dict[str, tuple[Client, str]] = {}
    tenants = {"": store.tenant_id}
    if isinstance(store, Spread):
        tenants = {"largest tenant": store.tenant_id, "smallest tenant": store.smallest}
    for whose, tenant_id in tenants.items():
        client = _operator(tenant_id)
        for name, url in _pages(tenant_id).items():
            asked[f"{name}, {whose}".rstrip(", ")] = (client, url)
    timings = interleaved(
        {name: partial(_ask, client, url) for name, (client, url) in asked.items()},
        min(ROUNDS, max(5, options.rounds)),
    )
    for name, (client, url) in asked.items():
        median = timings[name].at(50)
        times = median / _first.setdefault(name, median)
        figures = {
            **timings[name].as_data(),
            "statements": float(min(_statements(client, url) for _ in range(3))),
            "times_first": round(times, 3),
        }
        result.lines.append(
            Line(f"admin, {name}", f"{store.total:,}", figures, f"{WITHIN} x in the smallest store")
        )
    return result


def start() -> None:
    """Forget the stores of another run."""
    _first.clear()


def _pages(tenant_id: uuid.UUID) -> dict[str, str]:
    with tenant_transaction(tenant_id):
        memory: Memory = Memory.objects.order_by("-id").select_related("subject").first()  # type: ignore[assignment]
    memories = reverse("admin:memories_memory_changelist")
    return {
        "home": reverse("admin:index"),
        "memories": memories,
        "current facts": f"{memories}?status__exact=current&kind=fact",
        "archived": f"{memories}?status__exact=archived",
        "search by id": f"{memories}?q={memory.pk}",
        "search by person": f"{memories}?q={memory.subject.external_id}",
        "a memory": reverse("admin:memories_memory_change", args=[memory.pk]),
        "contradictions": reverse("admin:memories_contradiction_changelist"),
        "redactions": reverse("admin:memories_redaction_changelist"),
        "experiments": reverse("admin:memories_experiment_changelist"),
        "tombstones": reverse("admin:memories_tombstone_changelist"),
        "traces": reverse("admin:memories_recalltrace_changelist"),
        "audit": reverse("admin:accounts_auditentry_changelist"),
        "health": reverse("admin:store_health"),
    }


def _statements(client: Client, url: str) -> int:
    """What is kept for some seconds may have to be read anew in one of several."""
    with CaptureQueriesContext(connection) as queries:
        _ask(client, url, 0)
    return len(queries)


def _ask(client: Client, url: str, number: int) -> None:
    answer = client.get(url)
    if answer.status_code != 200:
        raise RuntimeError(f"{url} answered {answer.status_code}")


def _operator(tenant_id: uuid.UUID) -> Client:
    """Signed in, in a browser of its own."""
    user = User.objects.create(email=f"bench-{uuid.uuid4().hex[:12]}@example.org", name="bench")
    with tenant_transaction(tenant_id):
        Membership.objects.create(user=user, role=Role.OPERATOR)
    host = next((name for name in settings.ALLOWED_HOSTS if name.strip("*.")), "localhost")
    client = Client(SERVER_NAME=host)
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client
