"""Postings lean on their subject alone, whose key over (tenant, id) holds the tenant too: half of what each term of a write cost."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memories", "0032_model_usage_wall")]

    operations: ClassVar = [
        migrations.AlterField(
            model_name="posting",
            name="tenant",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="accounts.tenant",
            ),
        ),
    ]
