"""A text field whose value is encrypted at rest under a key of its tenant."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import models

from memoryhub.common.sealing import Keyring

_keyring: list[Keyring] = []


def use_keyring(keyring: Keyring) -> None:
    """Called once at start, by the app that keeps the tenants' keys."""
    _keyring[:] = [keyring]


def the_keyring() -> Keyring:
    """The one in use."""
    if not _keyring:
        raise ImproperlyConfigured("no keyring is in use: is the app accounts installed?")
    return _keyring[0]


class EncryptedTextField(models.BinaryField):
    """Stores text as a token under the tenant's newest key (common/sealing.py); readable in its tenant's scope only.

    Reading raises WrongKey under another master key, and KeyDestroyed once the tenant's key is gone.
    """

    description = "Text encrypted under the tenant's key"

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if value is not None and isinstance(value, str):
            value = the_keyring().seal(value)
        return super().get_db_prep_value(value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> str | None:
        return None if value is None else the_keyring().open(bytes(value))
