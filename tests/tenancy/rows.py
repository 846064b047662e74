"""The table of isolation: for each endpoint, what each kind of caller gets. A new endpoint needs a row here.

Columns of a row are statuses (one, or a tuple of allowed ones):
  owner      acme's user, whose session, memory and so on the URL names
  colleague  another end user of acme; also an API key bound to the colleague's subject
  operator   acme's operator
  outsider   globex: a user, an admin, and an API key with every scope
  anonymous  nobody
Whatever the status, an answer to a colleague, an outsider or nobody must not hold the marker that all of acme's user's
texts hold. Each call is undone before the next one, so that a row may delete what it names.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from accounts.models import ApiKey
from memories.models import (
    Approval,
    Contradiction,
    Erasure,
    Experiment,
    ForgetRequest,
    ForgetRule,
    Job,
    Memory,
    RecallTrace,
    Redaction,
    SweepRun,
    Tombstone,
    Webhook,
)
from memories.services.declare_constraint import declare_tenant_constraint
from memories.services.tenant_subject import make_tenant_subject
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from tests.tenancy.world import MARKER, World

Status = int | tuple[int, ...]


@dataclass(frozen=True)
class Row:
    """One method of one endpoint; `keys` says whether API keys are credentials there."""

    method: str
    name: str
    url: Callable[[World], str]
    owner: Status
    colleague: Status
    operator: Status
    outsider: Status
    anonymous: Status
    body: dict[str, Any] | Callable[[World], dict[str, Any]] | None = None
    keys: bool = False
    # Keys are not people: where no subject is named, or no person is meant, they get another answer.
    key: Status | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.name}"

    def expected(self, persona: str) -> tuple[int, ...]:
        column = {
            "stranger": "outsider",
            "foreign_admin": "outsider",
            "foreign_key": "outsider",
            "bound_key": "colleague",
        }
        status: Status = getattr(self, column.get(persona, persona))
        if persona in {"foreign_key"} and self.key is not None:
            status = self.key
        return status if isinstance(status, tuple) else (status,)


def named(name: str, *args: Callable[[World], Any], query: str = "") -> Callable[[World], str]:
    """The URL of that name for acme's rows."""
    return lambda world: reverse(name, args=[arg(world) for arg in args]) + query


def memory(world: World) -> uuid.UUID:
    return world[Memory].pk


def tenant_rule(world: World) -> uuid.UUID:
    """A rule of acme's operators, which hangs on the subject of the tenant; it holds no marker, for everybody may know it."""
    operator = world.acme.actor("operator", "rest")
    (made,) = declare_tenant_constraint(actor=operator, content="Never name a competitor.")
    assert made.memory_id is not None
    return made.memory_id


def tenant_owner(world: World) -> uuid.UUID:
    tenant_rule(world)
    with tenant_transaction(world.acme.id):
        return make_tenant_subject()


def approval(world: World) -> uuid.UUID:
    """An approval whose memory waits."""
    waiting = world[Approval]
    with tenant_transaction(world.acme.id):
        Memory.objects.filter(pk=waiting.memory_id).update(status="pending")
    return waiting.pk


def contradiction(world: World) -> uuid.UUID:
    return world[Contradiction].pk


def trace(world: World) -> uuid.UUID:
    return world[RecallTrace].pk


def session(world: World) -> uuid.UUID:
    return world[ChatSession].pk


def turn(world: World) -> uuid.UUID:
    return world[Turn].pk


def subject(world: World) -> uuid.UUID:
    return world.acme.subjects["user"]


def erasure(world: World) -> uuid.UUID:
    return world[Erasure].pk


def forget_request(world: World) -> uuid.UUID:
    return world[ForgetRequest].pk


def forget_rule(world: World) -> uuid.UUID:
    return world[ForgetRule].pk


def subject_of(query: str = "") -> Callable[[World], str]:
    """The owner named in a query."""
    return lambda world: f"?subject={world.owner_external_id}{query}"


