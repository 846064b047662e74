"""A turn: one message of a session, stored before anything else happens to it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from accounts.tenancy import TenantForeignKey, TenantModel
from memoryhub.common.fields import EncryptedTextField
from sessions_app.models.digest import Digest
from sessions_app.models.session import ChatSession


class Turn(TenantModel):
    """`content` is what the window shows (masked by policy); a tool's full text stands in `full_content`.

    An assistant's turn owns its generation: while `state` is streaming, `lease_owner` holds it until `leased_until` and
    flushes the text about once a second. A lapsed lease means the process died; the turn is then interrupted.
    """

    class Role(models.TextChoices):
        USER = "user"
        ASSISTANT = "assistant"
        TOOL = "tool"
        SYSTEM = "system"

    class State(models.TextChoices):
        COMPLETE = "complete"
        STREAMING = "streaming"
        INTERRUPTED = "interrupted"
        STOPPED = "stopped"
        FAILED = "failed"
        REPLACED = "replaced"

    session = TenantForeignKey(ChatSession, related_name="turns")
    seq = models.PositiveIntegerField()
    role = models.CharField(max_length=16, choices=Role)
    speaker = models.CharField(max_length=200, blank=True)
    content = models.TextField(blank=True)
    full_content = models.TextField(blank=True)
    # The message as it was said, where the policy keeps a part of it encrypted or asks first: until it was learnt from.
    sealed = EncryptedTextField(null=True, blank=True)
    language = models.CharField(max_length=8, default="en")
    tokens = models.PositiveIntegerField(default=0)
    said_at = models.DateTimeField()
    created_at = models.DateTimeField()
    # Null, not empty: the constraint below must hold for the given ones only.
    client_msg_id = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001
    reply_to = TenantForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True)

    state = models.CharField(max_length=16, choices=State, default=State.COMPLETE)
    error_code = models.CharField(max_length=64, blank=True)
    lease_owner = models.CharField(max_length=64, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    model = models.CharField(max_length=100, blank=True)
    usage = models.JSONField(default=dict, blank=True)

    # The memories behind an answer: [{"id", "item_kind", "number", "score", "cited"}]; and what a user's turn led to:
    # [{"code", "memory_id", "rule", "kind"}]. Ids only: their words are looked up, so forgetting reaches them.
    used = models.JSONField(default=list, blank=True)
    outcomes = models.JSONField(default=list, blank=True)
    trace_id = models.UUIDField(null=True, blank=True)

    digest = TenantForeignKey(Digest, on_delete=models.SET_NULL, null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    learned_at = models.DateTimeField(null=True, blank=True)
    forgotten_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "session", "seq"], name="one_turn_a_number"),
            models.UniqueConstraint(
                fields=["tenant", "session", "client_msg_id"], name="one_turn_a_client_message"
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "leased_until"], condition=Q(state="streaming"), name="turn_streaming"
            )
        ]
