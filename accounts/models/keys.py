"""API keys and invitations: secrets of which only a hash is stored."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.models.membership import Role
from accounts.models.subject import Subject
from accounts.tenancy import TenantForeignKey, TenantModel


class ApiKey(TenantModel):
    """Shown once as `mh_<prefix>_<secret>`; scopes are read, write, admin."""

    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=16, unique=True)
    key_hash = models.BinaryField()
    scopes = ArrayField(models.CharField(max_length=16))
    subject = TenantForeignKey(Subject, null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)


class Invitation(TenantModel):
    """Sign-up is by invitation: a link with a token, for one address, once, until it expires."""

    email = models.EmailField()
    role = models.CharField(max_length=16, choices=Role)
    token_hash = models.BinaryField(unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
