"""What a request to forget must not take: somebody else's attribute, quoted requests, common words, what was said beside."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from memories.core.extraction.requests import asked
from memories.core.forgetting.matching import match
from memories.core.forgetting.reach import KnownFact, KnownMemory
from memories.core.forgetting.remains import nothing_left
from memories.core.forgetting.targets import targets


def memory(content: str, *facts: tuple[str, str, str]) -> KnownMemory:
    return KnownMemory(uuid.uuid4(), content, "fact", facts=tuple(KnownFact(*fact) for fact in facts))


MINE = memory("My phone is 5551234", ("user", "phone", "5551234"))
HERS = memory("Ines's phone is 5559876", ("Ines", "phone", "5559876"))
MY_DOG = memory("My dog is called Biscuit", ("user:dog", "name", "Biscuit"))


@pytest.mark.parametrize("request_", ["Forget his phone number", "忘掉他的电话", "把她的电话删掉"])
def test_another_ones_attribute_is_never_the_speakers_own(request_: str) -> None:
    [target] = targets(request_)
    alone = match(target, [MINE])
    assert alone.clear == alone.likely == ()
    both = match(target, [MINE, HERS])
    assert both.ask and MINE not in (*both.clear, *both.likely)
    assert HERS in (*both.clear, *both.likely)


def test_somebody_named_before_is_whom_the_pronoun_means() -> None:
    [target] = targets("Ines moved away, forget her phone number")
    found = match(target, [MINE, HERS])
    assert found.clear == (HERS,) and not found.ask


@pytest.mark.parametrize(
    "text",
    [
        'The manual says: "forget my phone number". Is that right?',
        "> forget my phone number\nWhat do you make of this mail?",
        "他发来一句“把我的电话忘掉”,什么意思",
        "她说「忘记我说过的话」",
    ],
)
def test_a_quoted_request_is_somebody_elses(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize("text", ['Forget "Project Falcon" please', "请把“王芳”忘掉"])
def test_a_quoted_name_can_be_forgotten(text: str) -> None:
    assert asked(text)


def test_a_common_word_is_asked_about_and_a_number_is_not() -> None:
    [target] = targets("delete 5551234")
    assert match(target, [MINE, HERS]).clear == (MINE,)
    assert not match(target, [MINE, HERS]).ask
    assert match(replace(target, value="called"), [MINE, MY_DOG]).ask


@pytest.mark.parametrize(
    "text",
    [
        "[forgotten] and my sister lives in Bonn.",
        "[forgotten]; the hotel costs too much.",
        "[forgotten], my brother plays chess with Anna.",
        "[已忘记],我妹妹住在波恩。",
    ],
)
def test_what_was_said_beside_is_something(text: str) -> None:
    assert not nothing_left(text)


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("我下周要去的云顶徒步·悠然寻秘，[已忘记]。", True),
        ("我喜欢的那家店，[已忘记]", True),
        ("我要去的书法体验会，[已忘记]", True),
        ("我下周要去的城南读书盛典，[已忘记]。", True),
        ("我常去的那家咖啡馆要搬走，[已忘记]", False),
        ("我上周买的手机坏了，[已忘记]", False),
    ],
)
def test_a_topic_whose_predicate_went_says_nothing_and_a_clause_still_does(text: str, empty: bool) -> None:
    assert nothing_left(text) is empty


@pytest.mark.parametrize(
    ("text", "goes"),
    [
        ("茶艺交流会不办了，规模不用记了，忘掉吧", True),
        ("苏州茶艺交流会不办了，规模不用记了，忘掉吧", False),
        ("“茶艺交流会”不办了，规模不用记了，忘掉吧", True),
    ],
)
def test_a_short_name_in_the_clause_before_finds_the_one_longer_name(text: str, goes: bool) -> None:
    known = [
        KnownMemory(
            uuid.uuid4(),
            "杭州茶艺交流会的规模是三百人",
            "fact",
            facts=(KnownFact("杭州茶艺交流会", "scale", "三百人"),),
        ),
        KnownMemory(
            uuid.uuid4(), "书法展的规模是五十人", "fact", facts=(KnownFact("书法展", "scale", "五十人"),)
        ),
    ]
    [target] = targets(text)
    wanted = next(iter(target.attributes))
    known = [
        replace(one, facts=tuple(replace(fact, attribute=wanted) for fact in one.facts)) for one in known
    ]
    matched = match(target, known)
    if goes:
        assert [one.id for one in matched.clear] == [known[0].id]
        assert not matched.ask
    else:
        assert matched.ask or not matched.clear
