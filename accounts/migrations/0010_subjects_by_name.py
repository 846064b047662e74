"""The index by which a tenant's subjects are listed and found by the beginning of their external ids."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.indexes import IndexBeside


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("accounts", "0009_audit_by_action_and_actor")]

    operations = [
        IndexBeside(
            "subject_by_name",
            'ON accounts_subject (tenant_id, kind, external_id COLLATE "C") WHERE erased_at IS NULL',
        )
    ]
