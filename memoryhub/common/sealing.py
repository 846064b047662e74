"""Sealing of texts and of the keys that seal them: AES-256-GCM, each token bound to its tenant and to its key's number."""

from __future__ import annotations

import base64
import hashlib
import os
import struct
import uuid
from collections.abc import Sequence
from typing import Final, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memoryhub.common.errors import DomainError, Unavailable

KEY_BYTES: Final = 32
_NONCE: Final = 12
_MARK: Final = b"\x01"
HEAD_BYTES: Final = 5
"""A token begins with a mark of its form and the number of its key, so that what a rotation has left to do can be counted."""
_DERIVED_MARK: Final = b"gAAAA"
DERIVED: Final = 0
"""The number of the key that was derived from the master key, before tenants had keys of their own."""


class WrongKey(Unavailable):
    """What is stored was sealed under a key that this process does not have."""

    code = "wrong_key"


class KeyDestroyed(DomainError):
    """The key was destroyed, and with it what it sealed."""

    code = "key_destroyed"
    status = 410
    close_code = 4410


class Keyring(Protocol):
    """Seals and opens texts of the open tenant scope."""

    def seal(self, text: str) -> bytes: ...

    def open(self, token: bytes) -> str: ...


def head(number: int) -> bytes:
    """The first HEAD_BYTES bytes of every token sealed under that key."""
    return _MARK + struct.pack(">I", number)


def number_of(token: bytes) -> int:
    """Which of the tenant's keys sealed the token; WrongKey for bytes that are no token."""
    if token[:HEAD_BYTES] == _DERIVED_MARK:
        return DERIVED
    if token[:1] != _MARK or len(token) < HEAD_BYTES + _NONCE:
        raise WrongKey("a stored value is no sealed text", hint="Was it written by something else?")
    number: int = struct.unpack(">I", token[1:HEAD_BYTES])[0]
    return number


def seal(text: str, key: bytes, number: int, tenant_id: uuid.UUID) -> bytes:
    """head, nonce, ciphertext and tag; the head and the tenant are authenticated, too."""
    nonce = os.urandom(_NONCE)
    return head(number) + nonce + AESGCM(key).encrypt(nonce, text.encode(), head(number) + tenant_id.bytes)


def unseal(token: bytes, key: bytes, tenant_id: uuid.UUID) -> str:
    """The text; WrongKey when the key, the tenant or a single bit is another."""
    nonce, body = token[HEAD_BYTES : HEAD_BYTES + _NONCE], token[HEAD_BYTES + _NONCE :]
    try:
        return AESGCM(key).decrypt(nonce, body, token[:HEAD_BYTES] + tenant_id.bytes).decode()
    except InvalidTag:
        raise _wrong() from None


def new_key() -> bytes:
    """A random data key."""
    return os.urandom(KEY_BYTES)


def masters(setting: str) -> list[str]:
    """FIELD_ENCRYPTION_KEY may hold several master keys, comma-separated, the newest first."""
    return [part.strip() for part in setting.split(",") if part.strip()]


def master_id(master: str) -> str:
    """A name for a master key that tells nothing about it."""
    return _derive(master, b"memoryhub master id", 8).hex()


def wrap(key: bytes, master: str, tenant_id: uuid.UUID, number: int) -> bytes:
    """The data key as it may stand in the database."""
    nonce = os.urandom(_NONCE)
    return nonce + AESGCM(_wrapping(master)).encrypt(nonce, key, head(number) + tenant_id.bytes)


def unwrap(
    wrapped: bytes, all_masters: Sequence[str], named: str, tenant_id: uuid.UUID, number: int
) -> bytes:
    """The data key, by the master of that name; WrongKey when it is not among them."""
    for master in all_masters:
        if master_id(master) != named:
            continue
        try:
            return AESGCM(_wrapping(master)).decrypt(
                wrapped[:_NONCE], wrapped[_NONCE:], head(number) + tenant_id.bytes
            )
        except InvalidTag:
            break
    raise _wrong()


def open_derived(token: bytes, all_masters: Sequence[str], tenant_id: uuid.UUID) -> str:
    """A text sealed before tenants had keys of their own: a Fernet token under HKDF(master, tenant)."""
    for master in all_masters:
        key = _derive(master, b"memoryhub field " + tenant_id.bytes, KEY_BYTES)
        try:
            return Fernet(base64.urlsafe_b64encode(key)).decrypt(token).decode()
        except InvalidToken:
            continue
    raise _wrong()


def _wrapping(master: str) -> bytes:
    return _derive(master, b"memoryhub tenant key", KEY_BYTES)


def _derive(master: str, info: bytes, length: int) -> bytes:
    material = hashlib.sha256(master.encode()).digest()
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(material)


def _wrong() -> WrongKey:
    return WrongKey(
        "a stored value cannot be opened", hint="Is FIELD_ENCRYPTION_KEY the one it was stored under?"
    )
