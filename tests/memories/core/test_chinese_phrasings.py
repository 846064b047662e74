"""Chinese as people write it: what changes, corrects, repeats and disputes something, and what is nobody's memory."""

from __future__ import annotations

import pytest

from memories.core.forgetting.targets import targets
from memories.core.values.deltas import shifted
from tests.memories.core.chinese_statements import CHANGES, Store, kept


@pytest.mark.parametrize(
    ("before", "now", "old", "new"),
    [
        ("我手机号是13812340000", "那个号不用了，我新手机号是15987654321", "1381234", "1598765"),
        ("我每天早上6点半起床", "最近太困了，起床时间改成7点了", "6点半", "7点"),
        ("我微信号是xiaoyu_88", "微信号换了哈，现在是yuyu_2026，别加错", "xiaoyu", "yuyu"),
        ("我的健身卡是月卡", "健身卡升级成年卡了，划算", "月卡", "年卡"),
        ("我信用卡额度是2万", "银行给我提额了，信用卡额度现在3万", "2万", "3万"),
        ("我的邮箱是lin.hao@qq.com", "邮箱我换成了lin.hao@outlook.com", "qq.com", "outlook"),
        ("我住12楼", "换房了，我现在住8楼", "12楼", "8楼"),
        ("我座位在A区12号", "行政让我们搬工位，我座位换到C区5号了", "A区", "C区"),
        ("我开的是一辆大众朗逸", "朗逸卖了，上周提了辆比亚迪汉", "朗逸", "比亚迪汉"),
        ("我现在住在苏州园区", "跟你说个事儿，上个礼拜终于搬到无锡了，累死我了", "苏州", "无锡"),
        ("老王在后勤部", "老王调到采购部了", "后勤部", "采购部"),
        ("阿杰的电话是13300001111", "阿杰换号了，他的新号码是13322223333", "1330000", "1332222"),
        ("我爸血糖是8.5", "我爸血糖控制得不错，降到6.2了", "8.5", "6.2"),
        ("我儿子上小学三年级", "开学了，我儿子升到四年级了", "三年级", "四年级"),
        ("我外婆住在养老院302房间", "外婆挪到了105房间，一楼方便些", "302", "105"),
        ("我奶奶82岁", "奶奶今天生日，83岁啦", "82", "83"),
        ("星河项目的负责人是陆远", "陆远休产假，星河项目改由白静负责", "陆远", "白静"),
        ("年会在喜来登办", "喜来登订不到，年会改在万豪办了", "喜来登", "万豪"),
        ("周会是周一上午10点", "通知：周会挪到周二下午3点", "周一", "周二"),
        ("我的爱奇艺会员是每月25块", "爱奇艺涨价了，会员每月30块了", "25", "30"),
        ("我们团队有6个人", "今天来了俩新人，团队有8个人了", "6", "8"),
        ("服务器用的是Ubuntu", "昨晚把服务器从Ubuntu换成Debian了", "Ubuntu", "Debian"),
        ("体检约在周四上午", "医院打电话，体检改约周六上午了", "周四", "周六"),
        ("婚礼的主持人是阿May", "阿May档期冲突，婚礼主持人换成大刘", "阿May", "大刘"),
        ("备用钥匙在鞋柜里", "备用钥匙我放到花盆底下了", "鞋柜", "花盆"),
        ("瑜伽课的学费是1200", "瑜伽课涨价了 学费现在1500", "1200", "1500"),
        ("装修预算10万", "超支了没办法，装修预算加到13万", "10万", "13万"),
    ],
)
def test_what_is_new_takes_the_place_of_what_was(before: str, now: str, old: str, new: str) -> None:
    store = Store()
    store.say(before)
    assert store.holds(old)
    store.say(now)
    assert store.holds(new)
    assert not store.holds(old)


@pytest.mark.parametrize(
    ("before", "now", "new"),
    [
        ("婚礼定在5月1号", "婚礼推迟一周", "5月8号"),
        ("我房租是3000", "房租涨了两百", "3200"),
        ("星河项目的预算是30万", "星河项目预算砍了5万", "25万"),
        ("我体重是70公斤", "体重又掉了2公斤", "68公斤"),
        ("截止日期是6月10日", "截止日期延后三天", "6月13日"),
        ("例会是下午3点", "例会提前半小时", "下午2点半"),
        ("会员一年是198元", "会员一年贵了20块", "218元"),
    ],
)
def test_a_difference_is_worked_out_from_what_is_known(before: str, now: str, new: str) -> None:
    store = Store()
    store.say(before)
    store.say(now)
    assert store.holds(new)
    assert len(store.held()) == 1


def test_a_difference_from_nothing_known_makes_no_value() -> None:
    store = Store()
    store.say("房租涨了两百")
    store.say("婚礼推迟一周")
    assert store.held() == []


