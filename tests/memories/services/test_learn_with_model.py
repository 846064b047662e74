"""What a configured model adds to the rules, and what of its answer is refused."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

import pytest

from accounts.actor import Actor
from memories.adapters import factory
from memories.models import Episode, Fact, Job
from memories.ports import ChatMessage, ChatRequest, Delta, FixedClock, Meter, ModelUnavailable
from memories.services.index_episode import index_episode
from memories.services.jobs import run_due
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import current, say

pytestmark = pytest.mark.django_db

TEXT = (
    "Our old ferry, the Marigold, carries twelve cars since the refit, so plan 45 minutes for the crossing."
)


class ScriptedModel:
    """Answers with what a test lays down and keeps what it was shown."""

    name, is_model = "scripted", True

    def __init__(self) -> None:
        self.answer: dict[str, Any] = {"statements": []}
        self.shown: list[str] = []
        self.down = False

    def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        raise AssertionError("extraction does not stream")

    def complete_json(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        timeout: float | None = None,
        meter: Meter | None = None,
    ) -> dict[str, Any]:
        if self.down:
            raise ModelUnavailable("down")
        self.shown.append(messages[-1].content)
        return self.answer


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    scripted = ScriptedModel()
    with factory.override(chat_model=scripted):
        yield scripted


def statement(**changes: str) -> dict[str, str]:
    values = {"kind": "fact", "content": "", "quote": "", "about": "", "attribute": "", "value": ""}
    return {**values, **changes}


def tell(actor: Actor, subject_id: uuid.UUID, text: str, clock: FixedClock) -> uuid.UUID:
    """As the chat does it: indexed, learnt by rules, the model asked later."""
    turn_id = uuid7()
    index_episode(
        actor=actor, subject_id=subject_id, source_kind="turn", source_id=turn_id, text=text, role="user", speaker="",
        said_at=clock.now(), session_id=None, seq=1,
    )  # fmt: skip
    say(actor, subject_id, text, turn_id=turn_id)
    return turn_id


def by_model(actor: Actor, subject_id: uuid.UUID) -> list[str]:
    return [memory.content for memory in current(actor, subject_id) if memory.rule == "model.statement"]


PROVEN = statement(
    content="The crossing with the ferry Marigold takes 45 minutes.",
    quote="plan 45 minutes for the crossing",
    about="Marigold",
    attribute="crossing time",
    value="45 minutes",
)


def test_a_proven_statement_is_kept_with_its_turn(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, model: ScriptedModel
) -> None:
    model.answer = {"statements": [PROVEN]}
    tell(user, subject_id, TEXT, clock)
    run_due(user.tenant_id)
    assert by_model(user, subject_id) == [PROVEN["content"]]
    run_due(user.tenant_id)
    assert len(model.shown) == 1


@pytest.mark.parametrize(
    "invented",
    [
        {**PROVEN, "quote": "plan 50 minutes for the crossing"},
        {**PROVEN, "content": "The crossing takes 50 minutes."},
        {**PROVEN, "about": "Lavender"},
        {**PROVEN, "content": "Captain Brunhilde steers the ferry Marigold in 45 minutes."},
    ],
)
def test_what_the_turn_does_not_say_is_refused(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, model: ScriptedModel, invented: dict[str, str]
) -> None:
    model.answer = {"statements": [invented]}
    tell(user, subject_id, TEXT, clock)
    run_due(user.tenant_id)
    assert by_model(user, subject_id) == []


@pytest.mark.parametrize(
    ("text", "quote", "value"),
    [
        ("If the lease runs out, we would open a kiosk in Lindau.", "open a kiosk in Lindau", "Lindau"),
        ("要是以后退休了,我们就去大理开民宿", "去大理开民宿", "大理"),
        ("Maybe the kiosk goes to Lindau, who knows.", "the kiosk goes to Lindau", "Lindau"),
        ("Does the kiosk open in Lindau this spring?", "the kiosk open in Lindau", "Lindau"),
    ],
)
def test_what_the_turn_only_supposes_guesses_or_asks_is_refused(
    user: Actor,
    subject_id: uuid.UUID,
    clock: FixedClock,
    model: ScriptedModel,
    text: str,
    quote: str,
    value: str,
) -> None:
    said = statement(content=text, quote=quote, about="user", attribute="plan", value=value)
    model.answer = {"statements": [said]}
    tell(user, subject_id, text, clock)
    run_due(user.tenant_id)
    assert by_model(user, subject_id) == []
    assert len(model.shown) == 1


def test_a_piece_of_a_sentence_comes_with_the_name_or_the_sentence_that_say_whose_it_is(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, model: ScriptedModel
) -> None:
    text = "小区北门那家裁缝铺手艺很细,掌柜的从绍兴来。下周三去取毛呢外套,排在上午。"
    pieces = [
        statement(content="手艺很细", quote="手艺很细", about="裁缝铺", attribute="手艺", value="很细"),
        statement(content="掌柜的从绍兴来", quote="掌柜的从绍兴来", about="裁缝铺"),
        statement(content="排在上午", quote="排在上午", about="user", attribute="时段", value="上午"),
    ]
    model.answer = {"statements": pieces}
    tell(user, subject_id, text, clock)
    run_due(user.tenant_id)
    kept = by_model(user, subject_id)
    assert {"裁缝铺：手艺很细", "下周三去取毛呢外套,排在上午。"} <= set(kept) | {
        memory.content for memory in current(user, subject_id)
    }
    assert "排在上午" not in kept


def test_what_the_rules_learnt_from_is_not_kept_twice(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, model: ScriptedModel
) -> None:
    model.answer = {
        "statements": [statement(content="User lives in Suzhou: 苏州", quote="我住在苏州", about="user")]
    }
    tell(user, subject_id, "我住在苏州,每天骑车上班", clock)
    run_due(user.tenant_id)
    assert by_model(user, subject_id) == []


def test_the_model_is_shown_the_masked_form_only(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, model: ScriptedModel
) -> None:
    from memories.core.policy import Policy
    from memories.services.screen import screen

    text = "退款会打到 6222021234567890128 这张卡上,大概要等三个工作日"
    tell(user, subject_id, screen(text, Policy.default()).text_masked, clock)
    run_due(user.tenant_id)
    assert model.shown and "6222021234567890128" not in model.shown[0]


def test_a_model_that_is_down_is_asked_again(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, model: ScriptedModel
) -> None:
    model.answer, model.down = {"statements": [PROVEN]}, True
    tell(user, subject_id, TEXT, clock)
    run_due(user.tenant_id)
    assert by_model(user, subject_id) == []
    model.down = False
    clock.advance(minutes=1)
    run_due(user.tenant_id)
    assert by_model(user, subject_id) == [PROVEN["content"]]


def test_without_a_model_nothing_is_asked_for(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    tell(user, subject_id, TEXT, clock)
    with tenant_transaction(user.tenant_id):
        assert not Job.objects.filter(kind="learn_with_model").exists()


def test_what_is_forgotten_while_the_model_reads_is_not_learnt(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, model: ScriptedModel
) -> None:
    tell(user, subject_id, TEXT, clock)

    class Slow(ScriptedModel):
        def complete_json(
            self,
            messages: Sequence[ChatMessage],
            schema: Mapping[str, Any],
            timeout: float | None = None,
            meter: Meter | None = None,
        ) -> dict[str, Any]:
            clock.advance(minutes=1)
            with tenant_transaction(user.tenant_id):
                Episode.objects.filter(subject_id=subject_id).update(text="Our old ferry. [forgotten]")
            return {"statements": [PROVEN]}

    with factory.override(chat_model=Slow()):
        run_due(user.tenant_id)
    assert by_model(user, subject_id) == []


def test_who_answers_the_same_once_more_is_not_asked_a_third_time(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, model: ScriptedModel
) -> None:
    model.answer = {"statements": [{**PROVEN, "about": "Lavender"}]}
    tell(user, subject_id, TEXT, clock)
    run_due(user.tenant_id)
    assert len(model.shown) == 2


def test_two_facts_in_the_same_words_are_both_kept(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, model: ScriptedModel
) -> None:
    whole = {**PROVEN, "content": TEXT, "quote": TEXT}
    model.answer = {
        "statements": [whole, {**whole, "attribute": "capacity", "value": "twelve cars"}],
    }
    tell(user, subject_id, TEXT, clock)
    run_due(user.tenant_id)
    (kept,) = [memory for memory in current(user, subject_id) if memory.rule == "model.statement"]
    with tenant_transaction(user.tenant_id):
        values = set(Fact.objects.filter(memory_id=kept.id).values_list("value", flat=True))
    assert values == {"45 minutes", "twelve cars"}
