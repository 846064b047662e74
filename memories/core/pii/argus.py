"""What argus-redact finds: asked only about texts in which one of its own patterns matches, since asking costs a tenth of a millisecond."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

import argus_redact
import argus_redact._core as engine

TYPES: Final[Mapping[str, str]] = {
    "hk_id": "id_number",
    "tw_id": "id_number",
    "openai_api_key": "secret",
    "anthropic_api_key": "secret",
    "aws_access_key": "secret",
    "github_token": "secret",
    "jwt": "secret",
    "ssh_private_key": "secret",
    "iban": "bank_account",
}
"""Types taken from argus-redact; the other ones it has are looked for by our own rules, which know the words around."""

_LANGUAGES: Final = ("zh", "en")
_SALT: Final = bytes(32)


def found_by_argus(plain: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, type) of what it finds of TYPES."""
    if may_find(plain):
        yield from asked(plain)


def may_find(plain: str) -> bool:
    """False only where it cannot find anything: its patterns for TYPES, on the text as it reads it, are where it begins."""
    pattern = _any_of_its_patterns()
    if pattern is not None and pattern.search(engine.normalize_text(plain)[0]) is None:
        return False
    # What holds no digit is left to our own rules.
    return any(char.isdigit() for char in plain)


def asked(plain: str) -> Iterator[tuple[int, int, str]]:
    """The same, whatever the text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = argus_redact.redact(
            plain, lang=list(_LANGUAGES), mode="fast", types=list(TYPES), detailed=True, salt=_SALT
        )
    for entity in result[2]["entities"]:
        yield entity["start"], entity["end"], TYPES[entity["type"]]


@lru_cache(maxsize=1)
def _any_of_its_patterns() -> re.Pattern[str] | None:
    """All of them in one; None, so that it is always asked, where a release of it has none for one of TYPES."""
    patterns = [
        one
        for group in (*_LANGUAGES, "shared")
        for one in engine.builtin_patterns(group)
        if one["type"] in TYPES
    ]
    if {one["type"] for one in patterns} != set(TYPES):
        return None
    try:
        return re.compile("|".join(f"(?:{one['pattern']})" for one in patterns))
    except re.error:
        return None
