"""Requests to forget: which sentences are one, and what they are about, in both languages and with words not listed anywhere."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.core.extraction.attributes import canonical_attribute
from memories.core.extraction.requests import asked
from memories.core.extraction.sentences import asks_to_forget
from memories.core.forgetting.marks import MARKS, masked
from memories.core.forgetting.matching import match
from memories.core.forgetting.reach import KnownFact, KnownMemory, Reach, named_reach
from memories.core.forgetting.remains import nothing_left
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.targets import is_no, is_yes, targets
from memories.core.forgetting.texts import Spec, spans

REQUESTS = [
    ("忘掉我的电话号码", Scope.ATTRIBUTE, "user", {"phone"}),
    ("我表哥的工作地你忘了吧，别再留着", Scope.ATTRIBUTE, "user:表哥", {"workplace"}),
    ("你能忘掉我住哪儿吗？", Scope.ATTRIBUTE, "user", {"home"}),
    ("能不能把我的地址忘了？", Scope.ATTRIBUTE, "user", {"home"}),
    ("我的体重忘掉吧", Scope.ATTRIBUTE, "user", {"weight"}),
    ("不要记录我的行踪", Scope.ATTRIBUTE, "user", {"行踪"}),
    ("王芳的电话不要记了", Scope.ATTRIBUTE, "王芳", {"phone"}),
    ("帮我把王芳的邮箱从记忆里删除", Scope.ATTRIBUTE, "王芳", {"email"}),
    ("删掉关于王芳的所有东西", Scope.ENTITY, "王芳", set()),
    ("我前女友的一切都忘掉吧", Scope.ENTITY, "user:前女友", set()),
    ("把13800138000删了", Scope.VALUE, "", set()),
    ("别记我刚才说的", Scope.LAST, "", set()),
    ("这件事当我没说", Scope.LAST, "", set()),
    ("麻烦清除我的所有记忆", Scope.EVERYTHING, "user", set()),
    ("forget where I live", Scope.ATTRIBUTE, "user", {"home"}),
    ("forget my boss's phone number", Scope.ATTRIBUTE, "user:boss", {"phone"}),
    ("Can you forget my phone number?", Scope.ATTRIBUTE, "user", {"phone"}),
    ("forget how old my daughter is", Scope.ATTRIBUTE, "user:daughter", {"age"}),
    ("Tom's phone number, please delete it", Scope.ATTRIBUTE, "Tom", {"phone"}),
    ("erase my sister's birthday from your memory", Scope.ATTRIBUTE, "user:sister", {"birthday"}),
    ("delete everything about Tom", Scope.ENTITY, "Tom", set()),
    ("what I said about the Berlin trip — forget it", Scope.ENTITY, "Berlin trip", set()),
    ("You can delete 555-1234", Scope.VALUE, "", set()),
    ("don't remember what I just said", Scope.LAST, "", set()),
    ("don't remember that", Scope.LAST, "", set()),
    ("pretend I never said that", Scope.LAST, "", set()),
    ("forget everything you know about me", Scope.EVERYTHING, "user", set()),
]

NONE = """别忘了带伞|我忘记密码了|不要忘了|别忘记给王芳打电话|我把钥匙忘在家里了|我忘了他的电话|你是不是忘了我的生日？|忘了带钥匙|忘记密码怎么办？
如果我让你忘掉我的电话，你会照做吗？|他让我忘掉过去的事|请记住我的电话|这个函数删掉第三行|删除文件夹|我记不住他的名字|别记错时间|难忘的一天|密码忘了
我的电话没电了|请不要删除我的电话|不用记账了|别存钱了|我早就忘掉他了
don't forget|I forgot|delete the file|I'll never forget my first day|Don't forget to call Tom|I don't remember his phone number|How do I delete my account?
Did you forget my birthday?|I want to forget my ex|remove the third line|He told me to forget it|Remember my phone number|don't keep me waiting
`forget my phone`|if I ask you to forget my phone, will you?|don't delete my phone number|How could I forget my keys again""".replace(
    "\n", "|"
).split("|")


