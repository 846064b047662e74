"""Chinese changes in other clothes: behind who gave notice of them, in any verb with its result, of a thing named only in part."""

from __future__ import annotations

import pytest

from tests.memories.core.chinese_statements import CHANGES, Store


def _told(known: str, said: str) -> Store:
    store = Store()
    store.say(known)
    store.say(said)
    return store


@pytest.mark.parametrize(
    ("known", "said", "old", "new"),
    [
        # who gave notice, who made the speaker do it, what happened before
        ("路演定在7月3号", "主办方通知路演提前到6月28号", "7月3号", "6月28号"),
        ("我报的是油画的白天班", "白天班停课了，老师让我转去了夜班", "白天班", "夜班"),
        ("我的分机号是4402", "换了办公室之后分机号成了4519", "4402", "4519"),
        # any verb with what it comes to, and 改 before what is done now
        ("尾款是38万", "来回磨了几轮，尾款最后压成36万5", "38万", "36万5"),
        ("我堂姐的复查间隔是30天", "大夫把堂姐的复查间隔修正为45天", "30天", "45天"),
        ("我家天台种的是番茄", "天台改种辣椒了", "番茄", "辣椒"),
        ("洗衣机是西门子的", "洗衣机换了个海尔", "西门子", "海尔"),
        ("沙龙地点选在青岛", "沙龙不去青岛了，去威海", "青岛", "威海"),
        ("张总的秘书是小梁", "张总的秘书暂时由小邵担任", "小梁", "小邵"),
        # the thing is named in part, or its old value is
        ("我的宽带套餐是89块的", "客服给我办成了69块的套餐", "89块", "69块"),
        ("夏令营集合时间是8点", "教务老师通知夏令营集合推迟到9点半", "8点", "9点半"),
        ("人民币账户余额三万", "刚交完学费，余额剩一万二", "三万", "一万二"),
        ("我爸的膏药一天一片", "大夫说可以减量，膏药减到两天一片", "一天一片", "两天一片"),
        ("我妈的银行卡尾号是3310", "我妈换卡了，现在尾号是7752", "3310", "7752"),
        # what the next clause says it comes to
        ("沙盘推演排在周四", "场地冲突，沙盘推演往后推一周，下周四做", "周四", "下周四"),
        ("合唱队练习一周两次", "快演出了，合唱队练习加到一周四次", "一周两次", "一周四次"),
        ("我网名是云上听松", "网名我改了，叫南山野叟", "云上听松", "南山野叟"),
        ("我的驾校教练姓白", "换人了，新教练姓关", "白", "关"),
    ],
)
def test_a_wrapped_change_supersedes(known: str, said: str, old: str, new: str) -> None:
    store = Store()
    store.say(known)
    assert store.holds(old)
    store.say(said)
    values = {fact.value for fact in store.held() if not fact.negated}
    assert any(new in value for value in values)
    assert not any(value == old or (old in value and new not in value) for value in values)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("彩排定在周五", "彩排没有改到周四，别听他们瞎传"),
        ("我家住在5楼", "我梦见自己家搬到了18楼"),
        ("店里招牌菜是白切鸡", "店长想把招牌菜换成烧鹅"),
        ("交房时间是明年3月", "有人说要推到年底，开发商辟谣了"),
        ("我的备用邮箱是lin@example.org", "我老婆把她的邮箱换成了qi@example.org"),
        ("我们团队用Notion", "隔壁团队从Notion换成了语雀"),
        ("书房空调温度是24度", "卧室空调温度改成26度了"),
        ("我房租3200", "停车费一个月300"),
        ("我快递单号是SF1029384756", "他的快递单号改成SF5647382910了"),
        ("押金是1000块", "中介说押金可能要涨到1500，还没定"),
    ],
)
def test_what_did_not_come_or_is_of_another_leaves_the_fact(known: str, said: str) -> None:
    store = Store()
    store.say(known)
    before = {fact.value for fact in store.held()}
    assert before
    assert not store.say(said) & CHANGES
    assert before <= {fact.value for fact in store.held()}


def test_what_was_asked_to_be_kept_is_kept_though_no_grammar_fits_it() -> None:
    store = Store()
    store.say("记住，班车现在改从南门走了")
    assert any("南门" in one.content for one in store.known)


def test_another_thing_of_the_same_name_is_not_meant() -> None:
    store = Store()
    for known in ("我的快递单号是SF123456789", "书房空调的温度是24度", "我的预算是3万"):
        store.say(known)
    for said in ("快递改送驿站了", "卧室空调的温度调到26度了", "朋友的预算改成5万了", "手机电量只剩20%了"):
        store.say(said)
    assert {"SF123456789", "24度", "3万"} <= {fact.value for fact in store.held()}


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("我在银杏科技做设计师", {"银杏科技", "设计师"}),
        ("孩子在第三小学读二年级", {"第三小学", "二年级"}),
        ("我弟是在武汉上大学", {"武汉"}),
        ("小区物业费一平3块5", {"一平3块5"}),
        ("瑜伽课一周三次", {"一周三次"}),
        ("我们团队用飞书", {"飞书"}),
        ("我的护照有效期到2031年4月", {"2031年4月"}),
        ("我姐夫在泉州开面馆", {"开面馆"}),
    ],
)
def test_what_is_said_for_the_first_time_in_these_ways_is_kept(said: str, values: set[str]) -> None:
    store = Store()
    store.say(said)
    assert values <= {fact.value for fact in store.held()}