def row_of(model: Any) -> Callable[[World], uuid.UUID]:
    """The id of acme's row of a model."""
    return lambda world: uuid.UUID(str(world[model].pk))


def of_owner(world: World) -> dict[str, str]:
    return {"subject": world.owner_external_id}


def api(method: str, name: str, url: Callable[[World], str], *statuses: Status, **more: Any) -> Row:
    """A row of the REST API: owner, colleague, operator, outsider; nobody is asked for credentials."""
    owner, colleague, operator, outsider = statuses
    return Row(method, name, url, owner, colleague, operator, outsider, 401, keys=True, **more)


def page(method: str, name: str, url: Callable[[World], str], *statuses: Status, **more: Any) -> Row:
    """A row of a page: owner, colleague, operator, outsider; nobody is sent to the sign-in page."""
    owner, colleague, operator, outsider = statuses
    return Row(method, name, url, owner, colleague, operator, outsider, 302, **more)


def public(method: str, name: str, url: Callable[[World], str], status: Status, **more: Any) -> Row:
    """The same for everybody."""
    return Row(method, name, url, status, status, status, status, status, **more)


ACCOUNTS = [
    public("GET", "account_login", named("account_login"), (200, 302)),
    public("GET", "account_signup", named("account_signup"), (200, 302)),
    public("GET", "account_inactive", named("account_inactive"), 200),
    public("GET", "account_logout", named("account_logout"), (200, 302)),
    public("GET", "account_reset_password", named("account_reset_password"), 200),
    public(
        "GET", "accept_invitation", lambda world: reverse("accept_invitation", args=["no-such-token"]), 404
    ),
    public("GET", "reset_password", lambda world: reverse("reset_password", args=["x", "y"]), 200),
    page("GET", "account_change_password", named("account_change_password"), 200, 200, 200, 200),
    page("GET", "account_reauthenticate", named("account_reauthenticate"), 200, 200, 200, 200),
    page("GET", "choose_tenant", named("choose_tenant"), 200, 200, 200, 200),
    page(
        "POST",
        "choose_tenant",
        named("choose_tenant"),
        302,
        302,
        302,
        404,
        body=lambda w: {"tenant": str(w.acme.id)},
    ),
    page("POST", "leave_tenant", named("leave_tenant"), 302, 302, 302, 302),
    # The pages about the second factor ask for the password first, and show what is one's own only.
    page("GET", "mfa_index", named("mfa_index"), 200, 200, 200, 200),
    *[
        page("GET", name, named(name), (302, 404), (302, 404), (302, 404), (302, 404))
        for name in (
            "mfa_activate_totp",
            "mfa_deactivate_totp",
            "mfa_authenticate",
            "mfa_reauthenticate",
            "mfa_generate_recovery_codes",
            "mfa_view_recovery_codes",
            "mfa_download_recovery_codes",
        )
    ],
]

EDGES = [
    public("GET", "health", named("health"), (200, 503)),
    public("GET", "metrics", named("metrics"), (200, 401, 403, 404)),
    public("GET", "schema", named("schema"), 200),
    public("GET", "docs", named("docs"), 200),
    # Cookies are no credentials at this door, and who has no key learns nothing; keys: tests/sessions_app/openai/.
    public("POST", "openai_chat", named("openai_chat"), 401),
    public("GET", "openai_models", named("openai_models"), 401),
    public("GET", "openai_model", named("openai_model", lambda world: "gpt-x"), 401),
    public("POST", "openai_not_offered", lambda world: "/v1/embeddings", 404),
    public("POST", "set_language", named("set_language"), 302, body={"language": "zh-hans"}),
]

NOTE = {"content": "The spare key lies under the blue pot.", "kind": "fact", "infer": False}

