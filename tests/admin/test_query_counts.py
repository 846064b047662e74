"""Every list and page of the admin asks the database as often for fifty rows as for five, and its number is recorded here."""

from __future__ import annotations

import pytest
from django.contrib.admin import site
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import audit
from accounts.models import AuditEntry, Membership, Tenant, User
from accounts.operator_pages import PAGES
from memories.services import policies
from memoryhub.common.db import tenant_transaction
from tests.support.many import join, multiply
from tests.tenancy.rows import ADMIN_PAGES
from tests.tenancy.world import World, build_world

pytestmark = pytest.mark.django_db

RECORDED: dict[str, int] = {
    "accounts_apikey_change": 10,
    "accounts_apikey_changelist": 11,
    "accounts_auditentry_changelist": 13,
    "accounts_auditentry_export": 12,
    "accounts_auditentry_verify": 12,
    "accounts_invitation_change": 10,
    "accounts_invitation_changelist": 11,
    "accounts_membership_change": 12,
    "accounts_membership_changelist": 11,
    "accounts_subject_change": 15,
    "accounts_subject_changelist": 14,
    "accounts_tenant_changelist": 11,
    "accounts_user_changelist": 11,
    "budget": 16,
    "index": 29,
    "memories_approval_change": 17,
    "memories_approval_changelist": 14,
    "memories_contradiction_change": 25,
    "memories_contradiction_changelist": 14,
    "memories_embedding_change": 13,
    "memories_embedding_changelist": 11,
    "memories_embeddingspace_changelist": 11,
    "memories_episode_change": 15,
    "memories_episode_changelist": 14,
    "memories_evidence_change": 16,
    "memories_evidence_changelist": 14,
    "memories_experiment_change": 14,
    "memories_experiment_changelist": 11,
    "memories_experiment_new": 9,
    "memories_fact_change": 17,
    "memories_fact_changelist": 14,
    "memories_feedback_change": 15,
    "memories_feedback_changelist": 14,
    "memories_forgetrequest_change": 15,
    "memories_forgetrequest_changelist": 14,
    "memories_forgetrule_change": 15,
    "memories_forgetrule_changelist": 14,
    "memories_idempotencykey_change": 11,
    "memories_idempotencykey_changelist": 11,
    "memories_job_change": 11,
    "memories_job_changelist": 11,
    "memories_memory_change": 22,
    "memories_memory_changelist": 14,
    "memories_memoryversion_change": 16,
    "memories_memoryversion_changelist": 14,
    "memories_policyversion_change": 11,
    "memories_policyversion_changelist": 11,
    "memories_policyversion_versions": 15,
    "memories_recalltrace_change": 15,
    "memories_recalltrace_changelist": 14,
    "memories_redaction_change": 14,
    "memories_redaction_changelist": 14,
    "memories_slot_change": 15,
    "memories_slot_changelist": 14,
    "memories_sweeprun_change": 12,
    "memories_sweeprun_changelist": 13,
    "memories_sweeprun_plan": 13,
    "memories_tombstone_change": 18,
    "memories_tombstone_changelist": 14,
    "memories_webhook_change": 10,
    "memories_webhook_changelist": 11,
    "policy": 14,
    "redact_everywhere": 9,
    "sessions_app_chatsession_change": 15,
    "sessions_app_chatsession_changelist": 14,
    "sessions_app_digest_change": 17,
    "sessions_app_digest_changelist": 14,
    "sessions_app_turn_change": 15,
    "sessions_app_turn_changelist": 14,
    "store_health": 24,
}
"""Statements of a page by the name of its address, those that open the transaction and write the audit included. A newly
registered list or page fails here until its number stands in this table; so does one that asks for each row."""

ALONE = {
    "accounts_auditentry_export",
    "accounts_auditentry_verify",
    "memories_sweeprun_plan",
    "memories_policyversion_versions",
    "memories_experiment_new",
}
OF_ROWS = {
    "accounts_membership_decide",
    "memories_contradiction_settle",
    "memories_contradiction_undo",
    "memories_experiment_adopt",
    "memories_experiment_discard",
    "memories_experiment_start",
    "memories_experiment_stop",
    "memories_job_retry",
    "memories_memory_pin",
    "memories_memory_reveal",
    "memories_policyversion_revert",
    "memories_redaction_memory",
    "memories_redaction_result",
    "memories_redaction_subject",
    "memories_sweeprun_pause",
    "memories_tombstone_purge",
    "memories_tombstone_restore",
}
"""Pages about the rows whose ids stand in the address: their own tests count."""

NOT_MADE = {AuditEntry, Membership, Tenant, User}
"""What `grow` makes otherwise, or what there is one of."""


def pages(world: World) -> dict[str, str]:
    """The addresses by name: the home, every list, a row of each, and all other pages that need no id of a row."""
    found = {"index": reverse("admin:index"), **{page.name: reverse(f"admin:{page.name}") for page in PAGES}}
    for model in site._registry:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        found[f"{name}_changelist"] = reverse(f"admin:{name}_changelist")
        if model in world.rows:
            found[f"{name}_change"] = reverse(f"admin:{name}_change", args=[world.rows[model].pk])
    for name in ALONE:
        found[name] = reverse(f"admin:{name}")
    return found


def test_every_further_page_is_counted_or_needs_ids() -> None:
    """Those of ADMIN_PAGES that no row and no ids in the address belong to."""
    assert ALONE | OF_ROWS | {page.name for page in PAGES} == set(ADMIN_PAGES)
    assert not ALONE & OF_ROWS


def grow(world: World, number: int) -> None:
    """So many more rows in every list."""
    with tenant_transaction(world.acme.id):
        for model, row in world.rows.items():
            if model in site._registry and model not in NOT_MADE:
                multiply(row, number)
        join(number)
    for _ in range(number):
        with tenant_transaction(world.acme.id):
            audit.record(world.acme.actor("operator", "admin"), "memory.read", target_kind="memory")


def statements(client: Client, urls: dict[str, str]) -> dict[str, int]:
    """How many each takes when it is opened a second time: then what processes keep is kept."""
    found = {}
    for name, url in urls.items():
        client.get(url)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url).status_code == 200, url
        found[name] = len(queries)
    return found


def test_every_list_and_page_takes_its_recorded_number_of_statements_however_many_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A policy that is read anew every five seconds would be counted now and then.
    monkeypatch.setattr(policies, "CACHE_SECONDS", 3600.0)
    world = build_world()
    urls, client = pages(world), world.acme.client("admin")
    grow(world, 4)
    few = statements(client, urls)
    grow(world, 45)
    many = statements(client, urls)
    grown = {name: (few[name], many[name]) for name in many if few[name] != many[name]}
    assert not grown, f"more statements for fifty rows than for five: {grown}"
    assert many == RECORDED, (
        "record the number in tests/admin/test_query_counts.py, or find out why it has changed"
    )


def test_the_lists_are_full() -> None:
    """The control: what is counted above has fifty rows to show."""
    world = build_world()
    grow(world, 50)
    client = world.acme.client("admin")
    one = {"accounts_tenant_changelist", "memories_embeddingspace_changelist"}
    for model in site._registry:
        name = f"{model._meta.app_label}_{model._meta.model_name}_changelist"
        shown = client.get(reverse(f"admin:{name}")).context["cl"].result_list
        assert len(shown) >= (1 if name in one else 50), name
