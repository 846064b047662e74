"""Import: many memories in few statements, screened, each text once, nothing that was forgotten, found like any other."""

from __future__ import annotations

import uuid

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from accounts.models import AuditEntry
from memories.core.names import LENGTH_TERM
from memories.core.outcomes import Reason
from memories.core.text.lexical import terms
from memories.models import Embedding, Evidence, Memory, MemoryVersion, Posting
from memories.services.forget import forget
from memories.services.import_memories import BATCH, Given, import_memories
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


def test_each_memory_is_answered_with_a_reason_code_in_its_place(user: Actor, subject_id: uuid.UUID) -> None:
    known = keep(user, subject_id, TEXTS[0])
    gone = keep(user, subject_id, TEXTS[1])
    assert gone.memory_id is not None
    with tenant_transaction(user.tenant_id):
        said_at = Memory.objects.get(id=gone.memory_id).said_at
    forget(actor=user, memory_id=gone.memory_id)
    done = import_memories(
        actor=user,
        subject_id=subject_id,
        memories=[
            Given("My password is hunter2-Blue-77."),
            Given(TEXTS[0]),
            Given(TEXTS[1], said_at=said_at),
            Given(TEXTS[2]),
            Given(TEXTS[2] + "  "),
        ],
    )
    assert [(one.code, one.rule) for one in done.outcomes] == [
        (Reason.BLOCKED_SENSITIVE, "pii.block"),
        (Reason.DUPLICATE, "import.given"),
        (Reason.NOT_WORTH_KEEPING, "forget.text"),
        (Reason.STORED, "import.given"),
        (Reason.DUPLICATE, "import.given"),
    ]
    with tenant_transaction(user.tenant_id):
        new = Memory.objects.get(content=TEXTS[2])
    ids = [one.memory_id for one in done.outcomes]
    assert ids == [None, known.memory_id, None, new.id, new.id]
    assert not any("hunter2" in word for one in done.outcomes for word in one.reasons)


def test_many_batches_are_kept_each_with_its_own_vector_and_a_second_run_only_finds_them(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    texts = [f"Box {at} holds the letters of year {1000 + at}." for at in range(2 * BATCH + 3)]
    texts[BATCH + 1] = "My password is hunter2-Blue-77."
    vectors = embedder.embed(texts, kind="passage")
    memories = [Given(text, tags=["old", f"t{at}"], metadata={"at": at}) for at, text in enumerate(texts)]
    done = import_memories(actor=user, subject_id=subject_id, memories=memories, vectors=vectors)
    assert (done.stored, done.sensitive) == (2 * BATCH + 2, 1)
    with tenant_transaction(user.tenant_id):
        for at in (0, BATCH - 1, BATCH, BATCH + 2, 2 * BATCH + 2):
            memory = Memory.objects.get(id=done.outcomes[at].memory_id)
            assert (memory.content, memory.tags, memory.metadata) == (
                texts[at],
                ["old", f"t{at}"],
                {"at": at},
            )
            assert np.allclose(Embedding.objects.get(item_id=memory.id).vector, vectors[at], atol=1e-3)
            wanted = terms(texts[at])
            found = dict(Posting.objects.filter(item_id=memory.id).values_list("term", "frequency"))
            assert found.pop(LENGTH_TERM) == 1
            assert found == wanted
        assert AuditEntry.objects.filter(action="memory.imported").count() == 3
    again = import_memories(actor=user, subject_id=subject_id, memories=memories, vectors=vectors)
    assert (again.stored, again.known, again.sensitive) == (0, 2 * BATCH + 2, 1)
    assert [one.memory_id for one in again.outcomes] == [one.memory_id for one in done.outcomes]


def test_bad_input_in_a_later_batch_leaves_the_batches_before_it(user: Actor, subject_id: uuid.UUID) -> None:
    memories = [Given(f"Box {at} holds the letters of year {1000 + at}.") for at in range(BATCH)]
    with pytest.raises(Invalid):
        import_memories(actor=user, subject_id=subject_id, memories=[*memories, Given("")])
    with tenant_transaction(user.tenant_id):
        assert Memory.objects.of(subject_id).count() == BATCH


def test_what_is_imported_stays_in_its_tenant(
    user: Actor, subject_id: uuid.UUID, globex: House, embedder: WordEmbedder
) -> None:
    vectors = embedder.embed(TEXTS, kind="passage")
    import_memories(
        actor=user, subject_id=subject_id, memories=[Given(text) for text in TEXTS], vectors=vectors
    )
    with tenant_transaction(globex.id):
        for model in (Memory, MemoryVersion, Evidence, Embedding, Posting):
            assert model.objects.count() == 0
    with tenant_transaction(user.tenant_id):
        assert Memory.objects.of(subject_id).count() == len(TEXTS)
