"""The verbs on accounts; each checks a capability, is one transaction and leaves an audit entry."""

from accounts.services.accept_invitation import accept_invitation, open_invitation
from accounts.services.change_role import change_role, deactivate_member, reactivate_member
from accounts.services.create_api_key import create_api_key, revoke_api_key, rotate_api_key
from accounts.services.create_tenant import create_tenant, resume_tenant, suspend_tenant
from accounts.services.create_user import create_user
from accounts.services.ensure_subject import ensure_person_subject, ensure_subject, find_subject
from accounts.services.invite import invite, withdraw_invitation
from accounts.services.join_tenant import join_tenant
from accounts.services.reset_password import make_reset_link
from accounts.services.seed_demo import seed_demo

__all__ = [
    "accept_invitation",
    "change_role",
    "create_api_key",
    "create_tenant",
    "create_user",
    "deactivate_member",
    "ensure_person_subject",
    "ensure_subject",
    "find_subject",
    "invite",
    "join_tenant",
    "make_reset_link",
    "open_invitation",
    "reactivate_member",
    "resume_tenant",
    "revoke_api_key",
    "rotate_api_key",
    "seed_demo",
    "suspend_tenant",
    "withdraw_invitation",
]