# A key that is bound to nobody has to name a subject: 400 without one.
MEMORIES_API = [
    api("GET", "api_memories", named("api_memories"), 200, 200, 200, 200, key=400),
    api(
        "GET",
        "api_memories",
        lambda w: reverse("api_memories") + "?subject=" + w.owner_external_id,
        200,
        404,
        200,
        404,
    ),
    api("POST", "api_memories", named("api_memories"), 201, 201, 201, 201, body=NOTE, key=400),
    # Naming acme's user from globex can at most make a subject of globex that happens to have the same external id;
    # who may not make one is told no more than for one that is there.
    api(
        "POST",
        "api_memories",
        named("api_memories"),
        201,
        404,
        404,
        (201, 404),
        body=lambda w: {**NOTE, **of_owner(w)},
    ),
    api("GET", "api_memory", named("api_memory", memory), 200, 404, 200, 404),
    api(
        "PATCH",
        "api_memory",
        named("api_memory", memory),
        200,
        404,
        404,
        404,
        body={"content": "It lies in the shed."},
    ),
    api("DELETE", "api_memory", named("api_memory", memory), 204, 404, 404, 404),
    api(
        "POST",
        "api_memory_restore",
        named("api_memory_restore", memory),
        (200, 409),
        404,
        (200, 404, 409),
        404,
    ),
    api("GET", "api_memory_versions", named("api_memory_versions", memory), 200, 404, 200, 404),
    api("POST", "api_recall", named("api_recall"), 200, 200, 200, 200, body={"query": MARKER}, key=400),
    api(
        "POST",
        "api_recall",
        named("api_recall"),
        200,
        404,
        200,
        404,
        body=lambda w: {"query": MARKER, **of_owner(w)},
    ),
]

# Of the outsiders an admin and a key with every scope search their own tenant; a plain person and a bound key search none.
SEARCH_API = [
    api("POST", "api_search", named("api_search"), 403, 403, 200, (200, 403), body={"query": MARKER}),
]

# The one contradiction of the world has one memory on both sides, so that settling it by a side is refused to nobody who may.
SETTLING_API = [
    api("GET", "api_contradictions", named("api_contradictions"), 200, 200, 200, 200, key=400),
    api(
        "GET",
        "api_contradictions",
        lambda w: reverse("api_contradictions") + "?subject=" + w.owner_external_id,
        200,
        404,
        200,
        404,
    ),
    api(
        "POST",
        "api_contradiction_resolve",
        named("api_contradiction_resolve", contradiction),
        200,
        404,
        200,
        404,
        body={"resolution": "keep_both"},
    ),
    # It is open, which only those learn who may settle it.
    api("POST", "api_contradiction_undo", named("api_contradiction_undo", contradiction), 409, 404, 409, 404),
    api("GET", "api_stale", named("api_stale"), 200, 200, 200, 200, key=400),
    api("POST", "api_memory_undo", named("api_memory_undo", memory), 409, 404, 409, 404),
    api(
        "POST",
        "api_memory_merge",
        named("api_memory_merge", memory),
        404,
        404,
        404,
        404,
        body={"memories": [str(uuid.UUID(int=7))]},
    ),
]

RULE = {"content": "No tables in reports."}
VERDICT = {"verdict": "right"}

