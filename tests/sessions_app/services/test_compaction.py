"""Compaction: what leaves the window, what stands for it, and that nothing is lost, doubled or kept for ever."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connections

from memories.adapters.factory import override
from memories.core.errors import NotUndoable
from memories.models import Episode, Job, Memory
from memories.ports import ChatMessage, ChatRequest, Delta, FixedClock, Meter, ModelUnavailable
from memories.services.policies import forget_cached, set_policy
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import PermissionDenied
from sessions_app import store
from sessions_app.models import Digest, Turn
from sessions_app.services import compact_session as module
from sessions_app.services.compact_session import compact_session
from sessions_app.services.end_session import end_session
from sessions_app.services.get_turns import get_turns
from sessions_app.services.reconcile_sessions import reconcile_sessions
from sessions_app.services.undo_compaction import undo_compaction
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House

ZH = [
    "合同编号是 KX-7731,请记住。",
    "每周三上午10:00开例会。",
    "预算上限是4800元。",
    "周报里不要用表格。",
    "负责人是林岚。",
    "我们决定用蓝色的设计。",
    "交付日期是2026年3月18日。",
    "今天午饭不错。",
]
EN = [
    "The contract number is KX-7731, please remember.",
    "We meet every Wednesday at 10:00.",
    "The budget limit is 4800 yuan.",
    "No tables in the weekly report.",
    "The owner is Lin Lan.",
    "We decided on the blue design.",
    "Delivery is due on 18 March 2026.",
    "Lunch was nice today.",
]
VALUES = {
    "zh": ["KX-7731", "10:00", "4800元", "林岚", "2026年3月18日", "不要用表格"],
    "en": ["KX-7731", "10:00", "4800", "Lin Lan", "18 March 2026", "No tables"],
}


def talk(chat: Chat, lines: Sequence[str]) -> None:
    for line in lines:
        chat.say(line)
        chat.say("好的" if line in ZH else "All right.", role="assistant")


def digests(chat: Chat) -> list[Digest]:
    with tenant_transaction(chat.actor.tenant_id):
        return list(store.live_digests(chat.id))


def test_a_window_that_is_not_over_full_is_left_alone(chat: Chat) -> None:
    talk(chat, ZH[:6])
    assert compact_session(actor=chat.actor, session_id=chat.id).reason == "not_full"
    assert digests(chat) == []


@pytest.mark.django_db(transaction=True)
def test_answers_that_only_quote_what_is_stored_are_in_no_digest(chat: Chat) -> None:
    for line in EN:
        answer = chat.ask(line)
        assert "No chat model is configured" in answer.content
    chat.work()
    found = digests(chat)
    assert found
    assert all("chat model" not in one.memory.content for one in found)
    assert "KX-7731" in "".join(one.memory.content for one in found)


@pytest.mark.parametrize(("language", "lines"), [("zh", ZH), ("en", EN)])
def test_compaction_happens_by_itself_and_keeps_every_value(
    chat: Chat, language: str, lines: list[str]
) -> None:
    talk(chat, lines)
    chat.work()
    made = digests(chat)
    turns = chat.turns()
    archived = [turn for turn in turns if turn.archived_at]
    assert made and archived
    assert {turn.digest_id for turn in archived} == {digest.pk for digest in made}
    assert [turn.seq for turn in archived] == list(range(1, len(archived) + 1))
    assert chat.reloaded().window_from == len(archived) + 1
    kept = "\n".join(
        [digest.memory.content for digest in made] + [turn.content for turn in turns if not turn.archived_at]
    )
    assert [value for value in VALUES[language] if value not in kept] == []


def test_the_window_keeps_half_of_its_rounds_and_six_turns_at_least(chat: Chat) -> None:
    talk(chat, ZH[:7])
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        window = list(store.window(chat.reloaded()))
    assert len(window) == 6


def test_a_digest_is_a_memory_of_the_user_and_starts_at_its_own_strength(chat: Chat) -> None:
    talk(chat, EN)
    chat.work()
    memory = digests(chat)[0].memory
    assert (memory.kind, memory.scope, memory.strength) == ("digest", "user", 0.6)
    assert memory.event_start == chat.turns()[0].said_at


def test_originals_stay_readable_and_recallable(chat: Chat) -> None:
    talk(chat, EN)
    chat.work()
    turns = get_turns(actor=chat.actor, session_id=chat.id)
    assert [turn.content for turn in turns[::2]] == EN
    with tenant_transaction(chat.actor.tenant_id):
        assert Episode.objects.filter(source_id=turns[0].pk).exists()


def test_the_same_compaction_again_is_a_no_op(chat: Chat) -> None:
    talk(chat, EN)
    chat.work()
    before = [digest.pk for digest in digests(chat)]
    assert compact_session(actor=chat.actor, session_id=chat.id).reason == "not_full"
    assert [digest.pk for digest in digests(chat)] == before


def test_what_was_not_learnt_yet_is_learnt_before_it_is_shortened(chat: Chat) -> None:
    talk(chat, EN)
    with tenant_transaction(chat.actor.tenant_id):
        Job.objects.filter(kind="learn_turn").delete()
    report = compact_session(actor=chat.actor, session_id=chat.id)
    assert report.reason == "compacted" and report.learned > 0
    assert all(turn.learned_at for turn in chat.turns() if turn.archived_at)


def test_compaction_does_not_double_what_the_turns_taught(chat: Chat) -> None:
    talk(chat, EN)
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        contents = list(Memory.objects.current().exclude(kind="digest").values_list("content", flat=True))
    assert len([content for content in contents if "KX-7731" in content]) == 1
    assert len(contents) == len(set(contents))


def test_an_answer_in_the_making_is_not_compacted(chat: Chat, clock: FixedClock) -> None:
    talk(chat, EN[:4])
    with tenant_transaction(chat.actor.tenant_id):
        session = store.lock_session(chat.id)
        assert session is not None
        store.add_turn(
            session, role="assistant", content="half an ans", said_at=clock.now(), now=clock.now(),
            state=Turn.State.STREAMING, lease_owner="x", leased_until=store.lease(clock.now()),
        )  # fmt: skip
    talk(chat, EN[4:])
    compact_session(actor=chat.actor, session_id=chat.id)
    assert all(turn.archived_at is None for turn in chat.turns()[8:])


def test_two_workers_at_once_compact_each_turn_once(transactional_acme: House, clock: FixedClock) -> None:
    chat = chat_of(transactional_acme, clock)
    talk(chat, EN)

    def compact(_: int) -> str:
        try:
            return compact_session(actor=chat.actor, session_id=chat.id).reason
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        reasons = list(pool.map(compact, range(4)))
    assert reasons.count("compacted") == 1
    spans = [(digest.first_seq, digest.last_seq) for digest in digests(chat)]
    assert len(spans) == len(set(spans)) == 1
    assert sum(1 for turn in chat.turns() if turn.archived_at) == spans[0][1]


def test_a_turn_redacted_meanwhile_is_not_compacted_with_its_old_words(chat: Chat) -> None:
    talk(chat, EN)
    real = module.condense

    def redact_meanwhile(*args: Any, **kwargs: Any) -> Any:
        with tenant_transaction(chat.actor.tenant_id):
            Turn.objects.filter(session_id=chat.id, seq=1).update(content="[removed]")
        return real(*args, **kwargs)

    with patch.object(module, "condense", redact_meanwhile):
        assert compact_session(actor=chat.actor, session_id=chat.id).reason == "done_elsewhere"
    assert digests(chat) == []
    compact_session(actor=chat.actor, session_id=chat.id)
    assert all("KX-7731" not in digest.memory.content for digest in digests(chat))


def test_undo_brings_the_turns_back_and_archives_the_digest(chat: Chat, acme: House) -> None:
    talk(chat, EN)
    chat.work()
    digest = digests(chat)[-1]
    archived = sum(1 for turn in chat.turns() if turn.digest_id == digest.pk)
    operator = acme.actor("admin", "admin")
    assert undo_compaction(actor=operator, digest_id=digest.pk) == archived
    assert undo_compaction(actor=operator, digest_id=digest.pk) == 0
    assert chat.reloaded().window_from == digest.first_seq
    with tenant_transaction(acme.id):
        assert Memory.objects.get(pk=digest.memory_id).status == "archived"
    assert compact_session(actor=chat.actor, session_id=chat.id).reason == "compacted"


def test_undo_needs_the_capability_and_refuses_when_something_newer_stands(chat: Chat, acme: House) -> None:
    for lines in (EN, ZH):
        talk(chat, lines)
        chat.work()
    made = digests(chat)
    assert len(made) >= 2
    with pytest.raises(PermissionDenied):
        undo_compaction(actor=chat.actor, digest_id=made[0].pk)
    with pytest.raises(NotUndoable) as caught:
        undo_compaction(actor=acme.actor("admin", "admin"), digest_id=made[0].pk)
    assert str(made[-1].pk) in caught.value.hint


def test_piled_digests_become_one_of_the_second_generation_and_no_third(chat: Chat, acme: House) -> None:
    set_policy(
        actor=acme.actor("admin", "admin"),
        overrides={"digest.pile": 2, "digest.in_context": 1, "window.rounds": 2, "window.keep_turns": 2},
    )
    forget_cached()
    for number in range(40):
        chat.say(f"Order number ORD-{1000 + number} costs {200 + number} dollars.")
        chat.say("Noted.", role="assistant")
        chat.work()
    with tenant_transaction(acme.id):
        everything = list(Digest.objects.filter(session_id=chat.id).select_related("memory"))
    assert {digest.generation for digest in everything} == {1, 2}
    assert not [digest for digest in everything if digest.generation == 2 and digest.replaced_by_id]
    live = digests(chat)
    kept = "\n".join(
        [digest.memory.content for digest in live]
        + [turn.content for turn in chat.turns() if not turn.archived_at]
    )
    assert [n for n in range(40) if f"ORD-{1000 + n}" not in kept or f"{200 + n} dollars" not in kept] == []
    replaced = [digest for digest in everything if digest.replaced_by_id]
    assert {digest.memory.status for digest in replaced} == {"merged"}
    spans = sorted((digest.first_seq, digest.last_seq) for digest in live)
    assert all(left[1] < right[0] for left, right in itertools.pairwise(spans))


def test_undoing_a_second_generation_puts_the_first_back(chat: Chat, acme: House) -> None:
    admin = acme.actor("admin", "admin")
    set_policy(
        actor=admin,
        overrides={"digest.pile": 2, "digest.in_context": 1, "window.rounds": 2, "window.keep_turns": 2},
    )
    forget_cached()
    for number in range(16):
        chat.say(f"Order number ORD-{1000 + number} is open.")
        chat.say("Noted.", role="assistant")
        chat.work()
    merged = next(digest for digest in digests(chat) if digest.generation == 2)
    back = undo_compaction(actor=admin, digest_id=merged.pk)
    live = digests(chat)
    assert back >= 2
    assert [digest.generation for digest in live if digest.last_seq <= merged.last_seq] == [1] * back
    assert {digest.memory.status for digest in live} == {"current"}


def test_a_session_that_ends_is_digested_when_it_said_enough(chat: Chat) -> None:
    talk(chat, EN[:3])
    end_session(actor=chat.actor, session_id=chat.id)
    chat.work()
    assert "KX-7731" in digests(chat)[0].memory.content
    short = chat.new_session()
    chat.say("Hello")
    end_session(actor=chat.actor, session_id=short.pk)
    chat.work()
    assert digests(chat) == []


def test_a_read_only_session_keeps_its_digest_to_itself(chat: Chat) -> None:
    chat.new_session(mode="read_only")
    talk(chat, EN)
    chat.work()
    assert {digest.memory.scope for digest in digests(chat)} == {"session"}
    with tenant_transaction(chat.actor.tenant_id):
        assert not Memory.objects.exclude(kind="digest").exists()


def test_a_lost_compaction_and_a_lost_lesson_are_asked_for_again(chat: Chat, clock: FixedClock) -> None:
    talk(chat, EN)
    with tenant_transaction(chat.actor.tenant_id):
        Job.objects.all().delete()
    clock.advance(minutes=5)
    assert reconcile_sessions(clock.now()) > 0
    chat.work()
    assert digests(chat) and all(turn.learned_at for turn in chat.turns())
    assert reconcile_sessions(clock.now()) == 0


class ScriptedModel:
    """A model whose structured reply is fixed."""

    name, is_model = "scripted", True

    def __init__(self, reply: dict[str, Any] | Exception) -> None:
        self.reply = reply

    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        yield Delta("unused")

    def complete_json(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        timeout: float | None = None,
        meter: Meter | None = None,
    ) -> dict[str, Any]:
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


def test_a_models_digest_gets_the_values_that_it_left_out(chat: Chat) -> None:
    talk(chat, EN)
    with override(chat_model=ScriptedModel({"digest": "They set up the project.", "memories": []})):
        chat.work()
    digest = digests(chat)[0]
    assert digest.method == "model"
    assert digest.memory.content.startswith("They set up the project.")
    assert "KX-7731" in digest.memory.content and "4800" in digest.memory.content


def test_a_models_digest_that_invents_a_value_gives_way_to_the_rules(chat: Chat) -> None:
    talk(chat, EN)
    with override(chat_model=ScriptedModel({"digest": "The contract number is ZZ-0001.", "memories": []})):
        chat.work()
    assert digests(chat)[0].method == "rules"
    assert "ZZ-0001" not in digests(chat)[0].memory.content


def test_a_model_that_is_down_does_not_stop_compaction(chat: Chat) -> None:
    talk(chat, EN)
    with override(chat_model=ScriptedModel(ModelUnavailable("down"))):
        chat.work()
    assert digests(chat)[0].method == "rules"


def test_a_models_memories_are_kept_with_their_turn_unless_the_turn_taught_already(chat: Chat) -> None:
    lines = ["The lobby smells of fresh paint since Monday.", *EN[1:]]
    talk(chat, lines)
    quote = "smells of fresh paint since Monday"
    memories = [
        {
            "kind": "fact",
            "content": "The lobby was painted on Monday, code LB-77 applies.",
            "quote": quote,
            "turn": 1,
        },
        {
            "kind": "fact",
            "content": "The moon is made of cheese, remember that.",
            "quote": "cheese",
            "turn": 1,
        },
    ]
    reply = {"digest": "The lobby was painted.", "memories": memories}
    with tenant_transaction(chat.actor.tenant_id):
        Job.objects.filter(kind="learn_turn").delete()
    with override(chat_model=ScriptedModel(reply)):
        compact_session(actor=chat.actor, session_id=chat.id)
    with tenant_transaction(chat.actor.tenant_id):
        assert not Memory.objects.filter(content__contains="cheese").exists()
        kept = Memory.objects.filter(rule="compaction.model", kind="fact")
        assert all(memory.strength == 0.5 for memory in kept)


@pytest.fixture
def transactional_acme(transactional_db: None) -> House:
    from tests.support.people import make_house

    return make_house("acme")
