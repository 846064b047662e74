"""What a request to forget leaves out stays: in the memories, in the texts and in the label; nothing goes where that is not known."""

from __future__ import annotations

import uuid

import pytest

from memories.core.extraction.requests import asked
from memories.core.forgetting.exceptions import NOT_UNDERSTOOD
from memories.core.forgetting.marks import masked
from memories.core.forgetting.matching import match
from memories.core.forgetting.reach import KnownFact, KnownMemory
from memories.core.forgetting.target import Target
from memories.core.forgetting.targets import targets
from memories.core.forgetting.texts import Spec, spans
from memories.services.forget_labels import described


def memory(content: str, *facts: tuple[str, str, str]) -> KnownMemory:
    return KnownMemory(uuid.uuid4(), content, "fact", facts=tuple(KnownFact(*fact) for fact in facts))


NAME = memory("My name is Ines", ("user", "name", "Ines"))
HOME = memory("I live in Namur", ("user", "home", "Namur"))
PHONE = memory("My phone is 5551234", ("user", "phone", "5551234"))
TIM_HOME = memory("Tim lives in Lille", ("Tim", "home", "Lille"))
TIM_PHONE = memory("Tim's phone is 5559876", ("Tim", "phone", "5559876"))
WIFE = memory("我老婆的电话是5557788", ("user:wife", "phone", "5557788"))
LOOSE = memory("The cellar is damp")
ALL = [NAME, HOME, PHONE, TIM_HOME, TIM_PHONE, WIFE, LOOSE]


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Forget everything about me except my name", {NAME}),
        ("Delete all my data apart from where I live, please", {HOME}),
        ("Erase everything but my name and my phone", {NAME, PHONE}),
        ("Forget everything except my name, my phone and where I live", {NAME, PHONE, HOME}),
        ("Forget all about me, but keep my name", {NAME}),
        ("Keep my phone and forget everything else", {PHONE}),
        ("Aside from my name, wipe everything you know about me", {NAME}),
        ("Forget everything about me. But please keep my name.", {NAME}),
        ("Keep my name. Forget everything else.", {NAME}),
        ("Forget everything about me; my phone should stay", {PHONE}),
        ("Forget everything about me, just don't delete Tim's phone", {TIM_PHONE}),
        ("忘掉我的一切，但是名字留着", {NAME}),
        ("除了名字，其他都忘了吧", {NAME}),
        ("除了名字全忘掉", {NAME}),
        ("忘掉除名字以外的一切", {NAME}),
        ("除我的名字之外，把我的所有记忆都清除", {NAME}),
        ("把我的信息全删了，除了我的名字和我的电话", {NAME, PHONE}),
        ("只保留我的名字，其余的都删掉", {NAME}),
        ("把我所有的事都忘掉吧。不过我的名字要记住。", {NAME}),
    ],
)
def test_all_goes_but_what_is_left_out_and_it_is_asked_first(text: str, stays: set[KnownMemory]) -> None:
    [target] = targets(text)
    found = match(target, ALL)
    assert found.ask
    assert {one.content for one in ALL} - {one.content for one in found.clear} == {
        one.content for one in stays
    }


@pytest.mark.parametrize(
    ("text", "goes"),
    [
        ("Forget everything about Tim except his phone", {TIM_HOME}),
        ("Could you wipe everything you have on Tim, but not where he lives?", {TIM_PHONE}),
        ("关于Tim的事都忘掉，电话保留", {TIM_HOME}),
        ("把我老婆以外的电话都忘掉", {PHONE, TIM_PHONE}),
    ],
)
def test_what_is_left_out_of_a_part_stays(text: str, goes: set[KnownMemory]) -> None:
    [target] = targets(text)
    found = match(target, ALL)
    taken = {one.content for one in (*found.clear, *found.likely)}
    assert not taken or found.ask
    assert taken <= {one.content for one in goes}


@pytest.mark.parametrize(
    "text",
    [
        "Forget everything about me except my shoe size",
        "Forget everything except the thing with the boat",
        "忘掉我的一切，除了我的鞋码",
        "never store anything about me except my name",
        "Forget the rest",
    ],
)
def test_nothing_goes_where_what_is_left_out_is_not_known(text: str) -> None:
    [target] = targets(text)
    found = match(target, ALL)
    assert found.why == NOT_UNDERSTOOD
    assert found.clear == found.likely == ()


@pytest.mark.parametrize("text", ["Forget my phone but keep my email", "忘掉我的电话，邮箱留着"])
def test_what_could_not_be_meant_anyhow_leaves_nothing_out(text: str) -> None:
    [target] = targets(text)
    assert target.kept == ()
    assert match(target, ALL).clear == (PHONE,) and not match(target, ALL).ask


@pytest.mark.parametrize(
    ("request_", "text", "left"),
    [
        (
            "Forget everything except my name",
            "Hello. My name is Ines. I live in Namur.",
            "[forgotten]My name is Ines[forgotten]",
        ),
        (
            "Forget everything about Tim except where he lives",
            "Tim's phone is 5559876. Tim lives in Lille.",
            None,
        ),
    ],
)
def test_the_words_that_say_it_stay_in_texts(request_: str, text: str, left: str | None) -> None:
    [target] = targets(request_)
    found = match(target, ALL)
    rest = masked(text, spans(text, Spec(found.reach)))
    assert rest == left if left is not None else "Lille" in rest and "5559876" not in rest


def test_it_survives_being_stored_and_is_told() -> None:
    [target] = targets("Forget everything about me except my name")
    assert Target.of_data(target.as_data()) == target
    assert described(target) == "everything about you, except your name"
    [target] = targets("忘掉我的一切，除了我的名字")
    assert described(target) == "你的全部记忆(你的名字除外)"


@pytest.mark.parametrize(
    "text",
    [
        "I like everything except mushrooms.",
        "除了周末我都在公司",
        "除了他的名字，我都忘了",
        "I forgot everything but her name.",
        "Keep my keys by the door.",
        "除了香菜我什么都吃",
    ],
)
def test_an_exception_alone_asks_for_nothing(text: str) -> None:
    assert asked(text) == []
