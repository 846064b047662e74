"""Requests to forget that are taken back in the same breath, repeat themselves, put the quantity first, or hold signs."""

from __future__ import annotations

import pytest

from memories.core.extraction.requests import asked
from memories.core.forgetting.target import Scope
from memories.core.forgetting.targets import targets


@pytest.mark.parametrize(
    "text",
    [
        "忘掉我的生日，不对，别忘",
        "忘掉我的电话。等等，先别删。",
        "删掉我的地址，算了，留着吧",
        "Forget my phone number. No wait, don't.",
        "Delete my address, actually, keep it",
        "Please erase my birthday. Hold on, leave it.",
    ],
)
def test_a_request_that_is_taken_back_is_none(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "忘掉我的电话，别忘了",
        "不对，忘掉我的电话",
        "Forget my phone, don't keep it",
        "Actually, forget my phone",
    ],
)
def test_insisting_takes_nothing_back(text: str) -> None:
    (one,) = targets(text)
    assert (one.scope, one.attributes) == (Scope.ATTRIBUTE, {"phone"})


def test_only_the_request_before_is_taken_back() -> None:
    (one,) = targets("忘掉我的电话。忘掉我的地址。不对，别忘。")
    assert one.attributes == {"phone"}


def test_the_same_request_once_more_is_one() -> None:
    (one,) = targets("Delete my address. Don't keep it.")
    assert (one.entity, one.attributes) == ("user", {"home"})


@pytest.mark.parametrize(
    "text", ["忘掉所有关于我的事", "忘记所有有关我的信息", "删掉一切关于我的内容", "忘掉所有我说过的话"]
)
def test_all_about_oneself_is_everything(text: str) -> None:
    assert [one.scope for one in targets(text)] == [Scope.EVERYTHING]


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("忘掉所有关于秦岚的事", "秦岚"),
        ("请把一切关于我上司的内容删掉", "user:boss"),
        ("删除全部关于我女儿的记忆", "user:daughter"),
    ],
)
def test_all_about_somebody_is_that_person(text: str, entity: str) -> None:
    assert [(one.scope, one.entity) for one in targets(text)] == [(Scope.ENTITY, entity)]


def test_a_sign_inside_a_name_makes_no_list_of_it() -> None:
    assert len(targets("forget everything about Vale (R&D)")) == 1
    both = targets("forget my phone & my address")
    assert [one.attributes for one in both] == [{"phone"}, {"home"}]