@pytest.mark.parametrize(("text", "scope", "entity", "attributes"), REQUESTS)
def test_a_request_is_read_for_what_it_is_about(
    text: str, scope: Scope, entity: str, attributes: set[str]
) -> None:
    [target] = targets(text)
    assert (target.scope, target.entity) == (scope, entity)
    assert attributes <= target.attributes and bool(attributes) == bool(target.attributes)
    assert asks_to_forget(text)


@pytest.mark.parametrize("text", NONE)
def test_what_only_speaks_of_forgetting_is_no_request(text: str) -> None:
    assert targets(text) == [] and not asks_to_forget(text)


@pytest.mark.parametrize(
    ("text", "lasting"),
    [
        ("我上司的事都别记了", True),
        ("以后别再记我的位置了", True),
        ("stop remembering my location", True),
        ("never store my salary", True),
        ("我表哥的工作地你忘了吧，别再留着", False),
        ("王芳的电话不要记了", False),
        ("forget where I live", False),
        ("don't remember what I just said", False),
    ],
)
def test_a_lasting_request_is_told_from_one_for_now(text: str, lasting: bool) -> None:
    assert [target.standing for target in targets(text)] == [lasting]


def test_one_message_may_ask_for_several_things() -> None:
    assert [sorted(one.attributes)[0] for one in targets("忘掉我的电话和地址")] == ["phone", "home"]
    assert [one.entity for one in targets("forget my phone number and address")] == ["user", "user"]


def test_what_the_request_takes_back_may_be_named_before_it() -> None:
    [target] = targets("嘉年华不办了，忘了它的规模吧")
    assert target.attributes == {"scale"} and "嘉年华" in target.context
    [target] = targets("The gala was cancelled, so forget its budget.")
    assert target.attributes == {"budget"} and "gala" in target.context


def test_only_what_held_before_may_be_meant() -> None:
    assert targets("forget my previous employer")[0].past
    assert targets("忘掉我以前的地址")[0].past
    assert not targets("forget my employer")[0].past


def test_a_target_survives_being_stored() -> None:
    for text, *_ in REQUESTS:
        for target in targets(text):
            assert Target.of_data(target.as_data()) == target


@pytest.mark.parametrize("text", ["是", "好的", "确认", "yes", "Yes, please.", "go ahead", "忘掉吧"])
def test_a_yes(text: str) -> None:
    assert is_yes(text) and not is_no(text)


@pytest.mark.parametrize("text", ["不", "算了", "no", "No, keep it.", "never mind", "不用了，谢谢"])
def test_a_no(text: str) -> None:
    assert is_no(text) and not is_yes(text)


def test_neither_a_yes_nor_a_no() -> None:
    for text in ("是不是下雨了", "yesterday was fine", "不过我还有事", "好的，另外我搬家了"):
        assert not is_yes(text) and not is_no(text)


latin = st.text("bcdfghklmnprst", min_size=2, max_size=3)
name_en = st.builds(lambda a, b: a[0].upper() + a[1:] + "a" + b, latin, latin)
noun_en = st.builds(lambda a, b: f"{a}o{b}", latin, latin)


@settings(max_examples=60)
@given(who=name_en, what=noun_en)
def test_any_attribute_of_anybody_is_read_in_english(who: str, what: str) -> None:
    for request in (
        f"forget {who}'s {what}",
        f"Please delete {who}'s {what}.",
        f"{who}'s {what} — forget it",
    ):
        [target] = targets(request)
        assert (target.scope, target.entity, target.attributes) == (Scope.ATTRIBUTE, who, {what})


@settings(max_examples=60)
@given(family=st.sampled_from("王李张刘陈杨赵周"), given_name=st.sampled_from(["芳", "小兰", "建国", "晓东", "静"]),
       what=st.sampled_from(["工号", "护照号", "口头禅", "车位", "饭量", "网名", "血压"]))  # fmt: skip
def test_any_attribute_of_anybody_is_read_in_chinese(family: str, given_name: str, what: str) -> None:
    who = family + given_name
    for request in (
        f"忘掉{who}的{what}",
        f"请把{who}的{what}删掉",
        f"{who}的{what}不用再记了",
        f"{who}的{what}，忘掉吧",
    ):
        assert asked(request), request
        [target] = targets(request)
        assert target.scope is Scope.ATTRIBUTE and target.entity == who, request


