"""Indexes by which operators search a tenant's audit; the one over all tenants' actions goes."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("accounts", "0008_derived_keys")]

    operations = [
        AddIndexConcurrently(
            "auditentry", models.Index(fields=["tenant", "action", "-seq"], name="audit_by_action")
        ),
        AddIndexConcurrently(
            "auditentry", models.Index(fields=["tenant", "actor_id", "-seq"], name="audit_by_actor")
        ),
        migrations.AlterField("auditentry", "action", models.CharField(max_length=64)),
    ]
