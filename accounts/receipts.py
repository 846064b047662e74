"""Signed receipts: canonical JSON under an Ed25519 signature, which anybody with the public key can verify."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings


class ReceiptError(Exception):
    """Why a receipt does not hold, in one line without content."""


def sign(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body with the public key's id and the signature over everything else in it."""
    signed = {**body, "algorithm": "Ed25519", "key_id": key_id(public_key())}
    signature = _private_key().sign(canonical(signed))
    return {**signed, "signature": base64.b64encode(signature).decode()}


def verify(receipt: Mapping[str, Any], trusted: Iterable[str] | None = None) -> None:
    """ReceiptError unless one of the trusted public keys (default: this installation's) signed exactly this."""
    given = dict(receipt)
    raw = given.pop("signature", None)
    if not isinstance(raw, str):
        raise ReceiptError("the receipt has no signature")
    keys = {key_id(key): key for key in (trusted if trusted is not None else trusted_keys())}
    key = keys.get(str(given.get("key_id")))
    if key is None:
        raise ReceiptError("the receipt is signed by a key that is not trusted here")
    try:
        signature = base64.b64decode(raw, validate=True)
        _public(key).verify(signature, canonical(given))
    except (ValueError, InvalidSignature):
        raise ReceiptError("the signature does not fit: the receipt was changed") from None


def parse(text: str) -> dict[str, Any]:
    """The receipt out of a file's text; ReceiptError for what is none, or says the same field twice."""
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except ValueError:
        raise ReceiptError("this is no receipt: it is not the JSON that was given out") from None
    if not isinstance(found, dict):
        raise ReceiptError("this is no receipt: a JSON object is expected")
    return found


def canonical(value: Mapping[str, Any]) -> bytes:
    """The one writing that is signed: keys sorted, no spaces, UTF-8."""
    return json.dumps(
        value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    ).encode()


def public_key() -> str:
    """This installation's public key: 32 bytes, base64."""
    raw = _private_key().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return base64.b64encode(raw).decode()


def trusted_keys() -> list[str]:
    """This installation's key and those named as earlier ones."""
    return [public_key(), *settings.RECEIPT_PUBLIC_KEYS]


def key_id(public: str) -> str:
    """16 hexadecimal characters that name a public key."""
    return hashlib.sha256(public.strip().encode()).hexdigest()[:16]


def _private_key() -> Ed25519PrivateKey:
    """Out of RECEIPT_KEY, whatever its form: 32 bytes by HKDF."""
    material = hashlib.sha256(settings.RECEIPT_KEY.strip().encode()).digest()
    seed = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"memoryhub receipts").derive(material)
    return Ed25519PrivateKey.from_private_bytes(seed)


def _public(key: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(base64.b64decode(key.strip(), validate=True))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field stands there twice")
    return found