JUDGING_API = [
    api("GET", "api_approvals", named("api_approvals"), 200, 200, 200, 200, key=400),
    api(
        "GET",
        "api_approvals",
        lambda w: reverse("api_approvals") + "?subject=" + w.owner_external_id,
        200,
        404,
        200,
        404,
    ),
    api("POST", "api_approval", named("api_approval", approval), 200, 404, 404, 404, body={"approve": True}),
    # Another's memory is not there, whoever's verdict it is.
    api(
        "POST",
        "api_feedback",
        named("api_feedback"),
        201,
        404,
        404,
        404,
        body=lambda w: {**VERDICT, "memory_id": str(memory(w))},
        key=400,
    ),
    api(
        "POST",
        "api_feedback",
        named("api_feedback"),
        201,
        404,
        404,
        404,
        body=lambda w: {**VERDICT, "memory_id": str(memory(w)), **of_owner(w)},
    ),
    api("GET", "api_profile", named("api_profile"), 200, 200, 200, 200, key=400),
    api(
        "GET",
        "api_profile",
        lambda w: reverse("api_profile") + "?subject=" + w.owner_external_id,
        200,
        404,
        200,
        404,
    ),
    api("GET", "api_subject_profile", named("api_subject_profile", subject), 200, 404, 200, 404),
    api("GET", "api_constraints", named("api_constraints"), 200, 200, 200, 200, key=400),
    api(
        "GET",
        "api_constraints",
        lambda w: reverse("api_constraints") + "?subject=" + w.owner_external_id,
        200,
        404,
        200,
        404,
    ),
    api("GET", "api_constraints", named("api_constraints", query="?for_tenant=true"), 200, 200, 200, 200),
    api("POST", "api_constraints", named("api_constraints"), 201, 201, 201, 201, body=RULE, key=400),
    api(
        "POST",
        "api_constraints",
        named("api_constraints"),
        403,
        403,
        201,
        (201, 403),
        body={**RULE, "for_tenant": True},
    ),
    # The world's memory is no rule; whose it is, is not told.
    api("DELETE", "api_constraint", named("api_constraint", memory), 404, 404, 404, 404),
    api("GET", "api_trace", named("api_trace", trace), 200, 404, 200, 404),
    api("GET", "api_trace_replay", named("api_trace_replay", trace), 200, 404, 200, 404),
    api("POST", "api_trace_replay", named("api_trace_replay", trace), 200, 404, 200, 404, body={}),
]

FORGETTING_API = [
    api(
        "POST",
        "api_subject_forget",
        named("api_subject_forget", subject),
        200,
        404,
        404,
        404,
        body={"text": "forget my phone number"},
    ),
    api("POST", "api_forget", named("api_forget"), 200, 200, 200, 200, body={"value": "Nobody"}, key=400),
    api(
        "POST",
        "api_forget",
        named("api_forget"),
        200,
        404,
        404,
        404,
        body=lambda w: {"entity": "user", "preview": True, **of_owner(w)},
    ),
    api("GET", "api_forget_requests", named("api_forget_requests"), 200, 200, 200, 200, key=400),
    api(
        "GET",
        "api_forget_requests",
        lambda w: reverse("api_forget_requests") + "?subject=" + w.owner_external_id,
        200,
        404,
        200,
        404,
    ),
    api(
        "POST",
        "api_forget_request",
        named("api_forget_request", forget_request),
        200,
        404,
        404,
        404,
        body={"approve": False},
    ),
    # It waits, so there is nothing to bring back yet.
    api(
        "POST",
        "api_forget_request_undo",
        named("api_forget_request_undo", forget_request),
        409,
        404,
        404,
        404,
    ),
    api("GET", "api_forget_rules", named("api_forget_rules"), 200, 200, 200, 200, key=400),
    api(
        "GET",
        "api_forget_rules",
        lambda w: reverse("api_forget_rules") + "?subject=" + w.owner_external_id,
        200,
        404,
        200,
        404,
    ),
    api("DELETE", "api_forget_rule", named("api_forget_rule", forget_rule), 204, 404, 404, 404),
]

PRIVACY_API = [
    # One's own tenant's; of another's nobody learns a word.
    api("GET", "api_policy", named("api_policy"), 403, 403, 403, (200, 403)),
    api("PUT", "api_policy", named("api_policy"), 403, 403, 403, (200, 403), body={"overrides": {}}),
    api("GET", "api_policy_versions", named("api_policy_versions"), 403, 403, 403, (200, 403)),
    api("DELETE", "api_subject", named("api_subject", subject), 200, 404, 403, 404),
    # Who has no external id of acme's finds nobody; nobody is erased by leaving the name out.
    api("DELETE", "api_subjects", named("api_subjects"), 400, 400, 400, 400),
    api(
        "DELETE",
        "api_subjects",
        lambda w: reverse("api_subjects") + "?subject=" + w.owner_external_id,
        200,
        404,
        403,
        404,
    ),
    # Asked for by somebody else: who may not erase finds nothing.
    api("GET", "api_erasure", named("api_erasure", erasure), 404, 404, 404, 404),
]