def test_a_part_of_a_name_that_two_facts_share_means_neither() -> None:
    store = Store()
    store.say("我的爱奇艺会员是每月25块")
    store.say("我的网易云会员是每月15块")
    store.say("会员涨了5块")
    assert {fact.value for fact in store.held()} == {"每月25块", "每月15块"}


@pytest.mark.parametrize(
    ("value", "delta", "then"),
    [
        ("12月30号", "+3天", "明年1月2号"),
        ("3000元", "+10%", "3300元"),
        ("10:00", "+半小时", "10:30"),
        ("周五", "+两天", "周日"),
        ("一年", "+两年", "3年"),
        ("5月1号", "+200", None),
        ("3000", "-5000", None),
        ("蓝色", "+3", None),
    ],
)
def test_a_shift_keeps_the_notation_and_refuses_what_makes_no_sense(
    value: str, delta: str, then: str | None
) -> None:
    assert shifted(value, delta) == then


@pytest.mark.parametrize(
    ("before", "now", "new"),
    [
        ("我生日是3月12号", "不好意思打错了，我生日是3月21号", "21号"),
        ("快递单号是SF10086", "单号发错了，快递单号是SF10068", "SF10068"),
        ("我妈属马", "搞错了，我妈属羊", "羊"),
        ("项目代号是北极星", "抱歉，代号是启明星，北极星是上一个", "启明星"),
        ("手术是周三", "刚才说周三，嘴瓢了，手术是周四", "周四"),
        ("房东姓贺", "不对不对，房东姓何", "何"),
        ("票价是180", "看错了 票价是150", "150"),
        ("阿梅在妇产科", "阿梅不是在妇产科，是在儿科", "儿科"),
        ("面试在2月8号", "啊不是，面试在2月9号", "2月9号"),
    ],
)
def test_a_correction_replaces_what_was_wrong(before: str, now: str, new: str) -> None:
    store = Store()
    store.say(before)
    assert CHANGES & store.say(now)
    assert store.holds(new)


@pytest.mark.parametrize(
    ("before", "again"),
    [
        ("我住在苏州", "我还住苏州呢，没搬"),
        ("截止日期是周五", "嗯嗯，截止日期还是周五没变"),
        ("我女朋友是成都人", "我女朋友是四川成都人"),
        ("我今年28岁", "都28岁的人了还这样"),
        ("我不喝咖啡", "我从来不喝咖啡"),
        ("我住在苏州", "我小时候住在外婆家"),
        ("我住在苏州", "我这两天住在杭州的酒店，出差"),
        ("我住在苏州", "要是搬到杭州就好了"),
        ("我住在苏州", "听说老陈搬到杭州了"),
        ("我房租3200", "停车费一个月300"),
        ("我们团队有6个人", "隔壁团队有15个人"),
        ("我爸血糖是8.5", "我爸血压是140"),
        ("我家猫叫年糕", "我朋友家的猫叫汤圆"),
    ],
)
def test_a_repeat_and_another_matter_change_nothing(before: str, again: str) -> None:
    store = Store()
    store.say(before)
    assert not CHANGES & store.say(again)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我喜欢吃香菜", "我讨厌香菜"),
        ("我抽烟", "我不抽烟"),
        ("我妈在厦门", "我妈住在泉州"),
        ("我爸是警察", "我爸是木匠"),
    ],
)
def test_what_cannot_both_hold_is_seen(one: str, other: str) -> None:
    store = Store()
    store.say(one)
    assert CHANGES & store.say(other)


@pytest.mark.parametrize(
    ("said", "value", "negated"),
    [
        ("香菜我最讨厌了", "香菜", True),
        ("咖啡我只喝美式", "喝美式", False),
        ("比起爬山我更爱游泳", "游泳", False),
        ("榴莲这种东西我可受不了", "榴莲", True),
        ("俺就稀罕听豫剧", "听豫剧", False),
    ],
)
def test_likes_are_read_in_any_order(said: str, value: str, negated: bool) -> None:
    (one,) = kept(said)
    assert one.fact is not None
    assert (one.fact.attribute, one.fact.value, one.fact.negated) == ("likes", value, negated)


@pytest.mark.parametrize(
    "said",
    [
        "有个老头住在山脚下，养了三只羊",
        "电影里男主角是个杀手，住在纽约",
        "那个网友说他月薪五万",
        "大家都喜欢",
        "换工作是一件大事",
        "难道我还能不知道他住哪？",
        "这种方法的好处是简单",
        "每次下雨地铁都很挤",
        "如果我有一百万，我就辞职",
    ],
)
def test_stories_opinions_and_suppositions_teach_nothing(said: str) -> None:
    assert kept(said) == []


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("不想让你记得我生病的事", True),
        ("我跟老王吵架的事你就当没听过", True),
        ("之前说的体重别留着了", True),
        ("记不住单词怎么办", False),
        ("我最近老忘事", False),
        ("他忘记我生日了，好气", False),
    ],
)
def test_requests_to_forget_are_told_from_what_only_sounds_so(said: str, asks: bool) -> None:
    assert bool(targets(said)) is asks
