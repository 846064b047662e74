"""The actor: who is asking, through which door, with which capabilities; every service takes one."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Literal

from accounts.permissions import Capability
from memoryhub.common.errors import NotFound, PermissionDenied

ActorKind = Literal["user", "api_key", "system", "model"]
Door = Literal["chat", "admin", "rest", "mcp", "openai", "task", "command"]


@dataclass(frozen=True)
class Actor:
    """`subject_id` is the actor's own subject, or the only one an API key may touch; None reaches by capability alone."""

    tenant_id: uuid.UUID
    kind: ActorKind
    id: str
    door: Door
    capabilities: frozenset[Capability]
    subject_id: uuid.UUID | None = None

    def require(self, capability: Capability) -> None:
        """PermissionDenied without the capability."""
        if capability not in self.capabilities:
            raise PermissionDenied(
                f"this needs the capability {capability}", hint="Ask an admin of your tenant."
            )

    def require_subject(self, subject_id: uuid.UUID, *, write: bool) -> None:
        """May the actor read or write this subject's memory? NotFound when not, so that existence does not leak."""
        own = Capability.OWN_MEMORY_WRITE if write else Capability.OWN_MEMORY_READ
        anyones = Capability.MEMORY_WRITE if write else Capability.MEMORY_READ
        if self.subject_id == subject_id and own in self.capabilities:
            return
        restricted_key = self.kind == "api_key" and self.subject_id is not None
        if anyones in self.capabilities and not restricted_key:
            return
        raise NotFound("no such subject")


def system_actor(tenant_id: uuid.UUID, *, door: Door = "task", name: str = "system") -> Actor:
    """MemoryHub itself: tasks, commands and evaluation. Every capability, still inside one tenant."""
    return Actor(tenant_id=tenant_id, kind="system", id=name, door=door, capabilities=frozenset(Capability))