SESSIONS_API = [
    api("GET", "api_sessions", named("api_sessions"), 200, 200, 200, 200, key=400),
    api(
        "GET",
        "api_sessions",
        lambda w: reverse("api_sessions") + "?subject=" + w.owner_external_id,
        200,
        404,
        200,
        404,
    ),
    api("POST", "api_sessions", named("api_sessions"), 201, 201, 201, 201, body={}, key=400),
    api("GET", "api_session", named("api_session", session), 200, 404, 200, 404),
    api("PATCH", "api_session", named("api_session", session), 200, 404, 404, 404, body={"title": "Another"}),
    api("POST", "api_session_end", named("api_session_end", session), 200, 404, 404, 404),
    api("GET", "api_message", named("api_message", session, turn), 200, 404, 200, 404),
    api("GET", "api_messages", named("api_messages", session), 200, 404, 200, 404),
    api(
        "POST",
        "api_messages",
        named("api_messages", session),
        201,
        404,
        404,
        404,
        body={"content": "Where does the spare key lie?", "reply": False},
    ),
]

CHAT = [
    page("GET", "new_chat", named("new_chat"), 200, 200, 200, 200),
    page("GET", "sessions", named("sessions"), 200, 200, 200, 200),
    page("POST", "open_new", named("open_new"), 302, 302, 302, 302),
    page(
        "POST", "open_new", named("open_new"), 302, 404, 404, 404, body=lambda w: {"leaving": str(session(w))}
    ),
    page("GET", "conversation", named("conversation", session), 200, 404, 404, 404),
    page("GET", "earlier", named("earlier", session, query="?before=5"), 200, 404, 404, 404),
    page(
        "POST",
        "rename_session",
        named("rename_session", session),
        302,
        404,
        404,
        404,
        body={"title": "Another"},
    ),
    page("POST", "end_session", named("end_session", session), 302, 404, 404, 404),
    page("GET", "turn_source", named("turn_source", turn), 302, 404, 404, 404),
    page("GET", "memories", named("memories"), 200, 200, 200, 200),
    page("GET", "memories", named("memories", query=f"?q={MARKER[:4]}"), 200, 200, 200, 200),
    page("GET", "forgetting", named("forgetting"), 200, 200, 200, 200),
    page("POST", "forgetting", named("forgetting"), 302, 302, 302, 302, body={"text": "forget my phone"}),
    page(
        "POST",
        "answer_forgetting",
        named("answer_forgetting", forget_request),
        302,
        404,
        404,
        404,
        body={"approve": "0"},
    ),
    page("POST", "undo_forgetting", named("undo_forgetting", forget_request), 302, 404, 404, 404),
    page("POST", "remove_forget_rule", named("remove_forget_rule", forget_rule), 302, 404, 404, 404),
    page("GET", "edit_memory", named("edit_memory", memory), 200, 404, 404, 404),
    page(
        "POST",
        "edit_memory",
        named("edit_memory", memory),
        302,
        404,
        404,
        404,
        body={"content": "Another", "version": 1},
    ),
    page("POST", "pin_memory", named("pin_memory", memory), 302, 404, 404, 404, body={"pinned": "1"}),
    page("POST", "forget_memory", named("forget_memory", memory), 302, 404, 404, 404),
    page("GET", "about_me", named("about_me"), 200, 200, 200, 200),
    page("POST", "lay_down_rule", named("lay_down_rule"), 302, 302, 302, 302, body={"content": "No tables."}),
    page("POST", "remove_rule", named("remove_rule", memory), 404, 404, 404, 404),
    page("GET", "questions", named("questions"), 200, 200, 200, 200),
    page("GET", "undo_memory", named("undo_memory", memory), 200, 404, 404, 404),
    page("POST", "undo_memory", named("undo_memory", memory), 302, 404, 404, 404),
    page("POST", "still_true", named("still_true", memory), 302, 404, 404, 404),
    page(
        "POST",
        "settle",
        named("settle", contradiction),
        302,
        404,
        404,
        404,
        body={"resolution": "keep_both"},
    ),
    page("POST", "unsettle", named("unsettle", contradiction), 302, 404, 404, 404),
    page("POST", "restore_memory", named("restore_memory", memory), 302, 404, 404, 404),
]

