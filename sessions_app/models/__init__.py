"""Working memory: sessions, their turns, and which turns a digest stands for."""

from sessions_app.models.digest import Digest
from sessions_app.models.session import ChatSession
from sessions_app.models.turn import Turn

__all__ = ["ChatSession", "Digest", "Turn"]
