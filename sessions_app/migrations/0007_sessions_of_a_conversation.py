"""An index of the sessions of a named conversation, the newest first."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("sessions_app", "0006_conversation_of_a_session")]

    operations = [
        AddIndexConcurrently(
            "chatsession",
            models.Index(
                fields=["tenant", "subject", "conversation", "-id"],
                condition=~Q(conversation=""),
                name="session_of_conversation",
            ),
        ),
    ]
