"""Which audited actions can be taken back, and on which page: each app registers its own, and the audit leads there."""

from __future__ import annotations

UNDO: dict[str, str] = {}
"""By action, the name of the admin's address that takes it back, of the action's target."""


def undone_at(action: str, page: str) -> None:
    """Let the entries of an action lead to `admin:<page>`."""
    UNDO[action] = page
