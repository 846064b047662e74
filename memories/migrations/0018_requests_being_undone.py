"""A request to forget can be on its way back: a state of the model only, the column stays as it is."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0017_no_index_by_generation_alone")]

    operations = [
        migrations.AlterField(
            "forgetrequest",
            "state",
            models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("done", "Done"),
                    ("refused", "Refused"),
                    ("undoing", "Undoing"),
                    ("restored", "Restored"),
                ],
                default="waiting",
                max_length=8,
            ),
        )
    ]
