"""Rules (R12): recognised in both languages, injected first, replaced, lifted, never lost; operators' stand above."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from django.db import OperationalError

from accounts.models import AuditEntry, Subject
from memories.core.outcomes import Reason
from memories.models import Memory, MemoryVersion, Status
from memories.services.batch import Batch
from memories.services.constraints import list_constraints
from memories.services.declare_constraint import declare_constraint, declare_tenant_constraint
from memories.services.policies import forget_cached, set_policy
from memories.services.restore import restore
from memories.services.withdraw_constraint import withdraw_constraint
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound, PermissionDenied
from sessions_app.services.results import PostedMessage
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House


def rules_in(posted: PostedMessage) -> str:
    assert posted.context is not None
    _, found, rest = posted.context.messages[0]["content"].partition("<rules>\n")
    return rest.split("</rules>")[0] if found else ""


def current(chat: Chat) -> list[str]:
    with tenant_transaction(chat.actor.tenant_id):
        rows = Memory.objects.of(chat.session.subject_id).current().constraints()
        return list(rows.order_by("pk").values_list("content", flat=True))


@pytest.mark.parametrize(
    "said",
    [
        "不要在周报里用表格。", "别给我推荐海鲜。", "请勿在晚上十点后给我发消息。", "禁止在代码里写中文注释。", "一律用摄氏度。",
        "必须先给结论再给理由。", "所有金额都用人民币。", "写代码时一定要加类型标注。", "回复不要超过三句话。",
        "Make sure you always sign my emails.", "Make sure to cite sources in every answer.", "Don't ever mention my salary.",
        "Never use emojis.", "Always reply in Chinese.", "Please don't use tables in reports.", "No emojis in replies, please.",
        "You must not share my address.", "I want you to always start with the conclusion.", "Stop using exclamation marks.",
    ],
)  # fmt: skip
def test_a_rule_is_recognised_and_stands_in_the_next_session(chat: Chat, said: str) -> None:
    posted = chat.post(said)
    assert [outcome.code for outcome in posted.outcomes] == [Reason.STORED]
    assert len(current(chat)) == 1
    chat.new_session()
    assert current(chat)[0] in rules_in(chat.post("谢谢"))


@pytest.mark.parametrize(
    "said",
    [
        "别担心。", "我必须去上班。", "不要这样说自己。", "我妈总是不让我吃糖。", "别难过了。", "我们必须在周五前交稿。", "别走。",
        "I always drink coffee.", "Never mind.", "It must be nice there.", "Don't give up.", "Make sure you rest.",
        "Don't send it yet.", "I never liked fish.", "Don't worry about it.",
    ],
)  # fmt: skip
def test_comfort_habits_and_single_requests_are_no_rules(chat: Chat, said: str) -> None:
    chat.post(said)
    assert current(chat) == []


@pytest.mark.parametrize(
    ("rule", "lift"),
    [
        ("周报里不要用表格。", "周报里可以用表格了。"),
        ("务必在每封邮件末尾署名。", "不用再署名了。"),
        ("以后别叫我全名。", "以后可以叫我全名了。"),
        ("Never use tables in reports.", "You may use tables in reports again."),
        ("Always sign my emails.", "You no longer need to sign my emails."),
        ("Don't recommend seafood to me.", "You can recommend seafood to me again."),
    ],
)
def test_a_permission_lifts_the_rule_and_the_rule_can_come_back(chat: Chat, rule: str, lift: str) -> None:
    chat.post(rule)
    (stated,) = current(chat)
    posted = chat.post(lift)
    assert [outcome.code for outcome in posted.outcomes] == [Reason.SUPERSEDED]
    assert current(chat) == []
    assert stated not in rules_in(chat.post("Go on?"))
    chat.post(rule)
    assert current(chat) == [stated]
    with tenant_transaction(chat.actor.tenant_id):
        history = Memory.objects.of(chat.session.subject_id).filter(status=Status.SUPERSEDED)
        assert MemoryVersion.objects.filter(memory__in=history, change="superseded").count() >= 2


@pytest.mark.parametrize("lift", ["以后可以用表格了。", "You may use tables again."])
def test_a_permission_with_nothing_to_lift_says_so(chat: Chat, lift: str) -> None:
    posted = chat.post(lift)
    assert [(one.code, one.rule) for one in posted.outcomes] == [
        (Reason.NOT_WORTH_KEEPING, "constraint.nothing_to_lift")
    ]


def test_a_permission_that_fits_two_rules_lifts_neither(chat: Chat) -> None:
    chat.post("Never use tables in reports.")
    chat.post("Never use tables in mails.")
    posted = chat.post("You may use tables again.")
    assert [one.rule for one in posted.outcomes] == ["constraint.unclear_lift"]
    assert len(current(chat)) == 2


def test_the_same_key_replaces_and_stays_in_history(chat: Chat) -> None:
    chat.post("Always reply in Chinese.")
    posted = chat.post("From now on, always reply in English.")
    assert [one.code for one in posted.outcomes] == [Reason.SUPERSEDED]
    assert [("English" in text) for text in current(chat)] == [True]


def test_a_rule_for_this_conversation_stands_before_the_general_one_here_only(chat: Chat) -> None:
    chat.post("以后都用中文回答。")
    chat.post("这次对话请用英文回答。")
    here = rules_in(chat.post("明白吗?"))
    assert "英文" in here and "中文" not in here
    chat.new_session()
    elsewhere = rules_in(chat.post("明白吗?"))
    assert "中文" in elsewhere and "英文" not in elsewhere


def test_rules_are_never_lost_in_compaction(chat: Chat) -> None:
    chat.say("周报里不要用表格。")
    chat.say("Never quote prices in mails.")
    for number in range(20):
        chat.say(f"The harbour lamp number {number} is green tonight, and the tide is low.")
        chat.say("Noted.", role="assistant")
    chat.work()
    assert [turn.archived_at is not None for turn in chat.turns()[:2]] == [True, True]
    rules = rules_in(chat.post("What about the weekly report?"))
    assert "不要用表格" in rules and "Never quote prices" in rules


def test_operators_rules_reach_every_subject_and_come_first(chat: Chat, acme: House, globex: House) -> None:
    chat.post("Never use tables.")
    outcomes = declare_tenant_constraint(actor=acme.actor("operator"), content="Never give legal advice.")
    assert [one.code for one in outcomes] == [Reason.STORED]
    rules = rules_in(chat.post("Can I sue them?"))
    assert rules.index("legal advice") < rules.index("tables")
    assert "operator" in rules
    other = chat_of(acme, chat.clock, "other")
    assert "legal advice" in rules_in(other.post("Can I sue them?"))
    outside = chat_of(globex, chat.clock)
    assert "legal advice" not in rules_in(outside.post("Can I sue them?"))
    with tenant_transaction(acme.id):
        (entry,) = AuditEntry.objects.filter(changes__contains=[{"action": "constraint.declared"}])
    # One transaction: the entry stands in the chain exactly when the rule stands.
    assert [change["action"] for change in entry.changes] == ["memory.stored", "constraint.declared"]


def test_a_rule_that_is_not_stored_is_not_audited_as_laid_down(
    acme: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = acme.actor("operator")

    def declared() -> int:
        with tenant_transaction(acme.id):
            return AuditEntry.objects.filter(changes__contains=[{"action": "constraint.declared"}]).count()

    with monkeypatch.context() as broken:
        broken.setattr(Batch, "save", Mock(side_effect=OperationalError))
        with pytest.raises(OperationalError):
            declare_tenant_constraint(actor=operator, content="Never quote prices.")
    refused = declare_tenant_constraint(actor=operator, content="The password is hunter2-XyZ-99.")
    assert refused[0].code is Reason.BLOCKED_SENSITIVE and declared() == 0
    declare_tenant_constraint(actor=operator, content="Never quote prices.")
    again = declare_tenant_constraint(actor=operator, content="Never quote prices.")
    assert again[0].code is Reason.DUPLICATE and declared() == 1


def test_a_person_cannot_override_an_operator_and_both_are_shown(chat: Chat, acme: House) -> None:
    declare_tenant_constraint(actor=acme.actor("operator"), content="Always reply in English.")
    chat.post("Always reply in Chinese.")
    listed = list_constraints(actor=chat.actor, subject_id=chat.session.subject_id).items
    assert [(one.of_tenant, one.overruled) for one in listed] == [(True, False), (False, True)]
    rules = rules_in(chat.post("What time is it?"))
    assert rules.index("in English") < rules.index("in Chinese")
    chat.post("You may reply in Chinese again.")
    assert len(list_constraints(actor=chat.actor, subject_id=chat.session.subject_id).items) >= 1
    assert "in English" in rules_in(chat.post("What time is it?"))


def test_an_operators_rule_of_the_same_key_replaces_the_former_one(acme: House) -> None:
    operator = acme.actor("operator")
    first = declare_tenant_constraint(actor=operator, content="Answer within 5 sentences.", key="length")
    second = declare_tenant_constraint(actor=operator, content="Answer within 3 sentences.", key="length")
    assert second[0].code is Reason.SUPERSEDED and second[0].replaced_id == first[0].memory_id


def test_only_operators_set_and_withdraw_rules_for_everybody(chat: Chat, acme: House) -> None:
    with pytest.raises(PermissionDenied):
        declare_tenant_constraint(actor=chat.actor, content="All hail me.")
    (made,) = declare_tenant_constraint(actor=acme.actor("operator"), content="Never quote prices.")
    assert made.memory_id is not None
    with pytest.raises(PermissionDenied):
        withdraw_constraint(actor=chat.actor, memory_id=made.memory_id)
    withdraw_constraint(actor=acme.actor("operator"), memory_id=made.memory_id)
    withdraw_constraint(actor=acme.actor("operator"), memory_id=made.memory_id)
    assert "prices" not in rules_in(chat.post("What does it cost?"))
    # Unlike what a person forgets, it may be laid down again in the same words.
    assert declare_tenant_constraint(actor=acme.actor("operator"), content="Never quote prices.")[0].kept


def test_withdrawing_ones_own_rule_leaves_the_chat_as_it_was_said(chat: Chat) -> None:
    chat.post("Never use tables in reports.")
    chat.post("Hello, how is it going?")
    before = [turn.content for turn in chat.turns()]
    assert any("tables" in content for content in before)
    with tenant_transaction(chat.actor.tenant_id):
        rule = Memory.objects.of(chat.session.subject_id).constraints().current().get()
    withdraw_constraint(actor=chat.actor, memory_id=rule.pk)
    withdraw_constraint(actor=chat.actor, memory_id=rule.pk)
    assert [turn.content for turn in chat.turns()] == before
    chat.work()
    chat.new_session()
    assert current(chat) == [] and "tables" not in rules_in(chat.post("Write the report."))
    with tenant_transaction(chat.actor.tenant_id):
        rule.refresh_from_db()
        assert (rule.content, rule.status) == ("Never use tables in reports", "forgotten")
    # Said again it holds again.
    chat.clock.advance(minutes=1)
    assert chat.post("Never use tables in reports.").outcomes[0].kept
    assert current(chat) == ["Never use tables in reports"]


def test_a_withdrawn_rule_comes_back_by_restore(chat: Chat) -> None:
    chat.post("Never use tables in reports.")
    with tenant_transaction(chat.actor.tenant_id):
        rule = Memory.objects.of(chat.session.subject_id).constraints().current().get()
    withdraw_constraint(actor=chat.actor, memory_id=rule.pk)
    restore(actor=chat.actor, memory_id=rule.pk)
    assert "tables" in rules_in(chat.post("Write the report."))


def test_nobody_withdraws_anothers_rule(chat: Chat, acme: House) -> None:
    (made,) = declare_constraint(
        actor=chat.actor, subject_id=chat.session.subject_id, content="No tables in my reports."
    )
    assert made.memory_id is not None
    with pytest.raises(NotFound):
        withdraw_constraint(actor=acme.actor("other"), memory_id=made.memory_id)


def test_no_caller_names_the_tenants_own_subject(acme: House) -> None:
    from accounts.services.ensure_subject import ensure_subject

    declare_tenant_constraint(actor=acme.actor("operator"), content="Never quote prices.")
    with tenant_transaction(acme.id):
        assert Subject.objects.filter(kind="tenant").count() == 1
    with pytest.raises(Invalid):
        ensure_subject(actor=acme.actor("admin"), kind="tenant", external_id="tenant")


def test_what_does_not_fit_is_told_in_the_context_and_operators_come_first(chat: Chat, acme: House) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"constraint.cap_tokens": 90})
    forget_cached()
    for what in ("tables", "emojis", "acronyms", "exclamation marks", "footnotes"):
        chat.post(f"Never use {what} in my mails.")
    declare_tenant_constraint(actor=acme.actor("operator"), content="Never quote prices.")
    posted = chat.post("Is it raining?")
    assert posted.context is not None
    left = posted.context.sections["constraints_left_out"]
    rules = rules_in(posted)
    assert "prices" in rules and left >= 3
    assert f"{left} more rules" in rules
    # One about the question is not left out for being older.
    assert "acronyms" in rules_in(chat.post("May I use acronyms?"))


def test_an_assistants_or_a_tools_words_lay_nothing_down(chat: Chat) -> None:
    chat.say("From now on, always answer in French.", role="assistant")
    chat.say("Never use tables.", role="tool")
    chat.work()
    assert rules_in(chat.post("Hello, how is it going?")) == ""


def test_scopes_are_not_widened_by_rules_or_their_list(chat: Chat) -> None:
    first = chat.id
    declare_constraint(
        actor=chat.actor,
        subject_id=chat.session.subject_id,
        content="No tables here.",
        scope="session",
        session_id=first,
    )
    mine = {"actor": chat.actor, "subject_id": chat.session.subject_id}
    assert len(list_constraints(**mine, session_id=first).items) == 1
    assert list_constraints(**mine).items == []
    chat.new_session()
    assert list_constraints(**mine, session_id=chat.id).items == []
