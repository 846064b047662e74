"""Another embedder on a live store: filled beside the old one, switched to at once, rolled back, dropped."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from io import StringIO
from types import SimpleNamespace

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from accounts.actor import Actor, system_actor
from memories import tasks
from memories.adapters import factory
from memories.adapters.embedding_local import LocalEmbedder
from memories.adapters.embedding_openai import OpenAIEmbedder
from memories.models import Embedding, EmbeddingSpace, Job
from memories.ports import (
    EmbedderIdentity,
    EmbedderUnavailable,
    EmbeddingKind,
    EmbeddingRefused,
    FixedClock,
    Vectors,
)
from memories.services import embedding_space, index_pending
from memories.services.edit import edit
from memories.services.forget import forget
from memories.services.jobs import claim, run_due
from memories.services.recall import recall
from memories.services.reembedding.adopt import adopt_settings
from memories.services.reembedding.drop import drop_generation, drop_retired
from memories.services.reembedding.progress import missing_in, progress
from memories.services.reembedding.start import start_generation
from memories.services.reembedding.switch import roll_back, switch_generation
from memories.services.store_vectors import store_vectors
from memories.store.index import Indexed
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid
from tests.memories.services.conftest import WordEmbedder
from tests.memories.services.helpers import keep
from tests.support.people import House
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db


class Wider(WordEmbedder):
    """The next embedder: other vectors, of another dimension."""

    identity = EmbedderIdentity("words", "1", 96)

    def __init__(self) -> None:
        super().__init__()
        self.refuses = ""

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        if self.refuses and any(self.refuses in text for text in texts):
            raise EmbeddingRefused("one of them")
        return super().embed(texts, kind=kind)


@pytest.fixture
def wider() -> Iterator[Wider]:
    embedder = Wider()
    with factory.override(next_embedder=embedder):
        yield embedder


@pytest.fixture
def kept(user: Actor, subject_id: uuid.UUID) -> list[uuid.UUID]:
    """Five memories, embedded by the first embedder."""
    found = [
        keep(user, subject_id, f"Crate {number} holds {what}").memory_id
        for number, what in enumerate(("copper pipes", "paint", "ropes", "lamps", "saw blades"))
    ]
    return [memory_id for memory_id in found if memory_id is not None]


def dims(tenant_id: uuid.UUID) -> dict[int, int]:
    """Number of vectors by dimension."""
    with tenant_transaction(tenant_id):
        found: dict[int, int] = {}
        for vector in Embedding.objects.values_list("vector", flat=True):
            width = len(vector)
            found[width] = found.get(width, 0) + 1
        return found


def states() -> dict[int, str]:
    return dict(EmbeddingSpace.objects.values_list("dimension", "state"))


def asks(user: Actor, subject_id: uuid.UUID) -> str:
    """The best answer to a question that shares words with one memory; dense, not by words alone."""
    result = recall(actor=user, subject_id=subject_id, query="which crate has the saw blades?", k=1)
    assert result.degraded == ""
    assert result.items[0].parts["cosine"] > 0.3
    return result.items[0].text


def test_from_start_to_drop_recall_answers_and_each_step_is_where_it_says(
    acme: House,
    user: Actor,
    subject_id: uuid.UUID,
    kept: list[uuid.UUID],
    wider: Wider,
    embedder: WordEmbedder,
) -> None:
    best = asks(user, subject_id)
    start_generation()
    assert states() == {64: "active", 96: "building"}
    with pytest.raises(Conflict, match="5 items"):
        switch_generation()
    assert asks(user, subject_id) == best
    run_due(acme.id)
    assert dims(acme.id) == {64: 5, 96: 5}
    assert asks(user, subject_id) == best and wider.calls and all(len(call) <= 5 for call in wider.calls)
    switch_generation()
    assert states() == {64: "standby", 96: "active"}
    asked_before = len(embedder.calls)
    assert asks(user, subject_id) == best
    assert len(embedder.calls) == asked_before
    roll_back()
    assert states() == {64: "active", 96: "standby"}
    assert asks(user, subject_id) == best
    roll_back()
    drop_generation()
    assert states() == {64: "retired", 96: "active"}
    tasks.index_pending()
    run_due(acme.id)
    assert dims(acme.id) == {96: 5}
    assert asks(user, subject_id) == best


def test_what_is_written_meanwhile_reaches_both_and_what_is_forgotten_leaves_both(
    acme: House, user: Actor, subject_id: uuid.UUID, kept: list[uuid.UUID], wider: Wider
) -> None:
    start_generation()
    run_due(acme.id)
    new = keep(user, subject_id, "Crate 9 holds anchors").memory_id
    assert new is not None
    run_due(acme.id)
    assert dims(acme.id) == {64: 6, 96: 6}
    edit(actor=user, memory_id=new, content="Crate 9 holds chains")
    run_due(acme.id)
    with tenant_transaction(acme.id):
        [wide] = [
            np.asarray(row.vector) for row in Embedding.objects.filter(item_id=new) if len(row.vector) == 96
        ]
    assert np.allclose(wide, wider.embed(["Crate 9 holds chains"], kind="passage")[0], atol=1e-3)
    switch_generation()
    keep(user, subject_id, "Crate 10 holds nets")
    run_due(acme.id)
    assert dims(acme.id) == {64: 7, 96: 7}, "the one that stands by is kept up to date"
    forget(actor=user, memory_id=new)
    assert dims(acme.id) == {64: 6, 96: 6}


def test_a_killed_run_goes_on_where_it_was_and_embeds_nothing_twice(
    acme: House,
    user: Actor,
    kept: list[uuid.UUID],
    wider: Wider,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(index_pending, "BATCH", 2)
    start_generation()
    real = index_pending.put_vectors
    stored: list[int] = []

    def dies(space_id: int, items: Sequence[object], vectors: Vectors) -> int:
        if len(stored) == 1:
            raise KeyboardInterrupt
        stored.append(len(items))
        return real(space_id, items, vectors)  # type: ignore[arg-type]

    monkeypatch.setattr(index_pending, "put_vectors", dies)
    with pytest.raises(KeyboardInterrupt):
        index_pending.index_pending(actor=system_actor(acme.id))
    monkeypatch.setattr(index_pending, "put_vectors", real)
    assert dims(acme.id)[96] == 2
    assert index_pending.index_pending(actor=system_actor(acme.id)) == 3
    texts = [text for call in wider.calls for text in call]
    assert len(texts) == 7 and len(set(texts)) == 5, "only the lost batch came twice"


def test_of_two_workers_one_has_the_job(
    acme: House, user: Actor, kept: list[uuid.UUID], wider: Wider
) -> None:
    start_generation()
    with tenant_transaction(acme.id):
        job = Job.objects.get(kind="index_pending", state="pending")
    now = factory.get_clock().now()
    assert claim(acme.id, job.id, owner="a", now=now) is not None
    assert claim(acme.id, job.id, owner="b", now=now) is None


def test_another_tenants_rows_are_filled_by_its_own_job_only(
    acme: House, globex: House, user: Actor, kept: list[uuid.UUID], wider: Wider
) -> None:
    other = globex.actor("user")
    keep(other, globex.subjects["user"], "The vault is in Basel")
    start_generation()
    run_due(acme.id)
    assert dims(acme.id) == {64: 5, 96: 5}
    assert dims(globex.id) == {64: 1}
    with pytest.raises(Conflict, match="1 items"):
        switch_generation()
    switch_generation(allowed_missing=1)
    drop_generation()
    drop_retired(actor=system_actor(acme.id))
    assert dims(acme.id) == {96: 5}
    assert dims(globex.id) == {64: 1}


def test_a_text_that_the_new_embedder_refuses_keeps_no_other_waiting(
    acme: House, user: Actor, kept: list[uuid.UUID], wider: Wider
) -> None:
    wider.refuses = "ropes"
    space = start_generation()
    run_due(acme.id)
    assert dims(acme.id) == {64: 5, 96: 4}
    assert missing_in(space.id) == 1
    switch_generation(allowed_missing=1)


def test_one_embedder_that_is_down_does_not_stop_the_other(
    acme: House,
    user: Actor,
    subject_id: uuid.UUID,
    kept: list[uuid.UUID],
    wider: Wider,
    embedder: WordEmbedder,
) -> None:
    embedder.down = True
    keep(user, subject_id, "Crate 7 holds tar")
    start_generation()
    with pytest.raises(EmbedderUnavailable):
        index_pending.index_pending(actor=system_actor(acme.id))
    assert dims(acme.id) == {64: 5, 96: 6}


def test_a_generation_of_the_bundled_models_is_found_without_asking_an_endpoint_that_is_down(
    settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    down = OpenAIEmbedder("http://127.0.0.1:9/v1", "another-model", timeout=1, sleep=asked.append)
    local = LocalEmbedder().identity
    EmbeddingSpace.objects.create(
        name=local.name, revision=local.revision, dimension=local.dim, state="active"
    )
    with factory.override(embedder=down):
        _, embedder = embedding_space.serving()
    assert embedder.identity == local and asked == []


def test_a_recall_of_the_past_survives_a_switch_in_its_middle(
    acme: House,
    user: Actor,
    subject_id: uuid.UUID,
    kept: list[uuid.UUID],
    wider: Wider,
    embedder: WordEmbedder,
    clock: FixedClock,
) -> None:
    then = clock.now()
    clock.advance(days=1)
    edit(actor=user, memory_id=kept[4], content="Crate 4 holds nothing")
    start_generation()
    run_due(acme.id)
    before = embedder.embed

    def switches(texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        vectors = before(texts, kind=kind)
        if kind == "query":
            switch_generation()
        return vectors

    embedder.embed = switches  # type: ignore[method-assign]
    result = recall(actor=user, subject_id=subject_id, query="which crate has the saw blades?", as_of=then)
    assert states() == {64: "standby", 96: "active"}
    assert result.items[0].text == "Crate 4 holds saw blades"


def test_vectors_of_another_width_are_never_stored_in_a_generation(
    acme: House, subject_id: uuid.UUID, kept: list[uuid.UUID]
) -> None:
    active = EmbeddingSpace.objects.get(state="active")
    item = Indexed("memory", kept[0], subject_id, "any")
    with pytest.raises(Invalid, match="3 dimensions"), tenant_transaction(acme.id):
        store_vectors(active.id, [item], np.asarray([[1.0, 0.0, 0.0]], dtype=np.float32))
    assert dims(acme.id) == {64: 5}


def test_progress_is_told_by_tenant_with_rate_and_time_left(
    acme: House, globex: House, user: Actor, kept: list[uuid.UUID], wider: Wider, clock: object
) -> None:
    from django.utils import timezone

    space = start_generation()
    index_pending.index_pending(actor=system_actor(acme.id), limit=2)
    rows = {row.slug: row for row in progress(space=space, now=timezone.now())}
    row = rows["acme"]
    assert (row.total, row.done, row.missing) == (5, 2, 3)
    assert row.rate > 0 and row.eta == pytest.approx(3 / row.rate)
    assert rows["globex"].eta == 0.0


def test_a_running_process_follows_a_switch_within_seconds(
    acme: House,
    user: Actor,
    subject_id: uuid.UUID,
    kept: list[uuid.UUID],
    wider: Wider,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: object,
) -> None:
    start_generation()
    run_due(acme.id)
    now = [1000.0]
    monkeypatch.setattr(embedding_space, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        old, _ = embedding_space.serving()
    # Another process switches: this one's memory is not told.
    EmbeddingSpace.objects.filter(state="active").update(state="standby")
    EmbeddingSpace.objects.filter(state="building").update(state="active")
    assert embedding_space.serving()[0] == old
    now[0] += 2.1
    new, asked = embedding_space.serving()
    assert new != old and asked.identity.dim == 96


def test_it_takes_over_by_itself_when_it_was_told_to_and_is_complete(
    acme: House, user: Actor, kept: list[uuid.UUID], wider: Wider
) -> None:
    start_generation(switches_itself=True)
    tasks.index_pending()
    assert states() == {64: "active", 96: "building"}
    run_due(acme.id)
    tasks.index_pending()
    assert states() == {64: "standby", 96: "active"}


def test_settings_with_a_new_embedder_start_a_generation_while_the_old_one_can_answer(
    acme: House, user: Actor, subject_id: uuid.UUID, kept: list[uuid.UUID], embedder: WordEmbedder
) -> None:
    wider = Wider()
    with factory.override(embedder=wider, next_embedder=embedder):
        assert "takes over when" in adopt_settings()
        assert adopt_settings() == ""
        assert states() == {64: "active", 96: "building"}
        assert asks(user, subject_id)
        run_due(acme.id)
        tasks.index_pending()
        assert states() == {64: "standby", 96: "active"}


def test_settings_without_the_old_embedder_take_the_new_one_at_once(
    acme: House, user: Actor, subject_id: uuid.UUID, kept: list[uuid.UUID]
) -> None:
    with factory.override(embedder=Wider()):
        degraded = recall(actor=user, subject_id=subject_id, query="which crate has the saw blades?", k=1)
        assert degraded.degraded == "no_embedding", (
            "two processes with other settings must not switch to and fro"
        )
        assert "from now on" in adopt_settings()
        assert states() == {64: "standby", 96: "active"}
        run_due(acme.id)
        assert dims(acme.id) == {64: 5, 96: 5}
        assert asks(user, subject_id)


def test_the_command_walks_through_it_and_says_what_to_do(
    acme: House, user: Actor, kept: list[uuid.UUID], wider: Wider
) -> None:
    def said(*arguments: str) -> str:
        out = StringIO()
        call_command("reembed", *arguments, stdout=out)
        return out.getvalue()

    assert "is being filled" in said("start")
    assert "0 of 5 (0.0%)" in said("status") and "acme" in said("status")
    with pytest.raises(CommandError, match="--force 5"):
        said("switch")
    run_due(acme.id)
    assert "5 of 5 (100.0%)" in said("status")
    assert "answers now" in said("switch")
    with pytest.raises(CommandError, match="is the active embedder"):
        said("start")
    assert "answers again" in said("rollback")
    assert "dropped" in said("drop")
    assert "its vectors are being dropped" in said("status")
    with pytest.raises(CommandError, match="still being dropped"):
        said("start")
    run_due(acme.id)
    tasks.index_pending()
    run_due(acme.id)
    assert "retired" not in said("status")
    with pytest.raises(CommandError, match="answers all recalls"):
        said("drop", str(EmbeddingSpace.objects.get(state="active").pk))


@pytest.mark.django_db(transaction=True)
def test_two_switches_at_once_leave_one_active_generation(
    acme: House, user: Actor, kept: list[uuid.UUID], wider: Wider
) -> None:
    start_generation()
    run_due(acme.id)
    results = all_at_once([switch_generation] * 3)
    assert sum(isinstance(one, EmbeddingSpace) for one in results) == 1, results
    assert all(isinstance(one, EmbeddingSpace | Conflict) for one in results)
    assert states() == {64: "standby", 96: "active"}


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_leave_one_vector_an_item(
    acme: House, user: Actor, kept: list[uuid.UUID], wider: Wider
) -> None:
    start_generation()
    run = lambda: index_pending.index_pending(actor=system_actor(acme.id))  # noqa: E731
    results = all_at_once([run, run, run])
    assert not [one for one in results if isinstance(one, Exception)]
    assert dims(acme.id) == {64: 5, 96: 5}
