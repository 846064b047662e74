"""What is told: one event for each change, whoever made it, with ids and codes, and content only where all allow it."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest

from accounts.actor import Actor, system_actor
from memories.core.webhooks import Event
from memories.models import Approval, Contradiction, Erasure, Memory, Webhook, WebhookDelivery
from memories.ports import FixedClock
from memories.services import policies
from memories.services.approve import decide_approval
from memories.services.carry_out_erasure import carry_out
from memories.services.edit import edit
from memories.services.erase_subject import erase_subject
from memories.services.forget import forget
from memories.services.redact import redact
from memories.services.resolve import resolve
from memories.services.restore import restore
from memories.services.sweep import sweep
from memories.services.webhooks.change_webhook import change_webhook
from memories.services.webhooks.create_webhook import create_webhook
from memories.services.webhooks.keep import keep_webhooks
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, PermissionDenied
from tests.memories.services.helpers import keep, say
from tests.memories.webhooks.conftest import rounds
from tests.support.people import House
from tests.support.receiver import Receiver

pytestmark = pytest.mark.django_db

SECRET_WORDS = "The spare key lies under the blue pot."


def told(house: House) -> list[tuple[str, uuid.UUID | None]]:
    """(event, memory) of everything so far, in order."""
    with tenant_transaction(house.id):
        rows = WebhookDelivery.objects.order_by("seq")
        return list(rows.values_list("event", "memory_ref"))


def kept(actor: Actor, subject_id: uuid.UUID, content: str = SECRET_WORDS, **changes: Any) -> uuid.UUID:
    found = keep(actor, subject_id, content, **changes).memory_id
    assert found is not None
    return found


def policy(admin: Actor, overrides: dict[str, object]) -> None:
    """In force at once: what a process remembers of it goes with the commit, which a test does not have."""
    policies.set_policy(actor=admin, overrides=overrides)
    policies.forget_cached()


@pytest.fixture
def admin(acme: House) -> Actor:
    return acme.actor("admin", "rest")


def test_storing_forgetting_and_bringing_back(
    acme: House, hook: Any, user: Actor, subject_id: uuid.UUID
) -> None:
    memory_id = kept(user, subject_id)
    forget(actor=user, memory_id=memory_id)
    restore(actor=user, memory_id=memory_id)
    assert told(acme) == [
        (Event.STORED, memory_id),
        (Event.FORGOTTEN, memory_id),
        (Event.STORED, memory_id),
    ]


def test_a_repeat_is_no_event_and_an_edit_is_one(
    acme: House, hook: Any, user: Actor, subject_id: uuid.UUID
) -> None:
    memory_id = kept(user, subject_id)
    kept(user, subject_id)
    assert len(told(acme)) == 1
    edit(actor=user, memory_id=memory_id, content="The spare key lies in the shed.")
    assert told(acme)[1:] == [(Event.STORED, memory_id)]


def test_a_later_word_supersedes(acme: House, hook: Any, user: Actor, subject_id: uuid.UUID) -> None:
    [old] = say(user, subject_id, "I live in Berlin.")
    [new] = say(user, subject_id, "I moved to Hamburg, I live in Hamburg now.")
    assert (Event.SUPERSEDED, old.memory_id) in told(acme)
    assert (Event.STORED, new.memory_id) in told(acme)
    with tenant_transaction(acme.id):
        row = WebhookDelivery.objects.get(event=Event.SUPERSEDED)
    assert row.detail["superseded_by"] == str(new.memory_id)


def test_a_contradiction_is_opened_and_resolved(
    acme: House, hook: Any, user: Actor, admin: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    one, two = kept(user, subject_id, "Ada likes tea."), kept(user, subject_id, "Ben drinks coffee.")
    with tenant_transaction(acme.id):
        made = Contradiction.objects.create(
            subject_id=subject_id, older_id=one, newer_id=two, opened_at=clock.now(), slot_key="user/drink"
        )
    resolve(actor=user, contradiction_id=made.pk, resolution="keep_new")
    assert [event for event, _ in told(acme)[2:]] == [Event.OPENED, Event.SUPERSEDED, Event.RESOLVED]
    with tenant_transaction(acme.id):
        row = WebhookDelivery.objects.get(event=Event.RESOLVED)
    assert (row.other_ref, row.subject_ref) == (made.pk, subject_id)
    assert row.detail["resolution"] == "keep_new"
    assert "slot_key" not in row.detail


def test_a_sweep_tells_of_each_memory_that_went(
    acme: House, hook: Any, user: Actor, subject_id: uuid.UUID, system: Actor, clock: FixedClock
) -> None:
    gone = [
        kept(user, subject_id, f"Parking place {at} today.", expires_at=clock.now() + timedelta(hours=1))
        for at in range(3)
    ]
    clock.advance(hours=2)
    sweep(actor=system)
    assert {memory for event, memory in told(acme) if event == Event.SWEPT} == set(gone)


def test_a_redaction_and_an_erasure_are_told(
    acme: House, hook: Any, admin: Actor, user: Actor, subject_id: uuid.UUID
) -> None:
    memory_id = kept(user, subject_id)
    redact(actor=acme.actor("operator", "admin"), reason="by law", confirmation="redact", memory_id=memory_id)
    assert told(acme)[1:] == [(Event.REDACTED, memory_id)]
    asked = erase_subject(actor=admin, subject_id=subject_id)
    carry_out(actor=system_actor(acme.id), erasure_id=asked.pk)
    assert told(acme)[-1][0] == Event.ERASED
    with tenant_transaction(acme.id):
        row = WebhookDelivery.objects.get(event=Event.ERASED)
        assert Erasure.objects.get(pk=row.other_ref).subject_ref == row.subject_ref == subject_id


def test_only_what_was_asked_for_and_only_while_enabled(
    acme: House, hook: tuple[Webhook, str], admin: Actor, user: Actor, subject_id: uuid.UUID
) -> None:
    change_webhook(actor=admin, webhook_id=hook[0].pk, events=[Event.FORGOTTEN])
    memory_id = kept(user, subject_id)
    assert told(acme) == []
    forget(actor=user, memory_id=memory_id)
    assert told(acme) == [(Event.FORGOTTEN, memory_id)]
    change_webhook(actor=admin, webhook_id=hook[0].pk, enabled=False, events=[])
    kept(user, subject_id, "The bicycle stands in the yard.")
    assert len(told(acme)) == 1


def test_another_tenant_is_told_nothing(
    acme: House, globex: House, hook: Any, post_box: Receiver, clock: FixedClock
) -> None:
    kept(globex.actor("user"), globex.subjects["user"])
    assert told(acme) == []
    assert rounds(acme, clock) == rounds(globex, clock) == 0
    assert post_box.messages == []


def test_content_is_never_stored_in_the_outbox_nor_sent_unasked(
    acme: House, hook: Any, user: Actor, subject_id: uuid.UUID, post_box: Receiver, clock: FixedClock
) -> None:
    kept(user, subject_id, metadata={"colour": "ultramarine"}, tags=["household"])
    with tenant_transaction(acme.id):
        row = WebhookDelivery.objects.values().get()
    assert "blue pot" not in str(row)
    rounds(acme, clock)
    [message] = post_box.taken
    assert not any(word in message.body for word in (b"blue pot", b"ultramarine", b"household"))
    assert message.data["data"]["subject"]["external_id"] == str(acme.user_of("user").pk)
    assert message.data["data"].keys() == {"subject", "memory_id", "version", "change", "rule", "kind"}


@pytest.fixture
def with_content(acme: House, hook: tuple[Webhook, str], admin: Actor) -> tuple[Webhook, str]:
    policy(admin, {"webhooks.content": "on"})
    change_webhook(actor=admin, webhook_id=hook[0].pk, with_content=True)
    return hook


def sent(post_box: Receiver) -> list[dict[str, Any]]:
    return [one.data["data"] for one in post_box.taken]


def test_content_is_sent_where_the_endpoint_asks_and_the_policy_allows(
    acme: House,
    with_content: Any,
    admin: Actor,
    user: Actor,
    subject_id: uuid.UUID,
    post_box: Receiver,
    clock: FixedClock,
) -> None:
    kept(user, subject_id)
    rounds(acme, clock)
    policy(admin, {})
    kept(user, subject_id, "The bicycle stands in the yard.")
    rounds(acme, clock)
    first, second = sent(post_box)
    assert first["content"] == SECRET_WORDS
    assert (second["content"], second["content_left_out"]) == (None, "policy")


@pytest.mark.parametrize("how", ["forget", "redact"])
def test_what_went_before_it_was_delivered_goes_without_content(
    how: str,
    acme: House,
    with_content: Any,
    user: Actor,
    subject_id: uuid.UUID,
    post_box: Receiver,
    clock: FixedClock,
) -> None:
    memory_id = kept(user, subject_id)
    post_box.answer = lambda data: 503
    rounds(acme, clock, 3)
    post_box.messages.clear()
    if how == "forget":
        forget(actor=user, memory_id=memory_id)
    else:
        redact(
            actor=acme.actor("operator", "admin"),
            reason="by law",
            confirmation="redact",
            memory_id=memory_id,
        )
    post_box.answer = lambda data: 200
    rounds(acme, clock, 3)
    first, second = post_box.taken
    assert (first.data["type"], first.data["data"]["content_left_out"]) == (Event.STORED, "gone")
    assert second.data["type"] in {Event.FORGOTTEN, Event.REDACTED}
    assert b"blue pot" not in first.body + second.body


def test_words_that_were_redacted_out_of_a_memory_are_not_sent(
    acme: House,
    with_content: Any,
    user: Actor,
    subject_id: uuid.UUID,
    post_box: Receiver,
    clock: FixedClock,
) -> None:
    kept(user, subject_id)
    redact(
        actor=acme.actor("operator", "admin"),
        reason="by law",
        confirmation="redact",
        subject_id=subject_id,
        words=["blue pot"],
    )
    rounds(acme, clock, 3)
    assert [one.data["type"] for one in post_box.taken] == [Event.STORED, Event.REDACTED]
    assert not any(b"blue pot" in one.body for one in post_box.taken)


@pytest.mark.parametrize("action", ["mask", "encrypt"])
def test_what_is_masked_or_sealed_is_never_sent(
    action: str,
    acme: House,
    with_content: Any,
    admin: Actor,
    user: Actor,
    subject_id: uuid.UUID,
    post_box: Receiver,
    clock: FixedClock,
) -> None:
    policy(admin, {"webhooks.content": "on", "pii.action.card": action})
    kept(user, subject_id, "My card is 4111 1111 1111 1111.")
    rounds(acme, clock, 2)
    messages = sent(post_box)
    assert len(messages) == 1
    assert (messages[0]["content"], messages[0]["content_left_out"]) == (None, "sensitive")


def test_what_waits_for_a_yes_is_told_when_it_has_one(
    acme: House, hook: Any, admin: Actor, user: Actor, subject_id: uuid.UUID
) -> None:
    policy(admin, {"pii.action.phone": "ask"})
    said = ("My phone number is 13812345678.", "My sister's phone number is 13987654321.")
    waiting = [one.memory_id for text in said for one in say(user, subject_id, text)]
    assert len(waiting) == 2
    assert told(acme) == []
    for memory_id, yes in zip(waiting, (True, False), strict=True):
        with tenant_transaction(acme.id):
            approval = Approval.objects.get(memory_id=memory_id)
            assert Memory.objects.get(pk=memory_id).status == "pending"
        decide_approval(actor=user, approval_id=approval.pk, approve=yes)
    # Of the one that was refused nobody ever heard.
    assert told(acme) == [(Event.STORED, waiting[0])]


def test_content_needs_the_policy_and_the_right_to_read(acme: House, local: None, admin: Actor) -> None:
    url = "http://127.0.0.1:9/hook"
    with pytest.raises(Invalid) as caught:
        create_webhook(actor=admin, url=url, with_content=True)
    assert caught.value.fields.keys() == {"with_content"}
    policy(admin, {"webhooks.content": "on"})
    blind = Actor(acme.id, "api_key", "k", "rest", frozenset({"keys_write"}))  # type: ignore[arg-type]
    with pytest.raises(PermissionDenied):
        create_webhook(actor=blind, url=url, with_content=True)
    assert create_webhook(actor=admin, url=url, with_content=True)[0].with_content


def test_endpoints_are_limited_and_so_is_what_waits(
    acme: House,
    hook: tuple[Webhook, str],
    admin: Actor,
    user: Actor,
    subject_id: uuid.UUID,
    post_box: Receiver,
    clock: FixedClock,
    settings: Any,
) -> None:
    settings.WEBHOOKS_PER_TENANT, settings.WEBHOOK_PENDING = 1, 4
    with pytest.raises(Conflict):
        create_webhook(actor=admin, url=post_box.url)

    def state() -> str:
        keep_webhooks(actor=system_actor(acme.id))
        with tenant_transaction(acme.id):
            return str(Webhook.objects.values_list("state", flat=True).get())

    for at in range(4):
        kept(user, subject_id, f"The spare key number {at} lies under pot {at}.")
    assert state() == "full"
    kept(user, subject_id, "The bicycle stands in the yard.")
    assert len(told(acme)) == 4
    # What waits goes out, then it takes in again; that something is missing stays to be seen.
    assert rounds(acme, clock) == 4
    assert state() == "enabled"
    with tenant_transaction(acme.id):
        assert Webhook.objects.get().lost_since is not None
    kept(user, subject_id, "The ladder stands in the cellar.")
    assert len(told(acme)) == 5
