"""Remembering: what is kept, with what beside it, and what every refusal answers."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry
from memories.models import Approval, Evidence, Fact, Memory, MemoryVersion
from memories.ports import FixedClock
from memories.services.approve import decide_approval
from memories.services.jobs import run_due
from memories.services.policies import set_policy
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound
from tests.memories.services.conftest import WordEmbedder
from tests.memories.services.helpers import current, indexed, keep, memory_of
from tests.support.people import House

pytestmark = pytest.mark.django_db


def test_a_given_text_is_kept_with_version_evidence_index_and_audit(
    user: Actor, subject_id: uuid.UUID
) -> None:
    turn_id = uuid.uuid4()
    outcome = keep(
        user, subject_id, "The staging server is called heron", kind="fact", turn_id=turn_id, tags=["ops"]
    )
    assert outcome.code == "stored"
    memory = memory_of(user, outcome.memory_id)
    assert (memory.content, memory.kind, memory.tags, memory.version) == (
        "The staging server is called heron",
        "fact",
        ["ops"],
        1,
    )
    assert indexed(user, memory.id) == (True, True)
    with tenant_transaction(user.tenant_id):
        [version] = MemoryVersion.objects.filter(memory_id=memory.id)
        assert (version.number, version.change, version.actor_id, version.turn_id) == (
            1,
            "created",
            user.id,
            turn_id,
        )
        [evidence] = Evidence.objects.filter(memory_id=memory.id)
        assert (evidence.turn_id, evidence.quote) == (turn_id, memory.content)
        entry = AuditEntry.objects.order_by("-seq").first()
        assert entry is not None and entry.changes[0]["target_id"] == str(memory.id)
        assert "heron" not in str(entry.changes)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我现在住在苏州", ("user", "home", "苏州")),
        ("My favorite color is teal", ("user", "favorite_color", "teal")),
    ],
)
def test_a_statement_is_kept_with_its_structured_fact(
    user: Actor, subject_id: uuid.UUID, text: str, fact: tuple[str, str, str]
) -> None:
    [outcome] = remember(actor=user, subject_id=subject_id, content=text)
    assert outcome.code == "stored"
    with tenant_transaction(user.tenant_id):
        [row] = Fact.objects.filter(memory_id=outcome.memory_id)
        assert row.entity == fact[0]
        assert row.value == fact[2]


@pytest.mark.parametrize("text", ["Thanks a lot!", "好的,谢谢", "哈哈哈"])
def test_courtesies_are_answered_as_not_worth_keeping(user: Actor, subject_id: uuid.UUID, text: str) -> None:
    [outcome] = remember(actor=user, subject_id=subject_id, content=text)
    assert (outcome.code, outcome.memory_id) == ("not_worth_keeping", None)
    assert outcome.rule
    assert current(user, subject_id) == []


def test_a_secret_is_refused_before_anything_is_stored_or_embedded(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    [outcome] = remember(
        actor=user, subject_id=subject_id, content="my password is hunter2-Zx9!", infer=False
    )
    assert outcome.code == "blocked_sensitive"
    assert current(user, subject_id) == []
    assert embedder.calls == []
    with tenant_transaction(user.tenant_id):
        entry = AuditEntry.objects.order_by("-seq").first()
        assert entry is not None and entry.action == "memory.blocked_sensitive"
        assert "hunter2" not in str(entry.changes)


def test_a_card_number_is_masked_everywhere(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    outcome = keep(user, subject_id, "公司的卡号是 6222021234567890128", kind="fact")
    memory = memory_of(user, outcome.memory_id)
    assert "6222021234567890128" not in memory.content
    with tenant_transaction(user.tenant_id):
        rows = [*MemoryVersion.objects.values_list("content"), *Evidence.objects.values_list("quote")]
        rows += list(Fact.objects.values_list("value"))
    assert "6222021234567890128" not in str(rows)
    assert "6222021234567890128" not in str(embedder.calls)


def test_what_stands_beside_the_text_is_screened_like_it(user: Actor, subject_id: uuid.UUID) -> None:
    outcome = keep(
        user,
        subject_id,
        "Nora likes tea",
        tags=["card 4111 1111 1111 1111"],
        metadata={"paid": {"with": ["4111111111111111"]}, "4111111111111111": True, "shelf": 12},
        speaker="4111111111111111",
    )
    memory = memory_of(user, outcome.memory_id)
    assert memory.tags == ["card [card ••1111]"]
    assert memory.metadata == {"paid": {"with": ["[card ••1111]"]}, "[card ••1111]": True, "shelf": 12}
    assert memory.speaker == "[card ••1111]"
    with tenant_transaction(user.tenant_id):
        assert "41111111" not in str(list(MemoryVersion.objects.values_list("state", flat=True)))


@pytest.mark.parametrize(
    "beside",
    [
        {"tags": ["password: hunter2xyz"]},
        {"metadata": {"password": "hunter2xyz"}},
        {"speaker": "password: hunter2xyz"},
        {"kind": "constraint", "key": "password: hunter2xyz"},
    ],
)
def test_a_secret_beside_the_text_is_refused(
    user: Actor, subject_id: uuid.UUID, beside: dict[str, Any]
) -> None:
    assert keep(user, subject_id, "Nora likes tea", **beside).code == "blocked_sensitive"
    assert current(user, subject_id) == []


@pytest.fixture
def strict(acme: House) -> None:
    set_policy(
        actor=acme.actor("admin"), overrides={"pii.action.phone": "encrypt"}, note="phones are private"
    )


@pytest.mark.usefixtures("strict")
def test_what_the_policy_encrypts_waits_for_a_yes_and_is_then_recallable_by_its_mask(
    user: Actor, subject_id: uuid.UUID
) -> None:
    [outcome] = remember(actor=user, subject_id=subject_id, content="记住我的手机号是 13812345678")
    assert outcome.code == "needs_approval"
    memory = memory_of(user, outcome.memory_id)
    assert (memory.kind, memory.status, memory.pinned) == ("sensitive", "pending", False)
    assert "13812345678" not in memory.content
    with tenant_transaction(user.tenant_id):
        stored = Memory.objects.get(id=memory.id)
        assert "13812345678" in stored.content_encrypted
        assert not Fact.objects.filter(memory_id=memory.id).exists()
        [approval] = Approval.objects.all()
    assert indexed(user, memory.id) == (False, False)
    decide_approval(actor=user, approval_id=approval.id, approve=True)
    assert memory_of(user, memory.id).status == "current"
    assert indexed(user, memory.id) == (True, True)


@pytest.mark.usefixtures("strict")
def test_a_refused_sensitive_memory_is_gone_from_everything_but_its_tombstone(
    user: Actor, subject_id: uuid.UUID
) -> None:
    [outcome] = remember(
        actor=user, subject_id=subject_id, content="My phone number is 13812345678, remember it"
    )
    with tenant_transaction(user.tenant_id):
        [approval] = Approval.objects.all()
    decide_approval(actor=user, approval_id=approval.id, approve=False)
    memory = memory_of(user, outcome.memory_id)
    assert memory.status == "forgotten"
    assert indexed(user, memory.id) == (False, False)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"content": "  \0 "}, "content"),
        ({"content": "x" * 20_001}, "content"),
        ({"kind": "gossip"}, "kind"),
        ({"importance": 1.5}, "importance"),
        ({"importance": float("nan")}, "importance"),
        ({"tags": ["x" * 65]}, "tags"),
        ({"metadata": {"a": object()}}, "metadata"),
        ({"scope": "agent"}, "agent_id"),
        ({"key": "k", "kind": "fact"}, "key"),
        ({"kind": "sensitive", "pinned": True}, "pinned"),
        ({"source": "rumour"}, "source"),
    ],
)
def test_bad_input_names_the_field(
    user: Actor, subject_id: uuid.UUID, changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(Invalid) as caught:
        remember(**{"actor": user, "subject_id": subject_id, "content": "something", **changes})
    assert field in caught.value.fields


def test_an_end_in_the_past_is_refused(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    with pytest.raises(Invalid) as caught:
        keep(user, subject_id, "soon over", expires_at=clock.now() - timedelta(seconds=1))
    assert "expires_at" in caught.value.fields


def test_nul_characters_are_dropped(user: Actor, subject_id: uuid.UUID) -> None:
    outcome = keep(user, subject_id, "a\0b c")
    assert memory_of(user, outcome.memory_id).content == "ab c"


def test_nobody_writes_into_a_colleagues_or_another_tenants_memory(acme: House, globex: House) -> None:
    with pytest.raises(NotFound):
        keep(acme.actor("user"), acme.subjects["other"], "not mine to say")
    with pytest.raises(NotFound):
        keep(acme.actor("admin"), globex.subjects["user"], "not ours to say")
    for house in (acme, globex):
        with tenant_transaction(house.id):
            assert not Memory.objects.exists()


def test_a_write_while_the_embedder_is_down_is_kept_and_embedded_later(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder, clock: FixedClock
) -> None:
    embedder.down = True
    outcome = keep(user, subject_id, "The depot opens at six")
    assert outcome.code == "stored"
    assert indexed(user, outcome.memory_id) == (False, True)
    run_due(user.tenant_id)
    assert indexed(user, outcome.memory_id) == (False, True)
    embedder.down = False
    clock.advance(minutes=5)
    run_due(user.tenant_id)
    assert indexed(user, outcome.memory_id) == (True, True)


def test_a_paused_subject_learns_nothing_more(user: Actor, subject_id: uuid.UUID) -> None:
    from accounts.models import Subject
    from tests.memories.services.helpers import say

    with tenant_transaction(user.tenant_id):
        Subject.objects.filter(id=subject_id).update(memory_paused=True)
    [outcome] = say(user, subject_id, "我喜欢喝美式咖啡")
    assert (outcome.code, outcome.rule) == ("not_worth_keeping", "subject.paused")
