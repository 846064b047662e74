"""A tenant and a subject to search in."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from memoryhub.common.db import tenant_transaction
from tests.support import factories


@pytest.fixture
def tenant_id(db: None) -> uuid.UUID:
    return factories.make_tenant()


@pytest.fixture
def subject_id(tenant_id: uuid.UUID) -> uuid.UUID:
    return factories.make_subject(tenant_id)


@pytest.fixture
def in_tenant(tenant_id: uuid.UUID) -> Iterator[None]:
    with tenant_transaction(tenant_id):
        yield
