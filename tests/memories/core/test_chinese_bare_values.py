"""Chinese turns that leave out of what they speak: bare values, admitted mistakes, things that are over, and what is nothing of the sort."""

from __future__ import annotations

import pytest

from tests.memories.core.chinese_statements import CHANGES, Store


@pytest.mark.parametrize(
    ("before", "now", "old", "new"),
    [
        ("游泳课定在周二", "挪到周四了", "周二", "周四"),
        ("我的体重是71公斤", "练了半年，降到66公斤了", "71", "66"),
        ("我骑的是一辆捷安特", "捷安特被偷以后，换成了一辆美利达", "捷安特", "美利达"),
        ("我的家庭医生是钱医生", "钱医生调走了，接手的是贺医生", "钱医生", "贺医生"),
        ("陶社的鼓手是阿岩", "阿岩不来了，鼓手由阿棠顶上", "阿岩", "阿棠"),
        ("书法群里有30人", "书法群热闹多了，现在52人", "30", "52"),
        ("表妹在绍兴工作", "表妹被派去湖州了", "绍兴", "湖州"),
        ("我夜宵一般吃馄饨", "夜宵改吃水果了", "馄饨", "水果"),
    ],
)
def test_a_bare_value_takes_the_place_of_its_like(before: str, now: str, old: str, new: str) -> None:
    store = Store()
    store.say(before)
    assert store.holds(old)
    store.say(now)
    assert (store.holds(new), store.holds(old)) == (True, False)


@pytest.mark.parametrize(
    ("before", "now", "old", "new"),
    [
        ("储物柜的编号是C-207", "看岔了，C-270", "C-207", "C-270"),
        ("我的鞋码是39", "鞋码写小了，我穿40的", "39", "40"),
        ("我婶婶的生日是3月8号", "报反了，是8月3号", "3月8", "8月3"),
        ("诗集有180页", "诗集没有180页，是108页", "180", "108"),
        ("阿棠老家是泉州的", "阿棠老家不在泉州，在漳州", "泉州", "漳州"),
    ],
)
def test_an_admitted_mistake_tells_what_the_next_clause_puts_right(
    before: str, now: str, old: str, new: str
) -> None:
    store = Store()
    store.say(before)
    assert store.holds(old)
    store.say(now)
    assert (store.holds(new), store.holds(old)) == (True, False)


@pytest.mark.parametrize(
    ("before", "now", "gone"),
    [
        ("我有一台缝纫机", "缝纫机早就卖了", "缝纫机"),
        ("我在学剪纸", "剪纸不学了", "剪纸"),
        ("我喝酒", "我戒酒了", "喝酒"),
        ("我住在单位宿舍", "我不住宿舍了", "宿舍"),
        ("我男朋友叫阿岩", "我跟阿岩分手了", "阿岩"),
    ],
)
def test_what_is_over_holds_no_longer(before: str, now: str, gone: str) -> None:
    store = Store()
    store.say(before)
    assert store.holds(gone)
    store.say(now)
    assert not store.holds(gone)


@pytest.mark.parametrize(
    "said",
    ["已经12点了，快睡吧", "都三天了还没好", "水烧到100度了", "雨停了", "他们聊到半夜了", "我不想去了"],
)
def test_the_hour_the_weather_and_what_was_never_known_change_nothing(said: str) -> None:
    store = Store()
    for one in ("读诗会是下午3点", "我的体重是71公斤", "工期是30天", "我有一台缝纫机"):
        store.say(one)
    before = {fact.value for fact in store.held()}
    assert not CHANGES & store.say(said)
    assert {fact.value for fact in store.held()} == before


@pytest.mark.parametrize(
    ("said", "slot", "value"),
    [
        ("窗帘是墨绿色的", ("窗帘", "color"), "墨绿色"),
        ("水箱是80升的", ("水箱", "升数"), "80升"),
        ("编辑器是用Rust写的", ("编辑器", "built_with"), "Rust"),
        ("我在一家出版社校稿", ("user", "employer"), "出版社"),
        ("我报的是晚班", ("user", "报的"), "晚班"),
        ("我没有驾照", ("user", "owns:驾照"), "驾照"),
    ],
)
def test_what_a_thing_is_like_and_what_one_has_is_read(said: str, slot: tuple[str, str], value: str) -> None:
    store = Store()
    store.say(said)
    [fact] = store.held()
    assert ((fact.entity, fact.attribute), fact.value) == (slot, value)


@pytest.mark.parametrize("said", ["我改喝花茶了", "我改吃素了", "他改打网球了"])
def test_what_one_does_instead_is_no_swapped_thing(said: str) -> None:
    store = Store()
    store.say("阿岩是我同事")
    store.say(said.replace("他", "阿岩"))
    assert any(fact.attribute.startswith("does:") and not fact.negated for fact in store.held())


@pytest.mark.parametrize("said", ["我有压力", "我没胃口", "我没吃过藕粉", "我的班车早上7点发车"])
def test_what_is_felt_and_what_only_ends_alike_is_nothing_one_has(said: str) -> None:
    store = Store()
    store.say(said)
    assert not any(fact.attribute.startswith("owns:") or fact.attribute == "car" for fact in store.held())
