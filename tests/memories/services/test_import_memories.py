"""Import: many memories in few statements, screened, each text once, nothing that was forgotten, found like any other."""

from __future__ import annotations

import uuid

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from accounts.models import AuditEntry
from memories.models import Embedding, Evidence, Memory, MemoryVersion
from memories.services.forget import forget
from memories.services.import_memories import Given, import_memories
from memories.services.recall import recall
from memories.services.versioning import state_of
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound
from tests.memories.services.conftest import WordEmbedder
from tests.memories.services.helpers import keep
from tests.support.people import House

TEXTS = ["The kettle stands on the left shelf.", "蓝色的雨伞挂在门后。", "Tram nine leaves from the harbour."]


def test_what_is_imported_is_found_with_its_evidence_and_first_version(
    user: Actor, subject_id: uuid.UUID
) -> None:
    done = import_memories(actor=user, subject_id=subject_id, memories=[Given(text) for text in TEXTS])
    assert (done.stored, done.known, done.sensitive, done.forbidden) == (3, 0, 0, 0)
    found = recall(actor=user, subject_id=subject_id, query="Which tram leaves from the harbour?")
    assert found.items[0].text == TEXTS[2]
    with tenant_transaction(user.tenant_id):
        for memory in Memory.objects.of(subject_id):
            version = MemoryVersion.objects.get(memory=memory)
            assert (version.number, version.change, version.content) == (1, "created", memory.content)
            assert version.state == state_of(memory)
            assert Evidence.objects.get(memory=memory).quote == memory.content
        assert AuditEntry.objects.order_by("-seq").first().action == "memory.imported"


def test_a_text_comes_in_once(user: Actor, subject_id: uuid.UUID) -> None:
    keep(user, subject_id, TEXTS[0])
    twice = [Given(text) for text in [*TEXTS, TEXTS[1] + "  "]]
    done = import_memories(actor=user, subject_id=subject_id, memories=twice)
    assert (done.stored, done.known) == (2, 2)
    again = import_memories(actor=user, subject_id=subject_id, memories=twice)
    assert (again.stored, again.known) == (0, 4)


def test_given_vectors_are_stored_as_they_are_and_nothing_is_embedded(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    vectors = embedder.embed(list(reversed(TEXTS)), kind="passage")
    embedder.calls.clear()
    import_memories(
        actor=user, subject_id=subject_id, memories=[Given(text) for text in TEXTS], vectors=vectors
    )
    assert embedder.calls == []
    with tenant_transaction(user.tenant_id):
        first = Memory.objects.get(content=TEXTS[0])
        stored = Embedding.objects.get(item_id=first.id)
        assert np.allclose(stored.vector, vectors[0], atol=1e-3)
        assert stored.bits == "".join("1" if value > 0 else "0" for value in vectors[0])


def test_secrets_stay_out_and_are_counted(user: Actor, subject_id: uuid.UUID) -> None:
    done = import_memories(
        actor=user,
        subject_id=subject_id,
        memories=[Given("My password is hunter2-Blue-77."), Given(TEXTS[0])],
    )
    assert (done.stored, done.sensitive) == (1, 1)


def test_what_was_forgotten_does_not_come_back_with_its_old_date(
    user: Actor, subject_id: uuid.UUID, clock: object
) -> None:
    kept = keep(user, subject_id, TEXTS[0])
    assert kept.memory_id is not None
    with tenant_transaction(user.tenant_id):
        said_at = Memory.objects.get(id=kept.memory_id).said_at
    forget(actor=user, memory_id=kept.memory_id)
    done = import_memories(actor=user, subject_id=subject_id, memories=[Given(TEXTS[0], said_at=said_at)])
    assert (done.stored, done.forbidden) == (0, 1)


def test_a_hundred_memories_take_as_many_statements_as_three(user: Actor, subject_id: uuid.UUID) -> None:
    counts = []
    for number in (3, 100):
        memories = [
            Given(f"Box {number}-{at} holds the letters of year {1800 + at}.") for at in range(number)
        ]
        with CaptureQueriesContext(connection) as queries:
            import_memories(actor=user, subject_id=subject_id, memories=memories)
        counts.append(len(queries))
    assert counts[1] <= counts[0]


def test_bad_input_names_what_does_not_fit(user: Actor, subject_id: uuid.UUID) -> None:
    with pytest.raises(Invalid) as refused:
        import_memories(actor=user, subject_id=subject_id, memories=[Given("")])
    assert "content" in refused.value.fields
    with pytest.raises(Invalid) as refused:
        import_memories(
            actor=user,
            subject_id=subject_id,
            memories=[Given(TEXTS[0])],
            vectors=np.ones((2, 64), np.float32),
        )
    assert "vectors" in refused.value.fields


def test_nobody_imports_for_somebody_elses_subject(globex: House, subject_id: uuid.UUID) -> None:
    with pytest.raises(NotFound):
        import_memories(actor=globex.actor("user"), subject_id=subject_id, memories=[Given(TEXTS[0])])