# Rules of the tenant: operators read and withdraw them; to write them as memories takes the right to both. What a key does
# that writes any memory is in test_tenant_rules.py.
TENANT_RULES = [
    api("GET", "api_memory", named("api_memory", tenant_rule), 404, 404, 200, 404),
    api(
        "PATCH",
        "api_memory",
        named("api_memory", tenant_rule),
        404,
        404,
        404,
        404,
        body={"content": "Praise them."},
    ),
    api("DELETE", "api_memory", named("api_memory", tenant_rule), 404, 404, 404, 404),
    api("DELETE", "api_constraint", named("api_constraint", tenant_rule), 403, 403, 204, 404),
    api("DELETE", "api_subject", named("api_subject", tenant_owner), 404, 404, 403, 404),
    page(
        "POST",
        "edit_memory",
        named("edit_memory", tenant_rule),
        404,
        404,
        404,
        404,
        body={"content": "Praise them.", "version": 1},
    ),
    # Who may not is told so on the page; test_about_page.py sees that it stands.
    page("POST", "remove_rule", named("remove_rule", tenant_rule), 302, 302, 302, 404),
]

# What only admins may, with the right of a key's scope: an operator gets 403 where the capability is an admin's.
KEYS_API = [
    api("GET", "api_me", named("api_me"), 200, 200, 200, 200),
    api("GET", "api_keys", named("api_keys"), 403, 403, 403, (200, 403)),
    api(
        "POST",
        "api_keys",
        named("api_keys"),
        403,
        403,
        403,
        (201, 403),
        body={"name": "one", "scopes": ["admin"]},
    ),
    api("GET", "api_key", named("api_key", row_of(ApiKey)), 403, 403, 403, (404, 403)),
    api("DELETE", "api_key", named("api_key", row_of(ApiKey)), 403, 403, 403, (404, 403)),
    api(
        "POST", "api_key_rotate", named("api_key_rotate", row_of(ApiKey)), 403, 403, 403, (404, 403), body={}
    ),
    api("GET", "api_audit", named("api_audit"), 403, 403, 200, (200, 403)),
    api("GET", "api_audit_export", named("api_audit_export"), 403, 403, 200, (200, 403)),
]

# Like keys. The world's endpoint has no usable address, and a test of it is only queued.
_HOOK = row_of(Webhook)
WEBHOOKS_API = [
    api("GET", "api_webhooks", named("api_webhooks"), 403, 403, 403, (200, 403)),
    api("POST", "api_webhooks", named("api_webhooks"), 403, 403, 403, (400, 403), body={"url": "http://x"}),
    api("GET", "api_webhook", named("api_webhook", _HOOK), 403, 403, 403, (404, 403)),
    api("PATCH", "api_webhook", named("api_webhook", _HOOK), 403, 403, 403, (404, 403), body={"name": "x"}),
    api("DELETE", "api_webhook", named("api_webhook", _HOOK), 403, 403, 403, (404, 403)),
    api("POST", "api_webhook_rotate", named("api_webhook_rotate", _HOOK), 403, 403, 403, (404, 403), body={}),
    api("POST", "api_webhook_test", named("api_webhook_test", _HOOK), 403, 403, 403, (404, 403)),
    api("GET", "api_webhook_deliveries", named("api_webhook_deliveries", _HOOK), 403, 403, 403, (404, 403)),
    api("POST", "api_webhook_replay", named("api_webhook_replay", _HOOK), 403, 403, 403, (404, 403), body={}),
]

