"""Edit: change a memory's text or properties as a new version."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, Final

from accounts.actor import Actor
from memories.models import Memory


class Unset(Enum):
    """Tells "leave as it is" from None, which means "never"."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


def edit(
    *,
    actor: Actor,
    memory_id: uuid.UUID,
    content: str | None = None,
    kind: str | None = None,
    importance: float | None = None,
    importance_level: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    expires_at: datetime | None | Unset = UNSET,
    expected_version: int | None = None,
) -> Memory:
    """The memory as it is now."""
    raise NotImplementedError
