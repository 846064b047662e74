"""Requests to forget as people speak: questions, dropped topics, lists, wishes, and what takes the place of what goes."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from memories.core.extraction.engine import extract
from memories.core.extraction.requests import asked
from memories.core.forgetting.matching import match
from memories.core.forgetting.reach import KnownFact, KnownMemory
from memories.core.forgetting.target import Scope
from memories.core.forgetting.targets import targets


def memory(content: str, *facts: tuple[str, str, str]) -> KnownMemory:
    return KnownMemory(uuid.uuid4(), content, "fact", facts=tuple(KnownFact(*fact) for fact in facts))


def stated(text: str) -> set[tuple[str, str, str]]:
    read = extract(text, role="user", speaker="", said_at=datetime(2026, 3, 2, tzinfo=UTC), tz=UTC)
    return {(one.subject, one.attribute, one.value or "") for one in read if one.attribute}


@pytest.mark.parametrize(
    "text",
    [
        "Can you forget stuff?",
        "Could you delete some memories?",
        "Can you forget what people tell you?",
        "Would you ever forget a conversation?",
        "你能忘记事情吗？",
        "你可以删除记忆吗？",
        "你能忘掉别人说的话吗？",
        "你能忘记不好的事情吗",
    ],
)
def test_what_the_assistant_is_able_to_do_is_only_asked(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Can you forget my nickname?",
        "Could you please forget things about Rosa?",
        "Can you delete the note about the boat?",
        "Would you forget where Rosa lives?",
        "你能忘掉我的昵称吗？",
        "能不能帮我把那件事忘了？",
        "你能忘掉王芳的电话吗",
        "可以忘掉关于罗莎的事吗？",
    ],
)
def test_a_request_may_have_the_form_of_a_question(text: str) -> None:
    assert asked(text)


@pytest.mark.parametrize(
    "text", ["Forget the boots", "delete everything about boots", "忘掉靴子", "把靴子删掉吧"]
)
def test_a_common_word_is_never_enough_to_take_texts_unasked(text: str) -> None:
    store = [
        memory("My boots are by the boots rack"),
        memory("靴子放在门口"),
        memory("Ann likes boots a lot"),
    ]
    for target in targets(text):
        found = match(target, store)
        assert found.ask or not found.clear or target.scope is not Scope.WORDS


@pytest.mark.parametrize(
    "text",
    [
        "算了，忘了吧，我们聊别的。",
        "没事，忘了吧",
        "忘了它吧，换个话题",
        "唉，算了，忘了吧。说点别的。",
        "忘了吧。咱们继续聊旅行。",
        "Never mind, forget it.",
        "Forget it. Let's talk about the garden.",
        "It's nothing, forget about it",
    ],
)
def test_dropping_a_topic_takes_no_memory(text: str) -> None:
    assert targets(text) == []


@pytest.mark.parametrize(
    "text", ["算了，把我的电话忘了吧", "那场展览取消了，忘了吧", "请忘掉刚才那句，我们聊别的"]
)
def test_what_is_named_is_asked_for_all_the_same(text: str) -> None:
    assert targets(text)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("Let's pretend I never told you my weight", "weight"),
        ("pretend I never mentioned my salary", "salary"),
        ("Act as if I hadn't told you about my blood type", "blood_type"),
        ("就当我没说过我的体重", "weight"),
        ("我的血型就当我没告诉过你", "blood_type"),
        ("就当没跟你说过我的工资吧", "salary"),
    ],
)
def test_what_is_to_count_as_unsaid_is_what_is_named(text: str, attribute: str) -> None:
    [target] = targets(text)
    assert target.scope is Scope.ATTRIBUTE and attribute in target.attributes and target.entity == "user"


@pytest.mark.parametrize("text", ["pretend I never said that", "Let's pretend I said nothing", "就当我没说"])
def test_without_a_name_it_is_what_was_said_last(text: str) -> None:
    assert all(target.scope is Scope.LAST for target in targets(text))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "Forget my aunt's and my uncle's birthdays",
            [("user:aunt", "birthday"), ("user:uncle", "birthday")],
        ),
        ("Forget Rosa and Tim's addresses", [("Rosa", "home"), ("Tim", "home")]),
        ("Forget my brother and sister's emails", [("user:brother", "email"), ("user:sister", "email")]),
        ("Forget both my parents' phone numbers", [("user:mother", "phone"), ("user:father", "phone")]),
        ("Forget my parents' ages", [("user:mother", "age"), ("user:father", "age")]),
        ("忘掉我姐姐和我哥哥的生日", [("user:older_sister", "birthday"), ("user:older_brother", "birthday")]),
        ("忘掉我爸妈的电话", [("user:mother", "phone"), ("user:father", "phone")]),
        ("忘掉王芳和李雷的邮箱", [("王芳", "email"), ("李雷", "email")]),
    ],
)
def test_owners_in_a_row_own_the_same(text: str, meant: list[tuple[str, str]]) -> None:
    found = targets(text)
    assert [one.entity for one in found] == [entity for entity, _ in meant]
    assert all(attribute in one.attributes for one, (_, attribute) in zip(found, meant, strict=True))


def test_somebody_named_in_a_list_goes_as_a_whole_only_after_a_yes() -> None:
    store = [memory("Rosa lives in Lugo", ("Rosa", "home", "Lugo"))]
    first, second = targets("Forget Rosa and my address")
    assert second.attributes == {"home"} and second.entity == "user"
    assert match(first, store).ask


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("帮我把提醒删了", "提醒"),
        ("把说明书删了吧", "说明书"),
        ("forget my ex Rosa", "my ex Rosa"),
        ("忘掉提案", "提案"),
    ],
)
def test_an_object_is_not_torn(text: str, words: str) -> None:
    [target] = targets(text)
    assert target.words == words and target.entity in {"", words}


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("Scratch my phone number from your records", "phone"),
        ("Strike my weight from your memory", "weight"),
        ("Cut my email out of your notes", "email"),
        ("I'd prefer you not to keep my salary", "salary"),
        ("I want you not to store my birthday", "birthday"),
        ("Please don't keep my weight on file", "weight"),
        ("Don't keep my email on record", "email"),
        ("Pretend you never heard about my age", "age"),
        ("I don't want you to know my weight", "weight"),
        ("You should have deleted my phone number by now", "phone"),
        ("我不想让你知道我的体重", "weight"),
        ("我不希望你知道我的工资", "salary"),
        ("你早该把我的邮箱删了", "email"),
    ],
)
def test_a_request_in_other_words(text: str, attribute: str) -> None:
    [target] = targets(text)
    assert target.entity == "user" and attribute in target.attributes


@pytest.mark.parametrize(
    "text",
    [
        "I don't want you to know my weight",
        "You should have forgotten my weight by now",
        "我不想让你知道我的体重",
    ],
)
def test_a_wish_or_a_complaint_is_asked_about(text: str) -> None:
    [target] = targets(text)
    assert match(target, [memory("My weight is 70 kg", ("user", "weight", "70 kg"))]).ask


@pytest.mark.parametrize(
    "text",
    [
        "Scratch my back, please",
        "Strike three!",
        "Cut my hair out of the photo",
        "I don't want you to know",
        "You should have called my mother by now",
        "Read my email from your notes",
        "I'd prefer you not to smoke",
        "我不想让我妈知道我的体重",
        "我不想知道他的工资",
        "你早该告诉我的",
        "我没跟你说过我的体重吗",
    ],
)
def test_what_only_sounds_alike(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Forget my old phone number, the new one is 5559876", ("user", "phone", "5559876")),
        ("Delete my email, it's now ines@example.org", ("user", "email", "ines@example.org")),
        (
            "Please forget my previous email because the new one is ines@example.org",
            ("user", "email", "ines@example.org"),
        ),
        ("Forget my old phone number. The new one is 5559876.", ("user", "phone", "5559876")),
        ("My new phone number is 5559876, forget the old one", ("user", "phone", "5559876")),
        ("Forget where I live, I moved to Namur", ("user", "home", "Namur")),
        ("把我妈的电话删了吧，换成13700000000了", ("user:mother", "phone", "13700000000")),
        ("忘掉我的旧邮箱，新的是ines@example.org", ("user", "email", "ines@example.org")),
        ("把我的旧号码删掉。新号码是13700000000。", ("user", "phone", "13700000000")),
        ("我的新邮箱是ines@example.org，旧的忘掉吧", ("user", "email", "ines@example.org")),
        ("别忘了我的生日是六月八日", ("user", "birthday", "六月八日")),
        ("千万别忘了我女儿叫小满", ("user:daughter", "name", "小满")),
    ],
)
def test_what_takes_its_place_is_learnt(text: str, new: tuple[str, str, str]) -> None:
    assert new in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "Forget my phone number, it's 5551234",
        "忘掉我的电话，我的电话是13700000000",
        "我住在无锡，忘掉吧",
        "I live in Ghent, forget that",
        "Forget that my new phone number is 5551234",
    ],
)
def test_what_is_to_be_forgotten_is_not_learnt_from_the_request(text: str) -> None:
    assert stated(text) == set()


@pytest.mark.parametrize("text", ["别忘了给我妈打电话", "别忘了明天是妈妈生日", "别忘了我的药"])
def test_a_reminder_stays_one(text: str) -> None:
    read = extract(text, role="user", speaker="", said_at=datetime(2026, 3, 2, tzinfo=UTC), tz=UTC)
    assert [str(one.kind) for one in read] == ["todo"]


@pytest.mark.parametrize(
    "text",
    [
        "Forget my old phone number, the new one is 5559876",
        "My new phone number is 5559876, forget the old one",
        "忘掉我的旧号码，新的是5559876",
        "我的新号码是5559876，旧的忘掉吧",
    ],
)
def test_the_old_one_is_what_holds_until_now_and_never_the_new(text: str) -> None:
    old = memory("My phone is 5551234", ("user", "phone", "5551234"))
    new = memory("My phone is 5559876", ("user", "phone", "5559876"))
    [target] = targets(text)
    assert match(target, [old, new]).clear == (old,)
