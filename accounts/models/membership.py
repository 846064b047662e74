"""A membership: one user's role in one tenant."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.tenancy import TenantModel


class Role(models.TextChoices):
    """What each may do stands in accounts/permissions.py."""

    END_USER = "end_user"
    OPERATOR = "operator"
    ADMIN = "admin"


class Membership(TenantModel):
    """Deactivated, not deleted, so that the audit keeps its names."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=16, choices=Role)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user"], name="one_membership_a_user_and_tenant")
        ]
