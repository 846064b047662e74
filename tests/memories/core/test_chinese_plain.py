"""Chinese clauses of any verb: what they state lastingly is kept, found again when it changes, and nothing is made of the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.placement.placing import Place
from tests.memories.core.chinese_statements import CHANGES, Store, kept


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("阳台的地砖铺的是青灰色", "青灰色"),
        ("狗粮我一直买海洋之星的", "海洋之星"),
        ("备份放百度云", "百度云"),
        ("寄件都用京东快递", "京东快递"),
        ("鱼食放在水槽下面的柜子", "水槽下面的柜子"),
        ("论文写到42页", "42页"),
        ("我台式机32GB内存", "32GB"),
        ("期末展演6月18日", "6月18日"),
        ("车贷每月要还3150", "3150"),
        ("我抖音粉丝有两万", "两万"),
        ("这次差旅补助是每天180", "180"),
        ("我家狗五岁了", "五岁"),
        ("合唱团一共26个人", "26"),
        ("我上班骑共享单车", "共享单车"),
        ("我周报一般九点写", "九点"),
        ("我舅舅住绍兴", "绍兴"),
        ("我出生在洛阳", "洛阳"),
        ("我上夜班", "夜班"),
        ("周五下午两点有个体检", "周五下午两点"),
        ("闺女学书法两年了", "书法"),
    ],
)
def test_what_is_stated_by_any_verb_is_kept(said: str, value: str) -> None:
    store = Store()
    store.say(said)
    assert store.holds(value), store.held()


@pytest.mark.parametrize(
    "said",
    [
        "我买了三斤橘子",
        "那家店卖豆浆",
        "他用的是二手电脑",
        "这部片子讲的是航海",
        "我在看说明书",
        "我想换个安静的地方",
        "海水是咸的",
        "跑步有三个好处",
        "我等了四十分钟",
        "提高服务的质量",
        "我五岁的时候",
        "我养的花",
        "最近在收集旧邮票",
        "别超过20个字",
        "请给我列3个例子",
        "走快一点",
        "要涨到80了",
        "听说下个月涨到80",
        "我被安排到外地",
        "网上都在传这件事",
    ],
)
def test_what_is_no_lasting_fact_of_anything_is_not_kept(said: str) -> None:
    assert [one.fact for one in kept(said) if one.rule == "zh.plain"] == []


@pytest.mark.parametrize(
    ("first", "then", "old", "new"),
    [
        ("论文写到42页", "论文现在已经57页了", "42", "57"),
        ("狗粮我一直买海洋之星的", "挑食，狗粮换成冠能了", "海洋之星", "冠能"),
        ("年会订的半岛", "半岛没档期了，行政重新订了喜来登", "半岛", "喜来登"),
        ("我们店主打粤菜", "我们店现在改做潮菜了", "粤菜", "潮菜"),
        ("集成测试通过率61%", "修了一天，通过率上到83%", "61", "83"),
        ("网关超时设的3s", "压测发现超时太短，我把它调到800ms", "3s", "800ms"),
        ("咖啡豆我都买云南的，一包六十块", "咖啡豆从六十块涨到七十五块了", "六十", "七十五"),
        ("我上夜班", "这个月起全排早班了", "夜班", "早班"),
        ("我的直属领导是钟总", "组织调整了，现在我跟石总汇报", "钟总", "石总"),
        ("部门春游定在5月9号", "春游往后挪了，16号才去", "9号", "16号"),
        ("周五下午两点有个体检", "医院打电话来，体检改到周六上午十点了", "周五", "周六"),
        ("我的滑雪镜是350度", "去验光，度数涨到425了", "350", "425"),
        ("我同桌是何雨桐", "换座位了，我同桌变成方子昂了", "何雨桐", "方子昂"),
        ("吴姐是我们片区主管", "吴姐调走了，我们片区主管换成了阿坤", "吴姐", "阿坤"),
        ("我们厂的厂长是姜卫东", "姜厂长退了，新厂长是贺敏", "姜卫东", "贺敏"),
        ("儿子的篮球课在每周三下午", "篮球课老师有事，儿子篮球课固定换到周五上午", "周三", "周五"),
        ("房子租在越秀", "受不了了搬到番禺", "越秀", "番禺"),
        ("寄件地址填的建设路12号", "寄件地址麻烦更新下：和平路305号2栋", "建设路", "和平路"),
        ("我的机位在B区07号", "重新分机位，我被安排到D区15号", "B区07", "D区15"),
        ("结题材料9月1日前要交", "通知宽限了，截止改成9月25日", "9月1日", "9月25日"),
    ],
)
def test_a_change_takes_the_place_of_what_was_stated(first: str, then: str, old: str, new: str) -> None:
    store = Store()
    store.say(first)
    assert store.holds(old)
    store.say(then)
    assert (store.holds(new), store.holds(old)) == (True, False), store.held()


@pytest.mark.parametrize(
    ("first", "then", "value"),
    [
        ("我的工位在3楼", "同事小何把工位换到6楼了", "3楼"),
        ("论文写到42页", "师妹的论文都写到90页了", "42页"),
        ("期末展演6月18日", "隔壁班期末展演6月25日", "6月18日"),
        ("狗粮我一直买海洋之星的", "狗粮还是买海洋之星", "海洋之星"),
        ("我家狗五岁了", "邻居家那条狗都十一岁了", "五岁"),
    ],
)
def test_another_s_value_and_a_repetition_leave_the_fact(first: str, then: str, value: str) -> None:
    store = Store()
    store.say(first)
    assert not CHANGES & store.say(then)
    assert store.holds(value)


def test_a_change_of_what_two_things_have_is_kept_beside_them() -> None:
    store = Store()
    store.say("单元测试覆盖率40%")
    store.say("接口测试覆盖率55%")
    assert Place.SUPERSEDE not in store.say("覆盖率上到62%")
    assert store.holds("40%") and store.holds("55%")


TOPICS = st.builds(lambda a, b: a + b, st.sampled_from(["标书", "剧本", "手册", "画册", "教案"]), st.just(""))
COUNTS = st.tuples(st.integers(2, 400), st.integers(2, 400)).filter(lambda pair: pair[0] != pair[1])


@given(TOPICS, COUNTS, st.sampled_from("页章节张条"), st.sampled_from(["写到", "一共", "目前", "现在有", ""]), st.sampled_from(["现在{n}了", "都{n}了", "{t}已经{n}了", "{t}加到{n}了", "{t}现在一共{n}"]))  # fmt: skip
def test_a_count_of_a_thing_follows_its_changes(
    topic: str, counts: tuple[int, int], unit: str, verb: str, form: str
) -> None:
    old, new = (f"{one}{unit}" for one in counts)
    store = Store()
    store.say(f"{topic}{verb}{old}")
    store.say(form.format(t=topic, n=new))
    assert {fact.value.lstrip("有") for fact in store.held()} == {new}
