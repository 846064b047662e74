"""A turn keeps what was said encrypted until it was learnt from, where the policy keeps it so or asks first."""

from __future__ import annotations

from django.db import migrations

import memoryhub.common.fields


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_derived_keys"), ("sessions_app", "0002_tenant_wall")]

    operations = [
        migrations.AddField(
            "turn", "sealed", memoryhub.common.fields.EncryptedTextField(blank=True, null=True)
        ),
    ]
