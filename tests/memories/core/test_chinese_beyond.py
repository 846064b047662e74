"""Chinese clauses that tell of a text, a program, a game or the world, and values of another thing: nothing of the speaker's changes."""

from __future__ import annotations

import pytest

from tests.memories.core.chinese_statements import CHANGES, Store, kept


@pytest.mark.parametrize(
    "said",
    [
        "网关接口返回502",
        "终端输出是31",
        "脚本现在跑6分钟就卡死",
        "索引用联合索引",
        "例句里的火车晚上9点开",
        "教材里的班级有48个人",
        "患者女，61岁，头晕两天",
        "用料：排骨两根，姜三片",
        "步骤：先把锅烧到200度",
        "白糖30克，黄油50克",
        "字号调成14",
        "按钮挪到右上角",
        "精简到150字",
        "不超过5句话",
        "超时改成20再跑一下",
        "美联储把利率上调到5%",
        "大盘涨到3600点了",
        "地球的直径是12742公里",
        "战力有九千",
        "都10月了，时间过得真快",
        "同事的朋友搬去了冰岛",
        "设计师都用数位板",
        "新款平板现在12GB内存",
        "江西的一座古镇",
        "黄河全长5464公里",
    ],
)
def test_what_is_nobody_s_is_not_kept(said: str) -> None:
    assert [one.fact for one in kept(said) if not one.open] == []


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("我们项目的接口超时是15秒", "15秒"),
        ("语文中考定在6月14日", "6月14日"),
        ("论文中期答辩定在5月8日", "5月8日"),
        ("我的小说写到8万字了", "8万字"),
        ("等级考试定在6月2日", "6月2日"),
        ("我们团队用语雀", "语雀"),
        ("我家的开标签机在三楼", "三楼"),
    ],
)
def test_what_only_sounds_like_it_is_kept(said: str, value: str) -> None:
    store = Store()
    store.say(said)
    assert store.holds(value), store.held()


@pytest.mark.parametrize(
    ("first", "then", "value"),
    [
        ("我们公司在厦门", "英特尔把公司搬到了新加坡", "厦门"),
        ("我车贷利率5.1%", "欧洲央行把利率降到2%", "5.1%"),
        ("我平板6GB内存", "新款平板现在12GB内存", "6GB"),
        ("我妈血糖6.8", "文中患者血糖降到5.2", "6.8"),
        ("提案的截止日期是周四", "邮件里截止日期改到周一了", "周四"),
        ("简介700字", "精简到200字", "700字"),
        ("海报背景是米色", "背景换成灰色", "米色"),
        ("我家狗粮120块", "超市的狗粮涨到150块了", "120块"),
        ("我家门锁密码是842617", "酒店门锁密码改成330011了", "842617"),
        ("我住在宁波鄞州区", "旧沙发没人要，搬到阳台了", "宁波"),
        ("我住在宁波鄞州区", "刚搬进新办公室", "宁波"),
    ],
)
def test_another_thing_s_value_replaces_nothing(first: str, then: str, value: str) -> None:
    store = Store()
    store.say(first)
    assert store.holds(value)
    assert not CHANGES & store.say(then)
    assert store.holds(value), store.held()


@pytest.mark.parametrize(
    ("first", "then", "values"),
    [
        ("我们用Redis", "我们也用Kafka", ("Redis", "Kafka")),
        ("我主要用Rust", "我还用Swift", ("Rust", "Swift")),
        ("我追权力的游戏", "我追漫长的季节", ("权力的游戏", "漫长的季节")),
        ("我报了陶艺班", "我报了书法班", ("陶艺班", "书法班")),
        ("我约了皮肤科", "我约了牙医", ("皮肤科", "牙医")),
    ],
)
def test_a_second_one_without_a_word_of_change_stands_beside_the_first(
    first: str, then: str, values: tuple[str, ...]
) -> None:
    store = Store()
    store.say(first)
    assert not CHANGES & store.say(then)
    known = [fact.value for fact in store.held()]
    assert any(values[0] in one for one in known), known


def test_the_hotel_s_own_value_changes_with_the_hotel() -> None:
    store = Store()
    store.say("酒店门锁密码是330011")
    store.say("酒店门锁密码改成778899了")
    assert (store.holds("778899"), store.holds("330011")) == (True, False), store.held()
