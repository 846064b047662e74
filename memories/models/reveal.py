"""A reveal: an operator read a masked memory in clear, when, and the reason that they gave; its subject sees it."""

from __future__ import annotations

from django.db import models

from accounts.tenancy import TenantForeignKey, TenantModel
from memories.models.memory import Memory


class Reveal(TenantModel):
    """One reading. The reason is an operator's text, which forgetting, redaction and erasure reach; the audit holds ids only."""

    memory = TenantForeignKey(Memory, related_name="reveals")
    actor_kind = models.CharField(max_length=16)
    actor_id = models.CharField(max_length=64)
    reason = models.CharField(max_length=200)
    at = models.DateTimeField()
    referenced = False
