"""Search of a whole tenant: operators find anybody's memories, nobody else finds any, and each search is audited."""

from __future__ import annotations

import re

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry
from memories.services.embedding_space import active_space
from memories.services.forget import forget
from memories.services.search_tenant import search_tenant
from memories.store.tenant_search import explain_tenant
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, PermissionDenied, Unavailable
from tests.conftest import owner_connection
from tests.memories.services.conftest import WordEmbedder
from tests.memories.services.helpers import keep
from tests.support.factories import NOW
from tests.support.people import House


def test_an_operator_finds_memories_of_several_people_the_nearest_first(acme: House) -> None:
    for who, text in (("user", "The ferry to the island is late."), ("other", "The ferry is late again.")):
        keep(acme.actor(who), acme.subjects[who], text)
    keep(acme.actor("user"), acme.subjects["user"], "Green paint dries slowly.")
    hits = search_tenant(actor=acme.actor("operator"), query="the ferry is late again", k=2)
    assert [hit.subject_id for hit in hits] == [acme.subjects["other"], acme.subjects["user"]]
    assert hits[0].cosine > hits[1].cosine > 0


def test_nothing_of_another_tenant_is_found(acme: House, globex: House) -> None:
    keep(globex.actor("user"), globex.subjects["user"], "The ferry is late.")
    assert search_tenant(actor=acme.actor("operator"), query="the ferry is late") == []


def test_what_was_forgotten_is_not_found(acme: House) -> None:
    user = acme.actor("user")
    kept = keep(user, acme.subjects["user"], "The ferry is late.")
    assert kept.memory_id is not None
    forget(actor=user, memory_id=kept.memory_id)
    assert search_tenant(actor=acme.actor("operator"), query="the ferry is late") == []


def test_the_audit_names_whose_memories_were_shown_and_not_the_question(acme: House) -> None:
    keep(acme.actor("user"), acme.subjects["user"], "The ferry is late.")
    search_tenant(actor=acme.actor("operator"), query="the ferry is late")
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.order_by("-seq").first()
    assert entry.action == "memories.search"
    assert entry.changes[0]["detail"] == {"subjects": [str(acme.subjects["user"])]}


def test_who_may_not_read_anybodys_memory_searches_none(acme: House) -> None:
    with pytest.raises(PermissionDenied):
        search_tenant(actor=acme.actor("user"), query="ferry")
    operator = acme.actor("operator")
    bound = Actor(acme.id, "api_key", "k", "rest", operator.capabilities, acme.subjects["user"])
    with pytest.raises(PermissionDenied):
        search_tenant(actor=bound, query="ferry")


@pytest.mark.parametrize(("query", "k"), [("  ", 5), ("ferry", 0), ("ferry", 101)])
def test_bad_questions_are_refused(acme: House, query: str, k: int) -> None:
    with pytest.raises(Invalid):
        search_tenant(actor=acme.actor("operator"), query=query, k=k)


def test_without_an_embedder_it_says_so(acme: House, embedder: WordEmbedder) -> None:
    embedder.down = True
    with pytest.raises(Unavailable):
        search_tenant(actor=acme.actor("operator"), query="ferry")


@pytest.mark.django_db(transaction=True)
def test_the_plan_reads_the_tenants_vectors_and_nobody_elses(
    acme: House, globex: House, embedder: WordEmbedder
) -> None:
    for house in (acme, globex):
        for at in range(30):
            keep(house.actor("user"), house.subjects["user"], f"Crate {at} holds {at * 7} bolts.")
    with owner_connection() as owner:
        owner.execute("ANALYZE")
    [vector] = embedder.embed(["crate"], kind="query")
    with tenant_transaction(acme.id):
        plan = explain_tenant(vector.tolist(), space_id=active_space(), now=NOW)
    assert "Seq Scan" not in plan, plan
    # As many vectors as the tenant has, none of the other's to filter out.
    read = re.search(r"Scan (?:using \w+ )?on memories_embedding e\b.*?actual time=\S+ rows=([\d.]+)", plan)
    assert read is not None and float(read[1]) == 30, plan
