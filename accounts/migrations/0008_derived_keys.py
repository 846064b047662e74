"""What tenants sealed under the derived key stays readable, as key number 0, until their keys are rotated."""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.utils import timezone

from memoryhub.common.ids import uuid7


def note_derived(apps: Any, schema_editor: Any) -> None:
    key = apps.get_model("accounts", "TenantKey")
    for tenant_id in list(apps.get_model("accounts", "Tenant").objects.values_list("id", flat=True)):
        _enter(schema_editor, tenant_id)
        if not key.objects.filter(tenant_id=tenant_id).exists():
            key.objects.create(
                id=uuid7(), tenant_id=tenant_id, number=0, state="retired", created_at=timezone.now()
            )


def drop_derived(apps: Any, schema_editor: Any) -> None:
    key = apps.get_model("accounts", "TenantKey")
    for tenant_id in list(apps.get_model("accounts", "Tenant").objects.values_list("id", flat=True)):
        _enter(schema_editor, tenant_id)
        key.objects.filter(tenant_id=tenant_id, number=0).delete()


def _enter(schema_editor: Any, tenant_id: Any) -> None:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT set_config('memoryhub.tenant', %s, true)", [str(tenant_id)])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_tenant_keys_wall")]

    operations = [migrations.RunPython(note_derived, drop_derived)]