def test_a_span_goes_and_the_rest_stays() -> None:
    text = "今天开会谈了预算。我喜欢吃榴莲。回家路上下雨了。"
    found = spans(text, Spec(quotes=frozenset({"我喜欢吃榴莲"})))
    assert masked(text, found) == f"今天开会谈了预算。{MARKS['zh']}。回家路上下雨了。"
    assert not nothing_left(masked(text, found))


def test_a_number_is_found_in_another_notation_and_another_number_is_left() -> None:
    spec = Spec(values=frozenset({"13800138000"}))
    assert masked("call 138-0013-8000 or 13900139000", spans("call 138-0013-8000 or 13900139000", spec)) == (
        "call [forgotten] or 13900139000"
    )
    assert spans("order 9138001380001", spec) == []


def test_a_value_that_somebody_else_has_too_gives_nothing_away_alone() -> None:
    spec = Spec(values=frozenset({"13800138000"}), kept=frozenset({"13800138000"}))
    assert spans("the number is 13800138000", spec) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [("[已忘记]", False), ("请记住，[已忘记]。", False), ("[forgotten], thanks!", False), ("Please note that [forgotten].", False),
     ("我叫小明，[已忘记]", True), ("[forgotten]. The meeting is on Monday.", True), ("", False)],
)  # fmt: skip
def test_whether_anything_is_left(text: str, left: bool) -> None:
    assert nothing_left(text) is not left


def test_another_ones_fact_in_the_same_words_is_left() -> None:
    [target] = targets("忘掉我的车位编码")
    reach = named_reach(target)
    assert spans("张芳的车位编码是25374547", Spec(reach, values=frozenset({"59592705"}))) == []
    assert spans("我的车位编码是59592705", Spec(reach, values=frozenset({"59592705"}))) != []


def test_an_attribute_in_other_words_with_the_same_value_is_meant_too() -> None:
    said = [
        ("user:cousin", "school", "北岭中学"),
        ("user:cousin", "初中学校", "北岭中学"),
        ("user:cousin", "校服学校", "南湖裁缝铺"),
        ("user:cousin", "最近的车站", "北岭中学"),
        ("user", "实习学校", "北岭中学"),
    ]
    known = [
        KnownMemory(
            UUID(int=at),
            f"{entity} {attribute} {value}",
            "fact",
            facts=(KnownFact(entity, attribute, value),),
        )
        for at, (entity, attribute, value) in enumerate(said)
    ]
    target = Target(Scope.ATTRIBUTE, entity="user:cousin", attributes=frozenset({"school"}), language="zh")
    assert [one.id.int for one in match(target, known).clear] == [0, 1]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("单位名称", "employer"),
        ("学校全称", "school"),
        ("company name", "employer"),
        ("电话名称", "电话名称"),
        ("车名称", "车名称"),
    ],
)
def test_the_name_of_somebodys_institution_is_that_institution(word: str, name: str) -> None:
    assert canonical_attribute(word) == name


def test_the_same_words_about_somebody_else_stay() -> None:
    target = Target(Scope.ATTRIBUTE, entity="user:colleague", attributes=frozenset({"hobby"}), language="zh")
    reach = Reach(
        target,
        frozenset({"user:colleague", "user:colleague:许知远", "许知远"}),
        ("许知远", "我同事"),
        target.attributes,
    )
    spec = Spec(reach, frozenset({"其爱好是攀岩"}), frozenset({"攀岩"}))
    mine, theirs = "许知远是我的同事，其爱好是攀岩。", "顾曼青是我的母亲，其爱好是攀岩。"
    assert [mine[slice(*at)] for at in spans(mine, spec)] == ["其爱好是攀岩"]
    assert spans(theirs, spec) == []
    assert [one for at in spans("他说，其爱好是攀岩。", spec) for one in at] != []


def test_a_things_other_name_keeps_nothing_of_it_back() -> None:
    target = Target(Scope.ATTRIBUTE, entity="平潭帆船年会", attributes=frozenset({"size"}), language="zh")
    reach = Reach(target, frozenset({"平潭帆船年会"}), ("平潭帆船年会",), target.attributes)
    spec = Spec(reach, frozenset({"帆船年会的规模是九百人"}), frozenset({"九百人"}))
    text = "帆船年会的规模是九百人。"
    assert [text[slice(*at)] for at in spans(text, spec)] == ["帆船年会的规模是九百人"]
