"""The context of a question in a real session: what goes in, what stays out, and the trace that explains it."""

from __future__ import annotations

import uuid

import pytest

from memories.models import Memory, RecallTrace
from memories.ports import FixedClock
from memories.services.policies import forget_cached, set_policy
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from sessions_app.core.errors import SessionNotFound
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.results import AssembledContext
from tests.sessions_app.conftest import Chat
from tests.support.people import House


def context(chat: Chat, question: str, **fields: object) -> AssembledContext:
    return assemble_context(actor=chat.actor, session_id=chat.id, question=question, **fields)  # type: ignore[arg-type]


def told(chat: Chat, *lines: str) -> None:
    """Say the lines in an earlier session, then open a new one."""
    for line in lines:
        chat.say(line)
    chat.work()
    chat.new_session()


def system(assembled: AssembledContext) -> str:
    return assembled.messages[0]["content"]


def strengths(chat: Chat) -> dict[uuid.UUID, float]:
    with tenant_transaction(chat.actor.tenant_id):
        return dict(Memory.objects.values_list("id", "strength"))


def test_a_courtesy_recalls_nothing_and_says_so_in_its_trace(chat: Chat) -> None:
    told(chat, "Remember: the contract number is KX-7731.")
    assembled = context(chat, "thanks")
    assert (assembled.gate, assembled.recall) == ("none", None)
    assert assembled.sections["memories"] == 0
    with tenant_transaction(chat.actor.tenant_id):
        trace = RecallTrace.objects.get(pk=assembled.trace_id)
    assert (trace.gate, trace.considered) == ("none", [])


def test_the_trace_tells_what_went_in_and_what_it_cost(chat: Chat) -> None:
    told(chat, "Remember: the contract number is KX-7731.", "My sister Wen lives in Lisbon.")
    assembled = context(chat, "What is my contract number?")
    with tenant_transaction(chat.actor.tenant_id):
        trace = RecallTrace.objects.get(pk=assembled.trace_id)
    assert trace.budget_tokens == assembled.budget_tokens == 4000
    assert trace.used_tokens == assembled.used_tokens <= 4000
    assert trace.sections["memories"] > 0 and trace.sections["system"] > 0
    used = {item["id"]: item["used"] for item in trace.considered}
    numbers = {item["id"]: item["number"] for item in assembled.used}
    assert {key: used[key] for key in numbers if key in used} == {
        key: numbers[key] for key in numbers if key in used
    }
    assert "KX-7731" not in str(trace.context)


def test_only_what_went_into_the_context_is_strengthened(chat: Chat) -> None:
    told(chat, "Remember: the contract number is KX-7731.")
    before = strengths(chat)
    assembled = context(chat, "What is my contract number?", question_turn_id=None)
    after = strengths(chat)
    used = {uuid.UUID(item["id"]) for item in assembled.used}
    assert used & set(before)
    for key, value in before.items():
        assert (after[key] > value) == (key in used)


def test_an_evaluation_question_strengthens_nothing(chat: Chat) -> None:
    told(chat, "Remember: the contract number is KX-7731.")
    before = strengths(chat)
    context(chat, "What is my contract number?", reinforce=False)
    assert strengths(chat) == before


def test_a_read_only_session_recalls_but_strengthens_nothing(chat: Chat) -> None:
    told(chat, "Remember: the contract number is KX-7731.")
    before = strengths(chat)
    chat.new_session(mode="read_only")
    assert "KX-7731" in system(context(chat, "What is my contract number?"))
    assert strengths(chat) == before


def test_the_question_itself_is_neither_window_nor_memory(chat: Chat) -> None:
    posted = chat.post("Remember that the gate code is 5512. What is the gate code?")
    assert posted.context is not None
    assert [message["role"] for message in posted.context.messages] == ["system", "user"]
    assert "5512" not in posted.context.messages[0]["content"].split("<memory>")[-1] or all(
        item["item_kind"] == "memory" for item in posted.context.used
    )


def test_turns_that_stand_in_the_window_are_not_recalled_as_well(chat: Chat) -> None:
    turn = chat.say("The lobby will be painted green by the Moreno company.")
    chat.work()
    assembled = context(chat, "Which company paints the lobby?")
    assert turn.pk in assembled.turn_ids
    assert not [item for item in assembled.used if item["item_kind"] == "episode"]


