"""Embeds memories and episodes that were stored while the embedder was down, or under another model."""

from __future__ import annotations

from accounts.actor import Actor


def index_pending(*, actor: Actor) -> int:
    """Number of vectors made."""
    raise NotImplementedError
