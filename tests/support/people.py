"""Two tenants with their people, made in few statements; the same shape in every test."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field

from allauth.account.models import EmailAddress
from django.test import Client

from accounts.actor import Actor, Door
from accounts.members import member_of
from accounts.models import Membership, Role, Subject, Tenant, User
from accounts.services.create_api_key import create_api_key
from memoryhub.common.db import tenant_transaction

PASSWORD = "correct horse battery"
ROLES = {"admin": Role.ADMIN, "operator": Role.OPERATOR, "user": Role.END_USER, "other": Role.END_USER}


@dataclass(frozen=True)
class House:
    """One tenant: `admin`, `operator`, and the end users `user` and `other` (the user's colleague)."""

    tenant: Tenant
    people: dict[str, User]
    subjects: dict[str, uuid.UUID]
    _clients: dict[str, Client] = field(default_factory=dict)

    @property
    def id(self) -> uuid.UUID:
        return self.tenant.pk

    def user_of(self, who: str = "user") -> User:
        return self.people[who]

    def actor(self, who: str = "user", door: Door = "chat") -> Actor:
        """The person as an actor, through the real look-up."""
        actor = member_of(self.people[who], self.id, door)
        assert actor is not None
        return actor

    def client(self, who: str = "user") -> Client:
        """A signed-in browser; the same one each time within a test."""
        if who not in self._clients:
            client = Client()
            client.force_login(
                self.people[who], backend="allauth.account.auth_backends.AuthenticationBackend"
            )
            self._clients[who] = client
        return self._clients[who]

    def key(self, *scopes: str, subject: str | None = None) -> str:
        """An API key's plaintext, made by the admin."""
        subject_id = self.subjects[subject] if subject else None
        return create_api_key(
            actor=self.actor("admin"), name="test", scopes=scopes or ("read", "write"), subject_id=subject_id
        )[1]

    def api(self, *scopes: str, subject: str | None = None) -> Client:
        """A client that sends such a key."""
        return Client(headers={"authorization": f"Bearer {self.key(*scopes, subject=subject)}"})


def make_house(slug: str, locale: str = "en") -> House:
    """The tenant, its four people with PASSWORD, memberships and own subjects."""
    tenant = Tenant.objects.create(slug=slug, name=slug.capitalize(), locale=locale)
    people = {who: User(email=f"{who}@{slug}.example", name=f"{slug} {who}") for who in ROLES}
    for user in people.values():
        user.set_password(PASSWORD)
    User.objects.bulk_create(people.values())
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in people.values()
    )
    with tenant_transaction(tenant.pk):
        Membership.objects.bulk_create(
            [Membership(user=people[who], role=role) for who, role in ROLES.items()]
        )
        subjects = {who: Subject(external_id=str(user.pk), user=user) for who, user in people.items()}
        Subject.objects.bulk_create(subjects.values())
    return House(tenant, people, {who: subject.pk for who, subject in subjects.items()})
