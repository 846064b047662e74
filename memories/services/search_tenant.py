"""Search of a whole tenant for its operators: which memories of anybody are about something (R21, R31)."""

from __future__ import annotations

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.ports import EmbedderUnavailable, EmbeddingRefused
from memories.services.embedding import seen_by_embedder
from memories.services.embedding_space import serving
from memories.services.policies import policy_of
from memories.services.screen import screen
from memories.store.tenant_search import TenantHit, tenant_hits
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, PermissionDenied, Unavailable

MAX_QUERY = 4_000


def search_tenant(*, actor: Actor, query: str, k: int = 20) -> list[TenantHit]:
    """The k current memories of the tenant that lie nearest to the question, of whichever person, best first.

    By vectors only: words are indexed a subject. It reinforces nothing and leaves no trace, but an audit entry that names
    whose memories were shown. PermissionDenied without the capability to read anybody's memory, or with a key that is bound to
    one subject; Invalid for an empty question or a k outside 1..100; Unavailable while the embedder is down.
    """
    actor.require(Capability.MEMORY_READ)
    if actor.kind == "api_key" and actor.subject_id is not None:
        raise PermissionDenied("this key reads one subject only", hint="Use a key that is bound to nobody.")
    if not 1 <= k <= 100:
        raise Invalid(
            "k is out of range", hint="Ask for 1 to 100.", fields={"k": "must lie between 1 and 100"}
        )
    policy, _ = policy_of(actor.tenant_id)
    text = screen(query, policy).text_masked.strip()[:MAX_QUERY]
    if not text:
        raise Invalid("the question is empty", hint="Ask something.", fields={"query": "may not be blank"})
    try:
        space_id, embedder = serving()
        [vector] = embedder.embed(seen_by_embedder([text], policy, embedder), kind="query")
    except (EmbedderUnavailable, EmbeddingRefused):
        raise Unavailable(
            "the embedder is down", hint="Try again in a minute; subjects can be searched by words meanwhile."
        ) from None
    with tenant_transaction(actor.tenant_id):
        hits = tenant_hits(
            vector.tolist(),
            space_id=space_id,
            returned=k,
            first_pass=policy.integer("recall.first_pass"),
            now=get_clock().now(),
        )
        if actor.kind != "system":
            audit.record(
                actor,
                "memories.search",
                target_kind="tenant",
                subjects=sorted({str(hit.subject_id) for hit in hits}),
            )
    return hits
