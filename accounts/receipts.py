"""Signed receipts: canonical JSON under an Ed25519 signature, which anybody with the public key can verify."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

ERASURE_FORMATS: Final = ("memoryhub.erasure/1",)


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
        # The last character holds bits that decoding drops: only one writing of a signature is the one given out.
        if base64.b64encode(signature).decode() != raw:
            raise ValueError("another writing of the signature")
        _public(key).verify(signature, canonical(given))
    except (ValueError, RecursionError, InvalidSignature):
        raise ReceiptError("the signature does not fit: the receipt was changed") from None


def check_erased(receipt: Mapping[str, Any]) -> None:
    """ReceiptError unless a receipt that verifies is one of an erasure in a form known here, and says that nothing is left.

    Rows that it names as kept (nameless ones, by which other people's memories are kept apart) may be left.
    """
    if receipt.get("format") not in ERASURE_FORMATS:
        raise ReceiptError("this is no receipt of an erasure in a form that is known here")
    checked = receipt.get("checked")
    if not isinstance(checked, list) or not checked:
        raise ReceiptError("the receipt does not say what was checked")
    named = receipt.get("kept", [])
    kept = {row.get("place"): row.get("rows") for row in named} if isinstance(named, list) else {}
    for row in checked:
        left = row.get("left") if isinstance(row, dict) else None
        if type(left) is not int or left != (kept.get(row.get("place"), 0) if left else 0):
            raise ReceiptError("the receipt says that something is left")


def parse(text: str) -> dict[str, Any]:
    """The receipt out of a file's text; ReceiptError for what is none, or says the same field twice."""
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
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
