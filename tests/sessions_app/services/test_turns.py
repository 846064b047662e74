"""Sessions and their turns: opening, recording, numbering, resending, ending."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, connections

from accounts.models import AuditEntry
from memories.models import Episode, Job, Memory
from memories.ports import FixedClock
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound
from sessions_app.core.errors import MessageIdReused, SessionEnded, SessionNotFound, TurnNotFound
from sessions_app.models import ChatSession, Turn
from sessions_app.services.end_session import end_idle_sessions, end_session
from sessions_app.services.get_turns import get_session, get_turn, get_turns
from sessions_app.services.list_sessions import list_sessions
from sessions_app.services.open_session import open_session
from sessions_app.services.post_message import post_message
from sessions_app.services.record_turn import record_turn
from sessions_app.services.rename_session import rename_session
from sessions_app.services.stop_answer import stop_answer
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House


def test_turns_are_numbered_in_the_order_in_which_they_are_said(chat: Chat) -> None:
    chat.say("第一句")
    chat.say("second", role="assistant")
    assert [(turn.seq, turn.role, turn.language) for turn in chat.turns()] == [
        (1, "user", "zh"),
        (2, "assistant", "en"),
    ]
    assert chat.reloaded().next_seq == 3


def test_a_resent_message_is_stored_once_and_answers_the_same(chat: Chat) -> None:
    first = record_turn(
        actor=chat.actor, session_id=chat.id, role="user", content="Hello", client_msg_id="a1"
    )
    again = record_turn(
        actor=chat.actor, session_id=chat.id, role="user", content="Hello", client_msg_id="a1"
    )
    assert (first.created, again.created) == (True, False)
    assert again.turn.pk == first.turn.pk
    assert len(chat.turns()) == 1


def test_the_same_message_id_with_other_words_is_a_conflict(chat: Chat) -> None:
    record_turn(actor=chat.actor, session_id=chat.id, role="user", content="Hello", client_msg_id="a1")
    with pytest.raises(MessageIdReused):
        record_turn(actor=chat.actor, session_id=chat.id, role="user", content="Bye", client_msg_id="a1")
    assert len(chat.turns()) == 1


def test_a_resend_is_recognised_although_the_stored_words_are_masked(chat: Chat) -> None:
    text = "my password is hunter2secret!"
    record_turn(actor=chat.actor, session_id=chat.id, role="user", content=text, client_msg_id="a1")
    assert not record_turn(
        actor=chat.actor, session_id=chat.id, role="user", content=text, client_msg_id="a1"
    ).created


@pytest.mark.parametrize("text", ["my password is hunter2secret!", "我的密码是 hunter2secret!"])
def test_a_secret_is_masked_before_the_first_write(chat: Chat, text: str) -> None:
    turn = chat.say(text)
    chat.work()
    assert "hunter2secret" not in turn.content
    with connection.cursor() as cursor, tenant_transaction(chat.actor.tenant_id):
        for table in ("sessions_app_turn", "memories_episode", "memories_memory", "memories_memoryversion"):
            cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE '%%hunter2secret%%'")
            assert cursor.fetchone() == (0,)


def test_a_tools_result_enters_as_a_summary_and_its_full_text_is_recallable(chat: Chat) -> None:
    text = "Row. " * 300 + "The failing order is ORD-9917."
    turn = chat.say(text, role="tool")
    chat.work()
    assert turn.tokens <= 80
    assert turn.full_content.endswith("ORD-9917.")
    with tenant_transaction(chat.actor.tenant_id):
        parts = list(Episode.objects.filter(source_id=turn.pk).values_list("text", flat=True))
    assert any("ORD-9917" in part for part in parts)


def test_a_recorded_turn_is_learnt_by_its_job_once(chat: Chat) -> None:
    turn = chat.say("记一下,这个项目的合同编号是 KX-7731。")
    assert chat.work() >= 1
    assert chat.work() == 0
    stored = get_turn(actor=chat.actor, turn_id=turn.pk)
    assert stored.learned_at is not None
    assert any(outcome["code"] == "stored" for outcome in stored.outcomes)
    with tenant_transaction(chat.actor.tenant_id):
        assert Memory.objects.filter(content__contains="KX-7731").count() == 1
        assert Episode.objects.filter(source_id=turn.pk).count() == 1


def test_a_read_only_session_keeps_nothing_for_long(chat: Chat) -> None:
    chat.new_session(mode="read_only")
    chat.say("Remember that my sister is called Wen.")
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        assert not Memory.objects.exists()
        assert not Episode.objects.exists()


@pytest.mark.parametrize("field", [{"mode": "loud"}, {"preset": "huge"}, {"mode": "private"}])
def test_an_unknown_kind_of_session_is_refused(chat: Chat, field: dict[str, str]) -> None:
    with pytest.raises(Invalid) as caught:
        chat.new_session(**field)
    assert caught.value.hint


def test_a_turn_of_an_unknown_role_or_a_time_without_zone_is_refused(chat: Chat, clock: FixedClock) -> None:
    with pytest.raises(Invalid):
        chat.say("x", role="wizard")
    with pytest.raises(Invalid):
        chat.say("x", at=clock.now().replace(tzinfo=None))


def test_a_session_is_named_after_its_first_message(chat: Chat) -> None:
    chat.say("Where is the contract? I need it.")
    chat.say("And another thing.")
    assert chat.reloaded().title == "Where is the contract?"
    rename_session(actor=chat.actor, session_id=chat.id, title="Contracts")
    assert chat.reloaded().title == "Contracts"


def test_an_ended_session_takes_no_message_and_says_what_to_do(chat: Chat) -> None:
    end_session(actor=chat.actor, session_id=chat.id, reason="closed")
    for send in (lambda: chat.post("Hello?"), lambda: chat.say("Hello?")):
        with pytest.raises(SessionEnded) as caught:
            send()
        assert "new chat" in caught.value.hint
    assert chat.turns() == []


def test_a_session_ends_after_thirty_idle_minutes_and_not_before(chat: Chat, clock: FixedClock) -> None:
    chat.say("Hello")
    clock.advance(minutes=30)
    assert end_idle_sessions(clock.now()) == 0
    clock.advance(seconds=1)
    assert end_idle_sessions(clock.now()) == 1
    assert end_idle_sessions(clock.now()) == 0
    session = chat.reloaded()
    assert (session.state, session.ended_reason) == ("ended", "idle")


def test_a_message_after_the_silence_ends_the_session_even_when_beat_has_not(
    chat: Chat, clock: FixedClock
) -> None:
    chat.say("Hello")
    clock.advance(minutes=31)
    with pytest.raises(SessionEnded):
        chat.post("Anybody there?")
    assert chat.reloaded().state == "ended"
    assert len(chat.turns()) == 1


def test_turns_with_their_own_time_are_not_refused_for_silence(chat: Chat, clock: FixedClock) -> None:
    chat.say("Hello", at=clock.now() - timedelta(days=400))
    turn = chat.say("A year later", at=clock.now() - timedelta(days=30))
    assert turn.seq == 2


def test_ending_twice_changes_nothing(chat: Chat) -> None:
    end_session(actor=chat.actor, session_id=chat.id, reason="new_chat")
    end_session(actor=chat.actor, session_id=chat.id, reason="closed")
    assert chat.reloaded().ended_reason == "new_chat"


def test_a_short_session_teaches_when_it_ends(chat: Chat) -> None:
    chat.say("My sister is called Wen Qing.")
    with tenant_transaction(chat.actor.tenant_id):
        Job.objects.all().delete()
    end_session(actor=chat.actor, session_id=chat.id)
    chat.work()
    assert all(turn.learned_at for turn in chat.turns())
    with tenant_transaction(chat.actor.tenant_id):
        assert Memory.objects.filter(content__contains="Wen Qing").exists()


def test_sessions_are_listed_newest_first_page_by_page(chat: Chat, clock: FixedClock) -> None:
    ids = [chat.id]
    for _ in range(3):
        clock.advance(minutes=1)
        ids.append(chat.new_session().pk)
    subject = chat.session.subject_id
    first = list_sessions(actor=chat.actor, subject_id=subject, limit=2)
    rest = list_sessions(
        actor=chat.actor, subject_id=subject, before=(first[-1].last_activity_at, first[-1].pk)
    )
    assert [session.pk for session in [*first, *rest]] == ids[::-1]


def test_turns_are_read_after_a_number(chat: Chat) -> None:
    for number in range(4):
        chat.say(f"Sentence {number}.")
    assert [turn.seq for turn in get_turns(actor=chat.actor, session_id=chat.id, after_seq=2)] == [3, 4]
    assert [turn.seq for turn in get_turns(actor=chat.actor, session_id=chat.id, limit=1)] == [1]


@pytest.mark.parametrize("who", ["colleague", "operator", "other tenant"])
def test_nobody_else_reaches_a_session_through_the_chat(
    chat: Chat, acme: House, globex: House, who: str
) -> None:
    turn = chat.say("Mine alone.")
    other = {
        "colleague": acme.actor("other"),
        "operator": acme.actor("operator"),
        "other tenant": globex.actor("user"),
    }[who]
    with pytest.raises(SessionNotFound):
        get_session(actor=other, session_id=chat.id)
    with pytest.raises(SessionNotFound):
        get_turns(actor=other, session_id=chat.id)
    with pytest.raises(SessionNotFound):
        post_message(actor=other, session_id=chat.id, content="Let me in")
    with pytest.raises(SessionNotFound):
        record_turn(actor=other, session_id=chat.id, role="user", content="Let me in")
    with pytest.raises(SessionNotFound):
        end_session(actor=other, session_id=chat.id)
    with pytest.raises(TurnNotFound):
        stop_answer(actor=other, turn_id=turn.pk)
    with pytest.raises(NotFound):
        list_sessions(actor=other, subject_id=chat.session.subject_id)
    with pytest.raises(NotFound):
        open_session(actor=other, subject_id=chat.session.subject_id)
    assert len(chat.turns()) == 1


def test_an_unknown_session_looks_like_someone_elses(chat: Chat) -> None:
    with pytest.raises(SessionNotFound):
        get_session(actor=chat.actor, session_id=uuid.uuid4())


def test_an_operator_reads_turns_with_an_audit_entry_that_holds_no_words(chat: Chat, acme: House) -> None:
    chat.say("Private words.")
    assert len(get_turns(actor=acme.actor("operator", "admin"), session_id=chat.id)) == 1
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.filter(action="session.read").get()
    assert entry.changes[0]["target_id"] == str(chat.id)
    assert "Private" not in str(entry.changes)


@pytest.mark.django_db(transaction=True)
def test_concurrent_messages_keep_an_order_and_lose_nothing(acme: House, clock: FixedClock) -> None:
    chat = chat_of(acme, clock)

    def send(number: int) -> None:
        try:
            record_turn(
                actor=chat.actor,
                session_id=chat.id,
                role="user",
                content=f"Message {number}",
                client_msg_id=f"m{number % 10}",
            ) if number < 10 else post_message(
                actor=chat.actor,
                session_id=chat.id,
                content=f"Posted {number}",
                client_msg_id=f"p{number % 3}",
            ) if number < 13 else record_turn(
                actor=chat.actor, session_id=chat.id, role="user", content="Message 1", client_msg_id="m1"
            )
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, range(16)))
    turns = chat.turns()
    assert [turn.seq for turn in turns] == list(range(1, len(turns) + 1))
    assert len(turns) == 10 + 3 * 2
    assert sorted(turn.content for turn in turns if turn.role == "user") == sorted(
        [f"Message {number}" for number in range(10)] + [f"Posted {number}" for number in range(10, 13)]
    )
    answers = [turn for turn in turns if turn.role == Turn.Role.ASSISTANT]
    assert all(answer.reply_to_id == turns[answer.seq - 2].pk for answer in answers)
    with tenant_transaction(acme.id):
        assert ChatSession.objects.get(pk=chat.id).next_seq == len(turns) + 1


def test_a_first_title_and_a_speaker_are_screened_like_a_message(chat: Chat) -> None:
    assert "4111" not in chat.new_session(title=" Card 4111 1111 1111 1111 ").title
    assert "4111" not in chat.reloaded().title
    turn = chat.say("Hello there, all.", speaker="Wen 4111 1111 1111 1111")
    assert "4111" not in turn.speaker and turn.speaker.startswith("Wen")
    assert chat.new_session(title="  Plans ").title == "Plans"
