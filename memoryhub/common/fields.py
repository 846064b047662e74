"""A text field whose value is encrypted at rest under a key of its tenant."""

from __future__ import annotations

import base64
import hashlib
import uuid
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models

from memoryhub.common.db import current_tenant_id


def _tenant_fernet(tenant_id: uuid.UUID) -> MultiFernet:
    """The tenant's ciphers, newest first: FIELD_ENCRYPTION_KEY may hold several master keys, comma-separated."""
    ciphers = []
    for master in settings.FIELD_ENCRYPTION_KEY.split(","):
        info = b"memoryhub field " + tenant_id.bytes
        derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(_material(master))
        ciphers.append(Fernet(base64.urlsafe_b64encode(derived)))
    return MultiFernet(ciphers)


def _material(master: str) -> bytes:
    return hashlib.sha256(master.strip().encode()).digest()


class EncryptedTextField(models.BinaryField):
    """Stores text as a Fernet token (AES-128-CBC + HMAC-SHA256) under HKDF(master, tenant); readable in its scope only."""

    description = "Text encrypted under the tenant's key"

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if value is not None and isinstance(value, str):
            value = _tenant_fernet(current_tenant_id()).encrypt(value.encode())
        return super().get_db_prep_value(value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> str | None:
        if value is None:
            return None
        try:
            return _tenant_fernet(current_tenant_id()).decrypt(bytes(value)).decode()
        except InvalidToken:
            raise ValueError(
                "a stored value cannot be decrypted: is FIELD_ENCRYPTION_KEY the right one?"
            ) from None