def test_constraints_are_in_every_context_of_the_person(chat: Chat) -> None:
    assert chat.actor.subject_id is not None
    for source in ("user", "assistant"):
        remember(
            actor=chat.actor, subject_id=chat.actor.subject_id, kind="constraint", key=f"format.{source}",
            content=f"Rule by {source}: no tables in reports.", source=source, infer=False,
        )  # fmt: skip
    text = system(context(chat, "Good morning, how are you today?"))
    rules = text[text.index("Rules that") : text.index("</rules>")]
    assert "Rule by user" in rules and "Rule by assistant" not in rules


def test_constraints_of_another_session_stay_out(chat: Chat) -> None:
    assert chat.actor.subject_id is not None
    remember(
        actor=chat.actor, subject_id=chat.actor.subject_id, kind="constraint", key="tone", scope="session",
        session_id=chat.id, content="Answer in rhymes.", infer=False,
    )  # fmt: skip
    assert "rhymes" in system(context(chat, "Good morning, how are you today?"))
    chat.new_session()
    assert "rhymes" not in system(context(chat, "Good morning, how are you today?"))


def test_digests_of_this_session_are_always_in_and_never_twice(chat: Chat) -> None:
    for number in range(8):
        chat.say(f"The room {100 + number} is booked for the Kestrel project.")
        chat.say("Noted.", role="assistant")
    chat.work()
    assembled = context(chat, "Which rooms are booked for the Kestrel project?")
    summary = [item for item in assembled.used if item["section"] == "summary"]
    assert len(summary) == 1
    assert [item["id"] for item in assembled.used].count(summary[0]["id"]) == 1
    assert "room 100" in system(assembled)


def test_a_follow_up_in_another_session_finds_what_the_earlier_one_was_about(chat: Chat) -> None:
    chat.say("帮我查一下北京明天的天气")
    chat.work()
    chat.new_session()
    assembled = context(chat, "那我要不要带伞")
    with tenant_transaction(chat.actor.tenant_id):
        trace = RecallTrace.objects.get(pk=assembled.trace_id)
    assert "北京" in trace.standalone_query
    assert "北京" in system(assembled)


def test_the_budget_comes_from_the_policy_and_never_from_below_the_least(chat: Chat, acme: House) -> None:
    with pytest.raises(Invalid):
        context(chat, "Hello there", budget=100)
    set_policy(actor=acme.actor("admin", "admin"), overrides={"context.model_window": 4000})
    forget_cached()
    assert context(chat, "Hello there").budget_tokens == 1000
    set_policy(actor=acme.actor("admin", "admin"), overrides={"context.budget_tokens": 700})
    forget_cached()
    assert context(chat, "Hello there").budget_tokens == 700


def test_a_long_history_stays_within_a_small_budget(chat: Chat, clock: FixedClock) -> None:
    for number in range(10):
        chat.say(f"第{number}号房间归红隼项目使用,负责人是林岚,预算{4000 + number}元。" * 6)
        chat.say("好的,记下了。" * 20, role="assistant")
    chat.work()
    for budget in (300, 600, 1500):
        assembled = context(chat, "红隼项目的负责人是谁?", budget=budget)
        assert assembled.used_tokens <= budget


def test_a_context_is_filled_by_its_room_and_not_by_a_number_of_memories(chat: Chat) -> None:
    crews = [
        "heron",
        "otter",
        "badger",
        "falcon",
        "lynx",
        "marten",
        "osprey",
        "plover",
        "raven",
        "stoat",
        "tern",
        "weasel",
        "wren",
        "yak",
        "zebu",
        "ibis",
    ]
    for at, crew in enumerate(crews):
        content = f"The {crew} crew keeps its ropes in harbour locker {chr(65 + at)}-{7301 + 13 * at}."
        remember(actor=chat.actor, subject_id=chat.session.subject_id, content=content, infer=False)
    chat.work()
    question = "In which harbour lockers do the crews keep their ropes?"
    wide, narrow = context(chat, question), context(chat, question, budget=600)
    assert len(wide.used) > 12
    assert len(narrow.used) < len(wide.used)
    assert 300 < wide.sections["memories"] <= 2000


def test_nobody_else_gets_a_context_of_the_session(chat: Chat, acme: House, globex: House) -> None:
    for other in (acme.actor("other"), globex.actor("user")):
        with pytest.raises(SessionNotFound):
            assemble_context(actor=other, session_id=chat.id, question="What did they say?")
