"""Chinese clauses that look like a statement and say something else: what is broken, denied, excepted, compared, joked or only said of a value."""

from __future__ import annotations

from datetime import datetime
from time import process_time
from zoneinfo import ZoneInfo

import pytest

from memories.core.extraction import extract
from memories.core.extraction.candidate import Candidate
from memories.core.forgetting.targets import targets
from memories.core.pii.detection import detect
from memories.core.text.words import tagged, whole_characters
from memories.core.times.parsing import parse_times
from tests.memories.core.chinese_statements import Store

ZONE = ZoneInfo("Asia/Shanghai")
MAY = datetime(2026, 5, 6, 9, tzinfo=ZONE)


def read(text: str) -> list[Candidate]:
    return extract(text, role="user", speaker="", said_at=MAY, tz=ZONE)


def facts(text: str) -> list[tuple[str, str, str, bool]]:
    return [(one.subject, one.attribute, one.value or "", one.negated) for one in read(text) if one.attribute]


@pytest.mark.parametrize(
    ("known", "said", "kept"),
    [
        ("我的电话是13911112222", "手机坏了", "13911112222"),
        ("我的电话是13911112222", "我手机丢了", "13911112222"),
        ("我用的平板是MatePad", "平板没电了", "MatePad"),
        ("我的邮箱是zhu@example.com", "我的邮箱停用了", "zhu@example.com"),
        ("我的身高是172厘米", "身高没了", "172"),
        ("我的月薪是9000元", "月薪停了", "9000"),
        ("彩排定在四点半", "彩排不推迟了，还是四点半", "四点半"),
        ("我弟弟住在泉州", "我弟弟不单身了", "泉州"),
        ("标书的截止日期是周五", "改成四点了", "周五"),
        ("我的电话是13911112222", "电话换成振动了", "13911112222"),
        ("我的体重是62公斤", "我的体重是个谜", "62"),
    ],
)
def test_what_is_no_end_and_no_value_leaves_the_fact(known: str, said: str, kept: str) -> None:
    store = Store()
    store.say(known)
    assert store.holds(kept)
    store.say(said)
    assert store.holds(kept)
    assert len({fact.value for fact in store.held()}) == 1


def test_a_clock_time_takes_the_place_of_the_clock_time() -> None:
    store = Store()
    store.say("彩排定在下午两点")
    store.say("标书的截止日期是周五")
    store.say("改成四点了")
    assert {fact.value for fact in store.held()} == {"四点", "周五"}


@pytest.mark.parametrize(
    ("known", "said", "gone"),
    [
        ("我会弹吉他", "吉他早就不弹了", "吉他"),
        ("我有一辆摩托车", "摩托车卖了", "摩托车"),
        ("我在学剪纸", "剪纸不学了", "剪纸"),
    ],
)
def test_what_is_over_still_ends(known: str, said: str, gone: str) -> None:
    store = Store()
    store.say(known)
    store.say(said)
    assert not store.holds(gone)


@pytest.mark.parametrize(
    "text",
    [
        "我叫了辆出租", "我叫了两份盒饭", "我叫外卖了", "现在放不下了", "我买不起了", "我快搬到宁波了", "我搬到宁波了，逗你玩的",
        "我搬到宁波了。开玩笑的！", "我的邮箱坏了", "我不在乎了", "我的血压跟上个月比没变", "除了周二我都在家办公", "我爸不在状态了",
    ],
)  # fmt: skip
def test_what_says_nothing_that_holds_is_no_memory(text: str) -> None:
    assert [one for one in read(text) if one.attribute or one.valid_from] == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("我最喜欢的水果不是榴莲了", [("user", "favorite_水果", "榴莲", True)]),
        ("我最爱的季节早就不是夏天了，现在是秋天", [("user", "favorite_季节", "夏天", True), ("user", "favorite_季节", "秋天", False)]),
        ("我最喜欢的作家不是余华，是莫言", [("user", "favorite_作家", "莫言", False)]),
        ("我的网名不叫山雨了", [("user", "nickname", "山雨", True)]),
        ("住在厦门的是我表姐", [("user:表姐", "home", "厦门", False)]),
        ("我不住泉州已经两年了", [("user", "home", "泉州", True)]),
        ("组长从小冯换成小蔡", [("user:组长", "name", "小蔡", False)]),
        ("阿岩接替大鹏当了我们的队长", [("user:队长", "name", "阿岩", False)]),
        ("我女儿不在青石小学了，转到了云塘小学", [("user:daughter", "school", "青石小学", True), ("user:daughter", "school", "云塘小学", False)]),
        ("原来两点的彩排现在五点开", [("彩排", "time", "五点", False)]),
    ],
)  # fmt: skip
def test_what_is_denied_moved_or_turned_round_is_read_so(
    text: str, meant: list[tuple[str, str, str, bool]]
) -> None:
    assert facts(text) == meant


def test_before_retiring_is_over() -> None:
    (job,) = read("我妈退休前是会计")
    assert (job.subject, job.value) == ("user:mother", "会计")
    assert job.valid_to is not None
    assert job.valid_to <= MAY


@pytest.mark.parametrize("text", ["七月以后我就不在宏达上班了", "7月起我不在宏达上班了"])
def test_an_open_beginning_lies_ahead_and_has_no_end(text: str) -> None:
    (ended,) = read(text)
    assert (ended.attribute, ended.value, ended.negated, ended.valid_to) == ("employer", "宏达", True, None)
    assert ended.valid_from == datetime(2026, 7, 1, tzinfo=ZONE)


@pytest.mark.parametrize(
    "text", ["除了周三我都在", "除周三以外都行", "比去年胖了", "跟上周相比好多了", "和昨天一样"]
)
def test_an_excepted_or_compared_time_is_no_date(text: str) -> None:
    assert parse_times(text, MAY, ZONE) == []


def test_half_a_character_is_read_like_any_other_odd_one() -> None:
    odd = "我住在\ud800泉州，电话是13911112222"
    assert whole_characters(odd) == odd.replace("\ud800", "\ufffd")
    assert [word for word, _ in tagged("\udfff泉州")] == ["\ufffd", "泉州"]
    assert [odd[one.start : one.end] for one in detect(odd)] == ["13911112222"]
    assert ("user", "phone", "13911112222", False) in facts(odd)
    targets(f"忘掉{odd}")


def test_blank_text_has_no_predicate() -> None:
    assert read("我  ") == []
    assert read("，  ，") == []


@pytest.mark.parametrize("adverb", ["早就", "早已", "刚刚", "已经", "从小就", "也都还又", "现在就"])
def test_repeated_adverbs_are_read_once(adverb: str) -> None:
    before = process_time()
    assert facts(f"我{adverb * 50}") == []
    assert process_time() - before < 1


@pytest.mark.parametrize(
    "thing", ["校庆晚会", "骨科专家研讨会", "古琴文化之旅", "野营技能培训班", "厨房用品展销会"]
)
def test_a_thing_that_changed_owns_what_the_next_clause_names(thing: str) -> None:
    """Whether it is one word or four: the clause after it says what of it is another now."""
    assert facts(f"{thing}改了，人数变成三百。") == [(thing, "scale", "三百", False)]
