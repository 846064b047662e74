"""A turn as plain data, its memories' words looked up."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from accounts.actor import Actor
from sessions_app.models import Turn



def turn_data(*, actor: Actor, turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """JSON-able turns."""
    raise NotImplementedError
