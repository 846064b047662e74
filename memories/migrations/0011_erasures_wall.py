"""Row-level security and grants of the erasures: none of them is ever deleted."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantTable


class Migration(migrations.Migration):
    dependencies = [("memories", "0010_erasures")]

    operations = [TenantTable("memories_erasure", grants="SELECT, INSERT, UPDATE")]
