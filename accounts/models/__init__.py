"""Who may do what for whom: tenants, people, memberships, keys, subjects and the audit chain."""

from accounts.models.audit import AuditEntry, AuditHead
from accounts.models.keys import ApiKey, Invitation
from accounts.models.membership import Membership, Role
from accounts.models.subject import Subject, SubjectKind
from accounts.models.tenant import Tenant
from accounts.models.tenant_key import TenantKey
from accounts.models.user import User

__all__ = [
    "ApiKey",
    "AuditEntry",
    "AuditHead",
    "Invitation",
    "Membership",
    "Role",
    "Subject",
    "SubjectKind",
    "Tenant",
    "TenantKey",
    "User",
]
