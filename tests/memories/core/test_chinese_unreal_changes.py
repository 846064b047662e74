"""Chinese words of change that bring none: denied, wished, advised, passed on, of somebody else, or only the hour of the day."""

from __future__ import annotations

import pytest

from memories.core.extraction.zh.plausible import is_entity
from tests.memories.core.chinese_statements import CHANGES, Store, kept


@pytest.mark.parametrize(
    ("known", "said"),
    [
        # denied, let by nobody
        ("我的胰岛素一天四针", "大夫没同意把胰岛素减到一天两针"),
        ("我的物业费是200", "物业没说物业费涨到260"),
        ("我的配额是40G", "管理员不允许配额提高到80G"),
        # wished, advised, planned
        ("我的报销额度是6000", "财务建议把报销额度降到4000"),
        ("我的报销额度是6000", "组长希望报销额度提到9000"),
        ("我的奖金是8000", "奖金涨到两万就好了"),
        ("我的体重是71公斤", "我要瘦到63公斤"),
        ("我的物业费是200", "物业说要涨物业费到260"),
        ("我的奖金是8000", "我没想过把奖金提到一万"),
        ("我的配额是40G", "配额应该提高到80G"),
        # nearly, or once
        ("我的手机是荣耀", "我差一点把手机换成三星"),
        ("我的门禁码是5512", "我曾经把门禁码改成9931"),
        ("我的工位是B12", "我险些把工位换到C07"),
        ("我的猫叫团子", "不如把猫的名字改成麻薯"),
        # what everybody may read
        ("我的物业费是200", "公众号说物业费涨到260了"),
        ("我的公积金基数是9000", "新闻报道公积金基数上调到9800"),
        # of somebody else
        ("露台种的是绣球", "邻居露台改种月季了"),
        ("我的储物柜号是31", "隔壁家储物柜号改成52了"),
        # the hour of the day, and how often something was done
        ("我的工作是焊工", "我工作到半夜十二点"),
        ("我的班会时间是8点", "现在才六点"),
        ("我的值班时间是9点", "值班到11点"),
        ("我家住在7楼", "我转到四楼开会了"),
        ("我用的是佳能", "我昨天用的是同学的相机"),
        ("开学时间是9月2日", "去年开学时间改到9月6日了"),
        # a place that is not who is there, and who only comes out of one
        ("我老婆的公司是天润", "老婆的公司上个月搬到了望京"),
        ("我在海关上班", "我从商场出来了，正在等车"),
    ],
)
def test_what_brings_no_change_leaves_the_fact(known: str, said: str) -> None:
    store = Store()
    store.say(known)
    before = {(fact.attribute, fact.value) for fact in store.held()}
    assert before
    assert not store.say(said) & CHANGES
    assert before <= {(fact.attribute, fact.value) for fact in store.held() if not fact.negated}


@pytest.mark.parametrize(
    ("known", "said", "old", "new"),
    [
        ("我的物业费是200", "物业说物业费涨到260了", "200", "260"),
        ("我的航班时间是5号", "我的航班改签到9号了", "5号", "9号"),
        ("我外婆住在二楼病房", "外婆今天转到六楼了", "二楼病房", "六楼"),
        ("我在诚泰银行上班", "我从诚泰银行出来了", "诚泰银行", ""),
        ("营业时间是8点到17点", "营业时间改成9点到18点了", "8点到17点", "9点到18点"),
    ],
)
def test_what_did_come_is_still_read(known: str, said: str, old: str, new: str) -> None:
    store = Store()
    store.say(known)
    assert store.holds(old)
    store.say(said)
    values = {fact.value for fact in store.held() if not fact.negated}
    assert old not in values
    assert any(new in value for value in values) or not new


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("我不喜欢他了，喜欢小周。", "unsaid", ""),
        ("我的航班改签到9号了。", "航班改", ""),
        ("鹿岛队不是我最喜欢的球队。", "favorite_球队", ""),
        ("今天是我最喜欢的日子。", "favorite_日子", ""),
        ("我是姜老师", "occupation", ""),
        ("主任叫我别加班了", "nickname", ""),
        ("我妈叫我回家吃饭", "nickname", ""),
        ("我给儿子换了个游泳教练，姓卫。", "surname", ""),
        ("我28岁就要当爸爸了", "age", ""),
        ("我操心的是房子", "操心的", ""),
        ("def ttl(): limit = 30  # 上限改成60", "unsaid", ""),
        ("转了800块给阿敏", "unsaid", ""),
        ("报了三次名", "unsaid", ""),
        ("我把这本书看到第六章了", "unsaid", ""),
    ],
)
def test_no_value_is_made_up(said: str, attribute: str, value: str) -> None:
    assert attribute not in {fact.attribute for one in kept(said) for fact in one.facts}


@pytest.mark.parametrize("name", ["小雨(C++)", "团子（胖）"])
def test_a_name_may_have_something_in_brackets_behind_it(name: str) -> None:
    assert name in {fact.value for one in kept(f"我女儿叫{name}") for fact in one.facts}


def test_what_was_at_a_time_today_is_no_daily_time() -> None:
    store = Store()
    store.say("今天10点才下班")
    assert not store.held()


def test_where_somebody_lived_one_after_another_makes_no_thing_of_the_words_between() -> None:
    for said in ("小时候我住在嘉兴，后来搬到绍兴。", "我搬家了，从江北搬到江南。"):
        assert not {"后来", "从江北"} & {fact.entity for one in kept(said) for fact in one.facts}


@pytest.mark.parametrize(
    ("key", "surface"),
    [
        ("兰兰松", "兰兰松项目"),
        ("陶棠松", "陶棠松"),
        ("茶农手艺创新分享会", ""),
        ("摄影体验会", ""),
        ("城南手工编织展", ""),
        ("亲子农庄采摘游", ""),
    ],
)
def test_a_name_may_end_like_a_verb(key: str, surface: str) -> None:
    assert is_entity(key, surface)


@pytest.mark.parametrize("key", ["我妈刚买", "从浦东", "后来", "女儿吃", "公司最近忙", "邻居要我去"])
def test_a_piece_of_a_clause_is_no_name(key: str) -> None:
    assert not is_entity(key)
