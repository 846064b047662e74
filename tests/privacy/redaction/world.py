"""What tests of redaction share: a person's chat, the operator's redaction, and a search through all that is stored."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import connection

from accounts.tenancy import TenantModel
from memories.adapters.factory import override
from memories.models import Redaction
from memories.ports import FixedClock
from memories.services import embedding_space, policies
from memories.services.redact import redact
from memoryhub.common.db import tenant_transaction
from memoryhub.common.fields import EncryptedTextField
from tests.sessions_app.conftest import Chat
from tests.sessions_app.embedder import WordEmbedder
from tests.support.dump import database_dump, places_of, valkey_dump
from tests.support.people import House

VALUE = "QX-7731"
FILL = [
    "We meet every Wednesday at ten.",
    "The budget limit is 4800 yuan.",
    "No tables in the weekly report.",
    "The owner is Lin Lan.",
    "We decided on the blue design.",
    "Delivery is due on 18 March 2026.",
]
"""What is said beside it, enough for a window to be compacted."""
LINES = [f"The contract number is {VALUE}, please remember.", *FILL]


@contextmanager
def still() -> Iterator[FixedClock]:
    """A clock that stands until it is moved, and an embedder that is quick."""
    fixed = FixedClock()
    policies.forget_cached()
    embedding_space.forget_cached()
    with override(clock=fixed, embedder=WordEmbedder()):
        yield fixed


def me(chat: Chat) -> uuid.UUID:
    assert chat.actor.subject_id is not None
    return chat.actor.subject_id


def redacted(house: House, **fields: Any) -> Redaction:
    given = {"reason": "Asked for by the customer", "confirmation": "redact", **fields}
    return redact(actor=house.actor("operator", "admin"), **given)


def clear_columns(tenant_id: uuid.UUID) -> dict[str, str]:
    """Every encrypted column of the tenant, decrypted."""
    found = {}
    with tenant_transaction(tenant_id):
        for model in apps.get_models():
            if not issubclass(model, TenantModel):
                continue
            for field in model._meta.concrete_fields:
                if isinstance(field, EncryptedTextField):
                    rows = model._default_manager.values_list("pk", field.name)
                    found |= {f"{model.__name__}.{field.name} {pk}": str(text) for pk, text in rows if text}
    return found


def everywhere(house: House, *words: str) -> dict[str, list[str]]:
    """Where they stand in anything that is stored, in any of the forms in which it might."""
    texts = {**database_dump(connection.settings_dict["NAME"]), **valkey_dump(), **clear_columns(house.id)}
    forms: list[str] = []
    for word in words:
        forms.append(word)
        for shift in range(3):
            # Base64 of a longer text holds one of three forms of it.
            raw = base64.b64encode(b" " * shift + word.encode()).decode()
            # Few characters of it stand in many texts.
            forms += [form for form in [raw[(0, 2, 3)[shift] : -4]] if len(form) >= 5]
    return places_of(forms, texts)
