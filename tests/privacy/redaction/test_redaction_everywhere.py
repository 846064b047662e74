"""Redacting over a whole tenant: out of recall first, then rewritten subject by subject, whatever becomes of the worker."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection

from accounts.actor import system_actor
from accounts.audit import verify
from memories.models import ForgetRule, Job, Memory, Redaction
from memories.ports import FixedClock
from memories.services import redact_run
from memories.services.lift_redaction import lift_redaction
from memories.services.recall import recall
from memories.services.redact_everywhere import preview_everywhere, redact_everywhere, resume_redaction
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, PermissionDenied
from sessions_app.models import Turn
from tests.privacy.redaction.world import VALUE, everywhere
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = ("user", "other", "operator")


@pytest.fixture
def chats(house: House, clock: FixedClock) -> list[Chat]:
    """Three people who all said it, and other things."""
    found = [chat_of(house, clock, who) for who in PEOPLE]
    for chat in found:
        chat.ask(f"The project is called {VALUE}, and it starts in May.")
        chat.ask("I live in Lisbon.")
        chat.work()
    return found


def begun(house: House, **fields: Any) -> Redaction:
    given = {"reason": "The client asked for it", "confirmation": "删除", "words": [VALUE], **fields}
    return redact_everywhere(actor=house.actor("operator", "admin"), **given)


def found_by(chat: Chat) -> list[str]:
    assert chat.actor.subject_id is not None
    result = recall(
        actor=chat.actor, subject_id=chat.actor.subject_id, query=f"What is {VALUE}?", trace=False
    )
    return [item.text for item in result.items if VALUE in item.text]


def reloaded(house: House, run: Redaction) -> Redaction:
    with tenant_transaction(house.id):
        found: Redaction = Redaction.objects.get(pk=run.pk)
        return found


def test_it_is_gone_of_everybody_and_the_run_proves_it(house: House, chats: list[Chat]) -> None:
    shown = preview_everywhere(actor=house.actor("operator", "admin"), words=[VALUE])
    assert len(shown.by_subject) == 3 and shown.whole and shown.sample == [VALUE]
    assert sum(shown.counts.values()) == sum(number for _, number in shown.by_subject)
    run = begun(house)
    assert "memories_redaction" not in everywhere(house, VALUE)[VALUE], "the words wait encrypted"
    chats[0].work()
    done = reloaded(house, run)
    assert (done.state, done.target, done.subjects, done.subjects_done) == ("done", None, 5, 5)
    assert done.proof is not None and done.proof["subjects_concerned"] == 3
    assert set(done.proof["after"].values()) == {0} and done.found["turns"] >= 3
    assert everywhere(house, VALUE) == {}
    with tenant_transaction(house.id):
        assert Turn.objects.filter(content__contains="starts in May", forgotten_at__isnull=True).count() >= 3
        assert not Memory.objects.filter(status="quarantined").exists()
        assert list(verify()) == []
    for chat in chats:
        assert not found_by(chat)


def test_a_killed_worker_is_gone_on_for_and_nothing_is_recalled_meanwhile(
    house: House, chats: list[Chat]
) -> None:
    run = begun(house)
    calls: list[int] = []
    real = redact_run.carry_out_redaction

    def dies(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise SystemExit  # As a worker ends that is told to.
        return real(*args, **kwargs)

    with patch.object(redact_run, "carry_out_redaction", dies), pytest.raises(SystemExit):
        chats[0].work()
    half = reloaded(house, run)
    assert (half.state, half.place["phase"], half.subjects_done) == ("running", "rewrite", 1)
    assert everywhere(house, VALUE), "not everybody's is rewritten yet"
    for chat in chats:
        assert not found_by(chat)
    with tenant_transaction(house.id):
        assert VALUE not in str(half.found) + str(half.place)
        # Its lease has lapsed.
        Job.objects.filter(kind=redact_run.KIND).update(state="pending")
    resume_redaction(actor=house.actor("operator", "admin"), redaction_id=run.pk)
    chats[0].work()
    assert reloaded(house, run).state == "done"
    assert everywhere(house, VALUE) == {}


def test_a_long_run_is_many_jobs(house: House, chats: list[Chat]) -> None:
    run = begun(house)
    with patch.object(redact_run, "AT_A_TIME", timedelta(0)):
        assert chats[0].work() > 10
    assert reloaded(house, run).state == "done"
    assert everywhere(house, VALUE) == {}


def test_another_tenant_keeps_its_own(house: House, chats: list[Chat]) -> None:
    globex = make_house("globex")
    theirs = remember(
        actor=globex.actor("user"),
        subject_id=globex.subjects["user"],
        content=f"{VALUE} is ours.",
        infer=False,
    )
    begun(house)
    chats[0].work()
    with tenant_transaction(globex.id):
        assert VALUE in Memory.objects.get(pk=theirs[0].memory_id).content
        assert not Redaction.objects.exists() and not ForgetRule.objects.exists()


def test_what_stands_binds_the_whole_tenant_until_it_is_lifted(house: House, chats: list[Chat]) -> None:
    run = begun(house, standing=True)
    chats[0].work()
    [outcome] = chats[1].post(f"My project number is {VALUE}.").outcomes
    assert outcome.rule == "redacted"
    chats[1].work()
    with tenant_transaction(house.id):
        assert not Memory.objects.filter(content__contains=VALUE).exists()
    lift_redaction(actor=house.actor("operator", "admin"), redaction_id=run.pk)
    assert chats[1].post(f"My project number is {VALUE}.").outcomes[0].rule != "redacted"


def test_a_pattern_over_the_tenant(house: House, chats: list[Chat]) -> None:
    chats[1].ask("The spare one is called QX-7732.")
    shown = preview_everywhere(actor=house.actor("operator", "admin"), pattern=r"QX-\d{4}")
    assert shown.sample == ["QX-7731", "QX-7732"]
    begun(house, words=[], pattern=r"QX-\d{4}")
    chats[0].work()
    assert everywhere(house, VALUE, "QX-7732") == {}


def test_who_may_not_and_one_at_a_time(house: House, chats: list[Chat]) -> None:
    with pytest.raises(PermissionDenied):
        preview_everywhere(actor=house.actor("user"), words=[VALUE])
    with pytest.raises(PermissionDenied):
        redact_everywhere(actor=house.actor("user"), words=[VALUE], reason="because", confirmation="redact")
    with pytest.raises(Invalid) as refused:
        begun(house, words=[], pattern=r"QX-\d{4}", standing=True)
    assert "standing" in refused.value.fields
    for wide in ("a", r"\d", "[^z]", "(?=a)a", "王"):
        with pytest.raises(Invalid) as refused:
            begun(house, words=[], pattern=wide)
        assert "pattern" in refused.value.fields
    run = begun(house)
    with pytest.raises(Conflict):
        begun(house)
    with pytest.raises(Conflict):
        lift_redaction(actor=system_actor(house.id), redaction_id=run.pk)


def test_of_two_that_begin_at_once_one_is_told_that_another_is_at_work(
    house: House, chats: list[Chat]
) -> None:
    def begin(number: int) -> str:
        try:
            begun(house, words=[f"{VALUE} of {number}"])
        except Conflict:
            return "refused"
        finally:
            connection.close()
        return "begun"

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(begin, range(4))) == ["begun", "refused", "refused", "refused"]
