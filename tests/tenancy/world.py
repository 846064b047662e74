"""A world for isolation tests: every tenant table of acme holds a row of one user, with a marker in each text that it has."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.test import Client
from django.utils import timezone
from pgvector.django import HalfVectorField

from accounts.models import AuditEntry, AuditHead, Membership, Subject, TenantKey
from accounts.tenancy import TenantModel
from memories.models import EmbeddingSpace
from memoryhub.common.db import tenant_transaction
from memoryhub.common.fields import EncryptedTextField
from tests.support.people import House, make_house

M = TypeVar("M", bound=models.Model)

MARKER = "Wolpertinger7731"
# Made by people.py, by the audit chain or by the keyring itself.
NOT_FILLED = {AuditEntry, AuditHead, Membership, Subject, TenantKey}

# Where the code reads a value back and any text will not do.
MEANT = {
    "memories.Memory.kind": "fact",
    "memories.Memory.importance_level": "high",
    "memories.MemoryVersion.change": "created",
    "memories.Tombstone.undo": "[]",
    "memories.ForgetRequest.undo": "[]",
    "memories.ForgetRequest.target": '{"scope": "words", "words": "' + MARKER + '"}',
    "memories.ForgetRule.target": '{"scope": "words", "words": "' + MARKER + '"}',
    "sessions_app.ChatSession.next_seq": 2,
    "sessions_app.Turn.role": "user",
}

PERSONAS = (
    "anonymous",
    "stranger",
    "foreign_admin",
    "foreign_key",
    "bound_key",
    "colleague",
    "operator",
    "owner",
)
KEY_PERSONAS = {"foreign_key", "bound_key"}


@dataclass
class World:
    """acme's `user` owns everything; `other` is the colleague; all of globex is foreign."""

    acme: House
    globex: House
    rows: dict[type[models.Model], Any] = field(default_factory=dict)

    def __getitem__(self, model: type[M]) -> M:
        """acme's row of that model."""
        row: M = self.rows[model]
        return row

    @property
    def owner_external_id(self) -> str:
        return str(self.acme.user_of("user").pk)

    def client(self, persona: str) -> Client:
        """The persona's browser, or the client that sends their key."""
        clients = {
            "anonymous": Client,
            "stranger": lambda: self.globex.client("user"),
            "foreign_admin": lambda: self.globex.client("admin"),
            "foreign_key": lambda: self.globex.api("read", "write", "admin"),
            "bound_key": lambda: self.acme.api("read", "write", subject="other"),
            "colleague": lambda: self.acme.client("other"),
            "operator": lambda: self.acme.client("operator"),
            "owner": lambda: self.acme.client("user"),
        }
        return clients[persona]()


def build_world() -> World:
    """Both tenants, and one row of acme in every tenant table, found by walking the models: a new table is in at once."""
    world = World(make_house("acme"), make_house("globex"))
    with tenant_transaction(world.acme.id):
        world.rows[Subject] = Subject.objects.get(pk=world.acme.subjects["user"])
        world.rows[Subject].display_name = MARKER
        world.rows[Subject].save()
        world.rows[Membership] = Membership.objects.get(user=world.acme.user_of("user"))
        for model in apps.get_models():
            if issubclass(model, TenantModel) and model not in NOT_FILLED:
                _fill(world, model)
    return world


def _fill(world: World, model: type[TenantModel]) -> Any:
    if model in world.rows:
        return world.rows[model]
    values = {
        column.name: _value(world, column)
        for column in model._meta.concrete_fields
        if column.name not in {"id", "tenant"} and _wanted(column)
    }
    world.rows[model] = model._default_manager.create(**values)
    return world.rows[model]


def _wanted(column: models.Field[Any, Any]) -> bool:
    """Nullable columns stay null and defaults stay, except where something a person said could stand."""
    if getattr(column, "auto_now_add", False) or getattr(column, "auto_now", False):
        return False
    if str(column) in MEANT:
        return True
    if column.is_relation:
        return not column.null
    return isinstance(column, models.TextField | EncryptedTextField) or not (
        column.null or column.has_default()
    )


def _value(world: World, column: models.Field[Any, Any]) -> Any:
    if column.is_relation:
        target = column.remote_field.model
        if target is EmbeddingSpace:
            return EmbeddingSpace.objects.filter(state="active").first() or EmbeddingSpace.objects.create(
                name="isolation", revision="1", dimension=3
            )
        if target is world.acme.user_of("user").__class__:
            return world.acme.user_of("user")
        return _fill(world, target)
    if str(column) in MEANT:
        return MEANT[str(column)]
    if column.choices:
        return column.get_default() or column.choices[0][0]
    makers: list[tuple[type, Any]] = [
        (models.EmailField, f"{MARKER.lower()}@acme.example"),
        (models.UUIDField, uuid.uuid4()),
        (models.BooleanField, False),
        (models.IntegerField, 1),
        (models.FloatField, 0.5),
        (
            models.DateTimeField,
            timezone.now() + timedelta(days=1 if column.name.startswith("expires") else 0),
        ),
        (models.DateField, timezone.now().date()),
        (models.JSONField, {"note": MARKER}),
        (ArrayField, []),
        (HalfVectorField, [1.0, 0.0, 0.0]),
        (EncryptedTextField, MARKER),
        (models.BinaryField, uuid.uuid4().bytes),
        (models.CharField, MARKER[: column.max_length]),
        (models.TextField, MARKER),
    ]
    for kind, value in makers:
        if isinstance(column, kind):
            return value
    raise NotImplementedError(f"say in tests/tenancy/world.py what stands in {column}")
