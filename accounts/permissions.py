"""Roles to capabilities, in one table: the only place that says who may do what."""

from __future__ import annotations

from enum import StrEnum

from accounts.models.membership import Role


class Capability(StrEnum):
    """Verbs on data of the tenant; OWN_* reach only the actor's own subject."""

    CHAT = "chat"
    OWN_MEMORY_READ = "own_memory_read"
    OWN_MEMORY_WRITE = "own_memory_write"
    MEMORY_READ = "memory_read"
    MEMORY_WRITE = "memory_write"
    REVEAL = "reveal"
    REDACT = "redact"
    RESOLVE = "resolve"
    RESTORE = "restore"
    SWEEP = "sweep"
    AUDIT_READ = "audit_read"
    POLICY_WRITE = "policy_write"
    MEMBERS_WRITE = "members_write"
    KEYS_WRITE = "keys_write"
    ERASE = "erase"
    CONSTRAINTS_WRITE = "constraints_write"
    METRICS_READ = "metrics_read"
    TENANTS_WRITE = "tenants_write"


_END_USER = frozenset({Capability.CHAT, Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE})
_OPERATOR = _END_USER | {
    Capability.MEMORY_READ,
    Capability.REVEAL,
    Capability.REDACT,
    Capability.RESOLVE,
    Capability.RESTORE,
    Capability.SWEEP,
    Capability.AUDIT_READ,
    Capability.METRICS_READ,
    Capability.CONSTRAINTS_WRITE,
}
_ADMIN = _OPERATOR | {
    Capability.MEMORY_WRITE,
    Capability.POLICY_WRITE,
    Capability.MEMBERS_WRITE,
    Capability.KEYS_WRITE,
    Capability.ERASE,
}

ROLE_CAPABILITIES: dict[str, frozenset[Capability]] = {
    Role.END_USER: _END_USER,
    Role.OPERATOR: _OPERATOR,
    Role.ADMIN: _ADMIN,
}

# Platform staff who chose a tenant (audited): they run it, and read no clear text of what is masked.
PLATFORM_STAFF_CAPABILITIES: frozenset[Capability] = frozenset(
    {
        Capability.MEMORY_READ,
        Capability.SWEEP,
        Capability.AUDIT_READ,
        Capability.METRICS_READ,
        Capability.MEMBERS_WRITE,
        Capability.KEYS_WRITE,
        Capability.TENANTS_WRITE,
    }
)

# What an API key bound to one subject may reach at most: what that person could do themselves.
OWN_CAPABILITIES: frozenset[Capability] = _END_USER

SCOPE_CAPABILITIES: dict[str, frozenset[Capability]] = {
    "read": frozenset({Capability.OWN_MEMORY_READ, Capability.MEMORY_READ}),
    "write": frozenset(
        {Capability.CHAT, Capability.OWN_MEMORY_WRITE, Capability.MEMORY_WRITE, Capability.RESTORE}
    ),
    "admin": frozenset(
        {
            Capability.SWEEP,
            Capability.AUDIT_READ,
            Capability.POLICY_WRITE,
            Capability.ERASE,
            Capability.METRICS_READ,
            Capability.CONSTRAINTS_WRITE,
            Capability.REDACT,
            Capability.KEYS_WRITE,
        }
    ),
}