SUBJECTS_API = [
    # A person, and a key of one, find themselves.
    api("GET", "api_subjects", named("api_subjects"), 200, 200, 200, 200),
    api("POST", "api_subjects", named("api_subjects"), 403, 403, 403, (201, 403), body={"external_id": "x"}),
    api("GET", "api_subject", named("api_subject", subject), 200, 404, 200, 404),
    api(
        "PATCH",
        "api_subject",
        named("api_subject", subject),
        200,
        404,
        404,
        404,
        body={"memory_paused": True},
    ),
    api("GET", "api_erasures", named("api_erasures"), 403, 403, 403, (200, 403)),
]

LISTS_API = [
    *[
        row
        for name in ("api_facts", "api_tombstones", "api_traces", "api_slots")
        for row in (
            api("GET", name, named(name), 200, 200, 200, 200, key=400),
            api("GET", name, lambda w, n=name: reverse(n) + subject_of()(w), 200, 404, 200, 404),
        )
    ],
    api(
        "GET",
        "api_facts",
        named("api_facts", query="?everybody=true&attribute=home"),
        403,
        403,
        200,
        (200, 403),
    ),
    api("GET", "api_tombstone", named("api_tombstone", row_of(Tombstone)), 200, 404, 200, 404),
    api(
        "POST",
        "api_tombstone_restore",
        named("api_tombstone_restore", row_of(Tombstone)),
        (200, 409, 410),
        404,
        (200, 409, 410),
        404,
    ),
    api(
        "POST",
        "api_tombstone_purge",
        named("api_tombstone_purge", row_of(Tombstone)),
        403,
        403,
        (200, 409, 410),
        (403, 404),
    ),
    # It is of nobody in particular, and the owner did not ask for it.
    api("GET", "api_operation", named("api_operation", row_of(Job)), 404, 404, 200, 404),
    api("POST", "api_context", named("api_context"), 200, 200, 200, 200, body={"message": "Hello"}, key=400),
    api(
        "POST",
        "api_context",
        named("api_context"),
        200,
        404,
        200,
        404,
        body=lambda w: {"message": MARKER, **of_owner(w)},
    ),
    api(
        "POST",
        "api_context",
        named("api_context"),
        200,
        404,
        200,
        404,
        body=lambda w: {"message": MARKER, "session_id": str(session(w))},
    ),
    api(
        "POST",
        "api_memories_bulk",
        named("api_memories_bulk"),
        200,
        200,
        200,
        200,
        body={"items": [NOTE]},
        key=400,
    ),
    api(
        "POST",
        "api_memories_bulk",
        named("api_memories_bulk"),
        200,
        404,
        404,
        (200, 404),
        body=lambda w: {"items": [NOTE], **of_owner(w)},
    ),
    # Which of the ids are there is told only to who may delete them.
    api(
        "POST",
        "api_memories_bulk_delete",
        named("api_memories_bulk_delete"),
        200,
        200,
        200,
        200,
        body=lambda w: {"memories": [str(memory(w))]},
    ),
    api(
        "POST",
        "api_messages_bulk",
        named("api_messages_bulk", session),
        200,
        404,
        404,
        404,
        body={"messages": [{"role": "user", "content": "The spare key lies in the shed."}]},
    ),
]

WORDS = {"words": [MARKER]}

