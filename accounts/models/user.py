"""The user: a person who signs in with an e-mail address and may belong to several tenants."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models

from memoryhub.common.ids import uuid7


class UserManager(BaseUserManager["User"]):
    """Creates users with a normalised, lower-case address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        if not email:
            raise ValueError("a user needs an e-mail address")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Platform staff: may choose a tenant in the admin, audited; holds no membership by itself."""
        return self.create_user(email, password, is_platform_staff=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A global row. What a user may do in a tenant stands in Membership, never here."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=150, blank=True)
    locale = models.CharField(max_length=16, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    is_active = models.BooleanField(default=True)
    is_platform_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(auto_now_add=True)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    @property
    def is_staff(self) -> bool:
        """Django's admin asks this; the real decision is AdminSite.has_permission over memberships."""
        return self.is_platform_staff

    def __str__(self) -> str:
        return f"user {self.pk}"
