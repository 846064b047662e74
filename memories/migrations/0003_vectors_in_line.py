"""Vectors stay in the row: out of line, each of an exact scan's rows would cost a second look-up."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memories", "0002_tenant_wall")]

    operations = [
        # MAIN, not PLAIN: both keep 896 and 3,072 dimensions in line, and MAIN does not refuse 4,096.
        migrations.RunSQL(
            "ALTER TABLE memories_embedding ALTER COLUMN vector SET STORAGE MAIN",
            "ALTER TABLE memories_embedding ALTER COLUMN vector SET STORAGE EXTERNAL",
        )
    ]
