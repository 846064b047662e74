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
from memories.benchmark.store import Store
from memories.models import Memory
from memoryhub.common.db import tenant_transaction

ROUNDS = 40
"""A page takes tens of milliseconds; more rounds tell no more."""


def run(store: Store, options: Options) -> Result:
    """A line a page. All of the store's memories are one tenant's, which is harder than when fifty share them."""
    client = _operator(store)
    pages = _pages(store)
    result = Result()
    timings = interleaved(
        {name: partial(_ask, client, url) for name, url in pages.items()},
        min(ROUNDS, max(5, options.rounds)),
    )
    for name, url in pages.items():
        with CaptureQueriesContext(connection) as asked:
            _ask(client, url, 0)
        figures = {**timings[name].as_data(), "statements": float(len(asked))}
        result.lines.append(Line(f"admin, {name}", f"{store.total:,}", figures, "none"))
    return result


def _pages(store: Store) -> dict[str, str]:
    with tenant_transaction(store.tenant_id):
        subject_id = store.people[min(store.people)]
        memory: Memory = Memory.objects.filter(subject_id=subject_id).select_related("subject").first()  # type: ignore[assignment]
    memories = reverse("admin:memories_memory_changelist")
    return {
        "home": reverse("admin:index"),
        "memories": memories,
        "current facts": f"{memories}?status__exact=current&kind=fact",
        "search by id": f"{memories}?q={memory.pk}",
        "search by person": f"{memories}?q={memory.subject.external_id}",
        "a memory": reverse("admin:memories_memory_change", args=[memory.pk]),
        "contradictions": reverse("admin:memories_contradiction_changelist"),
        "tombstones": reverse("admin:memories_tombstone_changelist"),
        "audit": reverse("admin:accounts_auditentry_changelist"),
        "health": reverse("admin:store_health"),
    }


def _ask(client: Client, url: str, number: int) -> None:
    answer = client.get(url)
    if answer.status_code != 200:
        raise RuntimeError(f"{url} answered {answer.status_code}")


def _operator(store: Store) -> Client:
    """Signed in, in a browser of its own."""
    user = User.objects.create(email=f"bench-{uuid.uuid4().hex[:12]}@example.org", name="bench")
    with tenant_transaction(store.tenant_id):
        Membership.objects.create(user=user, role=Role.OPERATOR)
    host = next((name for name in settings.ALLOWED_HOSTS if name.strip("*.")), "localhost")
    client = Client(SERVER_NAME=host)
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client