OPERATORS_API = [
    api(
        "GET",
        "api_policy_version",
        lambda w: reverse("api_policy_version", args=[0]),
        403,
        403,
        403,
        (200, 403),
    ),
    api(
        "POST",
        "api_policy_preview",
        named("api_policy_preview"),
        403,
        403,
        403,
        (200, 403),
        body={"overrides": {}},
    ),
    api(
        "POST",
        "api_policy_revert",
        named("api_policy_revert"),
        403,
        403,
        403,
        (201, 403),
        body={"to": 0, "version": 0},
    ),
    api("GET", "api_redactions", named("api_redactions"), 403, 403, 200, (200, 403)),
    api(
        "POST",
        "api_redactions",
        named("api_redactions"),
        403,
        403,
        201,
        (404, 403),
        body=lambda w: {**WORDS, **of_owner(w), "reason": "asked for", "confirmation": "redact"},
    ),
    api(
        "POST",
        "api_redaction_preview",
        named("api_redaction_preview"),
        403,
        403,
        200,
        (404, 403),
        body=lambda w: {**WORDS, **of_owner(w)},
    ),
    *[
        api(method, name, named(name, row_of(Redaction)), 403, 403, (200, 409), (404, 403))
        for method, name in (
            ("GET", "api_redaction"),
            ("POST", "api_redaction_resume"),
            ("POST", "api_redaction_lift"),
        )
    ],
    api("GET", "api_sweeps", named("api_sweeps"), 403, 403, 200, (200, 403)),
    api("POST", "api_sweeps", named("api_sweeps"), 403, 403, (202, 409), (202, 403)),
    api("GET", "api_sweep", named("api_sweep", row_of(SweepRun)), 403, 403, 200, (404, 403)),
    api("GET", "api_sweep_plan", named("api_sweep_plan"), 403, 403, 200, (200, 403)),
    api("POST", "api_sweep_pause", named("api_sweep_pause"), 403, 403, 200, (200, 403)),
    api("DELETE", "api_sweep_pause", named("api_sweep_pause"), 403, 403, 200, (200, 403)),
    api("GET", "api_usage", named("api_usage"), 403, 403, 200, (200, 403)),
    api("GET", "api_experiments", named("api_experiments"), 403, 403, 200, (200, 403)),
    api("GET", "api_experiment", named("api_experiment", row_of(Experiment)), 403, 403, 200, (404, 403)),
]

ROWS: list[Row] = [
    *TENANT_RULES,
    *ACCOUNTS,
    *EDGES,
    *MEMORIES_API,
    *SEARCH_API,
    *SETTLING_API,
    *JUDGING_API,
    *FORGETTING_API,
    *PRIVACY_API,
    *SESSIONS_API,
    *KEYS_API,
    *WEBHOOKS_API,
    *SUBJECTS_API,
    *LISTS_API,
    *OPERATORS_API,
    *CHAT,
]


@dataclass(frozen=True)
class SocketRow:
    """A websocket route: the close code that each gets before anything is sent, None for being let in."""

    route: str
    path: Callable[[World], str]
    owner: int | None
    colleague: int | None
    operator: int | None
    outsider: int | None
    anonymous: int | None


SOCKETS = [
    SocketRow(
        "ws/chat/<str:session_id>/",
        lambda world: f"/ws/chat/{session(world)}/",
        owner=None,
        colleague=4404,
        operator=4404,
        outsider=4404,
        anonymous=4401,
    ),
]

# Admin pages beyond Django's own five a model, by URL name: {name: status an operator gets}.
ADMIN_PAGES: dict[str, Status] = {
    "store_health": 200,
    "budget": 200,
    "accounts_membership_decide": 403,
    "accounts_auditentry_export": 200,
    "accounts_auditentry_verify": 200,
    "memories_job_retry": 200,
    "memories_sweeprun_plan": 200,
    "memories_sweeprun_pause": 405,
    "memories_experiment_new": 403,
    "memories_experiment_start": 403,
    "memories_experiment_stop": 403,
    "memories_experiment_adopt": 403,
    "memories_experiment_discard": 403,
    "memories_contradiction_settle": 200,
    "memories_contradiction_undo": 200,
    "policy": 200,
    "memories_policyversion_versions": 200,
    "memories_policyversion_revert": 200,
    "memories_memory_reveal": 200,
    "memories_memory_pin": 403,
    "redact_everywhere": 200,
    "memories_redaction_memory": 200,
    "memories_redaction_subject": 200,
    "memories_redaction_result": 200,
    "memories_tombstone_restore": 200,
    "memories_tombstone_purge": 200,
}
