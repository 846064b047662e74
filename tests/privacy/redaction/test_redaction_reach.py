"""Redaction reaches what is written oddly, laid down by operators, or hidden while it is at work."""

from __future__ import annotations

import pytest

from accounts.models import Subject
from memories.holders import holder, holders
from memories.models import Embedding, ForgetRequest, Memory, Posting, QueuedText, Redaction, Tombstone
from memories.services.declare_constraint import declare_tenant_constraint
from memories.services.forget import forget
from memories.services.forget_by_words import forget_by_words
from memories.services.preview_redaction import preview_redaction
from memories.services.redact_everywhere import redact_everywhere
from memories.services.redact_places import SIDE
from memories.services.redact_run import step
from memories.services.remember import remember
from memories.services.remember_later import remember_later
from memories.services.restore import restore
from memories.services.undo_request import undo_request
from memories.texts import text_holders
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from sessions_app.services.compact_session import compact_session
from tests.privacy.redaction.world import LINES, VALUE, everywhere, me, redacted
from tests.sessions_app.conftest import Chat
from tests.support.people import House

pytestmark = pytest.mark.django_db(transaction=True)


def test_words_with_quotes_are_gone_from_json_too(chat: Chat, house: House) -> None:
    words = 'the "blue\\door" key'
    [made] = remember(
        actor=chat.actor, subject_id=me(chat), content=f"Mind {words} at home, always.", infer=False,
        metadata={words: {"note": [f"it is {words}"]}},
    )  # fmt: skip
    assert made.memory_id is not None
    turn = chat.say(f"I put {words} on the shelf.")
    chat.work()
    forget(actor=chat.actor, memory_id=made.memory_id)
    redacted(house, subject_id=me(chat), words=[words])
    assert everywhere(house, words, "blue\\door", "blue") == {}
    restore(actor=chat.actor, memory_id=made.memory_id)
    with tenant_transaction(house.id):
        assert Turn.objects.get(pk=turn.pk).content == "I put [redacted] on the shelf."
    assert everywhere(house, words, "blue") == {}


def test_a_rule_of_the_operators_and_a_rule_of_the_person_lose_the_words_and_still_hold(
    chat: Chat, house: House
) -> None:
    operator = house.actor("operator", "admin")
    [rule] = declare_tenant_constraint(actor=operator, content="Never name the firm Zanderling.")
    assert rule.memory_id is not None
    chat.post("My boss is Quendolin.")
    chat.post("never remember anything about Quendolin")
    with tenant_transaction(house.id):
        owner = Memory.objects.get(pk=rule.memory_id).subject_id
    redacted(house, subject_id=owner, words=["Zanderling"])
    redacted(house, subject_id=me(chat), words=["Quendolin"])
    assert everywhere(house, "Zanderling", "Quendolin") == {}
    with tenant_transaction(house.id):
        kept = Memory.objects.get(pk=rule.memory_id)
        assert (kept.content, kept.status) == ("Never name the firm [redacted].", "current")
    chat.clock.advance(minutes=1)
    [outcome] = chat.post("Quendolin plays chess.").outcomes
    assert outcome.rule == "forget.standing"


def test_where_the_external_id_holds_it_the_preview_and_the_proof_say_so(chat: Chat, house: House) -> None:
    with tenant_transaction(house.id):
        Subject.objects.filter(pk=me(chat)).update(
            external_id=f"customer-{VALUE}", display_name=f"Bo {VALUE}"
        )
    shown = preview_redaction(actor=house.actor("operator", "admin"), subject_id=me(chat), words=[VALUE])
    assert (shown.external_ids, shown.counts) == (1, {"subjects": 1})
    made = redacted(house, subject_id=me(chat), words=[VALUE])
    assert made.proof is not None and made.proof["external_ids"] == 1
    with tenant_transaction(house.id):
        assert Subject.objects.get(pk=me(chat)).display_name == "Bo [redacted]"


def test_a_whole_digest_goes_and_the_session_goes_on(chat: Chat, house: House) -> None:
    for line in LINES:
        chat.say(line)
    chat.work()
    compact_session(actor=chat.actor, session_id=chat.id, closing=True)
    with tenant_transaction(house.id):
        digest = Memory.objects.get(kind="digest")
    redacted(house, memory_id=digest.pk)
    with tenant_transaction(house.id):
        assert Memory.objects.get(pk=digest.pk).content == "[redacted]"
        assert not Embedding.objects.filter(item_id=digest.pk).exists()
        assert not Posting.objects.filter(item_id=digest.pk).exists()
    assert chat.ask("What is the budget limit?").state == "complete"


def test_what_is_forgotten_while_a_run_hides_it_can_come_back_without_the_words(
    chat: Chat, house: House
) -> None:
    turn = chat.post(f"My locker code is {VALUE} and it is blue.").user_turn
    chat.work()
    operator = house.actor("operator", "admin")
    run = redact_everywhere(actor=operator, words=[VALUE], reason="because of it", confirmation="redact")
    with tenant_transaction(house.id):
        last = str(Subject.objects.order_by("pk").values_list("pk", flat=True).last())
    while True:
        step(operator, run.pk)
        with tenant_transaction(house.id):
            place = Redaction.objects.get(pk=run.pk).place
        if place == {"phase": "hide", "after": last}:
            break
    with tenant_transaction(house.id):
        assert Turn.objects.get(pk=turn.pk).forgotten_at is not None
    forget_by_words(actor=chat.actor, subject_id=me(chat), text="forget my locker code")
    chat.work()
    while step(operator, run.pk):
        pass
    assert everywhere(house, VALUE) == {}
    with tenant_transaction(house.id):
        request = ForgetRequest.objects.first()
    if request is not None:
        undo_request(actor=chat.actor, request_id=request.pk)
        chat.work()
    assert everywhere(house, VALUE) == {}
    with tenant_transaction(house.id):
        again = Turn.objects.get(pk=turn.pk)
        assert again.content.endswith("it is blue.") and again.forgotten_at is None


def test_what_waits_to_be_remembered_loses_the_words_and_is_remembered_without(
    chat: Chat, house: House
) -> None:
    items = [
        {"content": f"The project is called {VALUE}."},
        {"content": "The oboe is in the attic", "infer": False},
    ]
    remember_later(actor=chat.actor, subject_id=me(chat), items=items)
    assert redacted(house, subject_id=me(chat), words=[VALUE]).found.get("queued texts") == 1
    with tenant_transaction(house.id):
        waiting = " ".join(str(row.given) for row in QueuedText.objects.all())
    assert VALUE not in waiting and "oboe" in waiting
    chat.work()
    assert everywhere(house, VALUE) == {}
    with tenant_transaction(house.id):
        assert Memory.objects.filter(content__contains="oboe").exists()


def test_every_column_that_holds_content_is_reached_or_is_derived() -> None:
    content = {(one.table, column) for one in holders() for column in one.columns}
    texts = {(one.table, column) for one in text_holders() for column in one.reached}
    beside = {(holder(name).table, column) for name, columns in SIDE.items() for column, _ in columns}
    undo = {(Tombstone._meta.db_table, "undo"), (ForgetRequest._meta.db_table, "undo")}
    not_reached = {
        # Made anew from the text that they were made of.
        (Posting._meta.db_table, "term"),
        (Embedding._meta.db_table, "vector"),
        # The run's own words, dropped when it is done; and what the caller's system calls the person.
        (Redaction._meta.db_table, "target"),
        (Subject._meta.db_table, "external_id"),
    }
    assert sorted(content - texts - beside - undo - not_reached) == [], "add them to SIDE in redact_places.py"
