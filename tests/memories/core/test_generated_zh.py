"""Chinese statements made from a grammar and an open vocabulary: changes supersede, repeats do not, the rest stays apart.

Names, nouns, attributes and values are put together from characters, so that no list of the extraction can know them.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import assume, given
from hypothesis import strategies as st

from memories.core.entities import Entities
from memories.core.extraction import extract
from memories.core.extraction.zh import results
from memories.core.placement.placing import Known, Place, place
from memories.core.statement import FactPart, Statement
from tests.memories.core.chinese_statements import Store

ZONE = ZoneInfo("Asia/Shanghai")
FIRST = datetime(2026, 3, 4, 9, 0, tzinfo=ZONE)
ENDS_OR_DISPUTES = {Place.SUPERSEDE, Place.CONTRADICT}

SYLLABLES = "岚枫橡桂霞溪竹鹤松樾澜珩筠翎棠苇漪昀霁"


def statements(text: str, at: datetime) -> list[Statement]:
    found = []
    for one in extract(text, role="user", speaker="", said_at=at, tz=ZONE):
        fact = (
            FactPart(one.subject, one.attribute, one.value, one.single, one.negated)
            if one.attribute and one.value
            else None
        )
        found.append(
            Statement(
                content=one.content, kind=one.kind.value, source="user", said_at=at, rule=one.rule, explicit=one.explicit,
                update=one.update, correction=one.correction, confirms=one.confirms, replaces=one.replaces, fact=fact,
                key=one.key or "", valid_from=one.valid_from, valid_to=one.valid_to,
            )
        )  # fmt: skip
    return found


@dataclass(frozen=True)
class Story:
    """What was said first, what was said a week later, and where the writer puts that."""

    before: list[Statement]
    after: list[Statement]
    places: list[Place]
    targets: list[str]

    @property
    def changes(self) -> bool:
        return any(one in ENDS_OR_DISPUTES for one in self.places)

    @property
    def supersedes(self) -> bool:
        return Place.SUPERSEDE in self.places


def tell(*earlier: str, then: str) -> Story:
    before = [one for text in earlier for one in statements(text, FIRST)]
    after = statements(then, FIRST + timedelta(days=7))
    facts = [one.fact for one in (*before, *after) if one.fact]
    who = Entities((fact.entity, fact.attribute, fact.value) for fact in facts)
    before, after = _resolved(before, who), _resolved(after, who)
    known = [_known(one) for one in before]
    placed = [place(one, one.content.encode(), known) for one in after]
    targets = [fact.value for one in placed for target in one.targets for fact in target.facts]
    return Story(before, after, [one.place for one in placed], targets)


def _resolved(found: Sequence[Statement], who: Entities) -> list[Statement]:
    return [
        replace(one, fact=replace(one.fact, entity=who.key(one.fact.entity))) if one.fact else one
        for one in found
    ]


def _known(one: Statement) -> Known:
    return Known(
        id=uuid.uuid4(), status="current", kind=one.kind, source=one.source, said_at=one.said_at, fingerprint=one.content.encode(),
        reach=("user", None, None), key=one.key, valid_from=one.valid_from, valid_to=one.valid_to, content=one.content, facts=one.facts,
    )  # fmt: skip


def word(low: int, high: int) -> st.SearchStrategy[str]:
    return st.text(SYLLABLES, min_size=low, max_size=high)


things = st.builds(lambda made, noun: made + noun, word(1, 2), st.sampled_from(["鱼缸", "书架", "温室", "展厅", "菜园", "乐队", "茶会", "路演", "马拉松", "无人机", "小店", "夏令营", "项目"]))  # fmt: skip
people = st.sampled_from(
    ["我嫂子", "我的房东", "我合伙人", "我的球友", "我导师", "我的外公", "我徒弟", "我的健身教练"]
)
named = st.builds(lambda family, given: family + given, st.sampled_from("陶邵葛薛裴"), word(2, 2))
subjects = things | people
attributes = st.builds(lambda made, end: made + end, word(1, 1), st.sampled_from(["度", "率", "费", "量", "位", "码", "长", "值"])) | st.sampled_from(["水温", "领队", "口令", "押金", "时薪", "摊位号", "供应商", "版本", "负责人", "暗号", "坐标"])  # fmt: skip
UNITS = "斤元度人页"
numbers = st.builds(lambda count, unit: f"{count}{unit}", st.integers(2, 9000), st.sampled_from(["斤", "元", "度", "人", "小时", "公里", "页"]))  # fmt: skip
codes = st.from_regex(r"[A-Z]{2}-[1-9][0-9]{2,4}", fullmatch=True)
values = numbers | codes | named
pairs = st.tuples(values, values).filter(lambda pair: pair[0] not in pair[1] and pair[1] not in pair[0])
slots = st.tuples(subjects, attributes)
alike_pairs = st.tuples(numbers, numbers).filter(lambda pair: pair[0] != pair[1] and pair[0].lstrip("0123456789") == pair[1].lstrip("0123456789") and pair[0] not in pair[1] and pair[1] not in pair[0])  # fmt: skip


def parts(*choices: Sequence[str] | st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Sentences put together from one of each of the choices, in order."""
    drawn = [one if isinstance(one, st.SearchStrategy) else st.sampled_from(list(one)) for one in choices]
    return st.tuples(*drawn).map("".join)


slot_of = st.just("{s}的{a}")
become = parts("改换变调升降转", ["", "整", "换", "高"], "成为到", ["", "了"]).filter(
    lambda verb: (
        verb[:2]
        not in {
            "降高",
            "变高",
            "改高",
            "换高",
            "转高",
            "升整",
            "降整",
            "转整",
            "变整",
            "升换",
            "降换",
            "换换",
            "换整",
        }
    )
)
"""A verb of change and what it comes to, made from parts: 改成, 调整为, 升到了."""
aspect = st.sampled_from(["", "刚", "已经", "昨天", "终于", "又", "最近", "正式"])
reason = st.sampled_from(["大家商量过了", "天气太热", "合同到期", "上头发了话", "人手不够", "老规矩不合适"])
pause = st.just("，")
end = st.sampled_from(["", "。", "！"])
change = (
    parts(slot_of, aspect, become, ["{new}"])
    | parts(["把", "我们把"], slot_of, become, ["{new}"])
    | parts(slot_of, ["从", "由"], ["{old}"], become, ["{new}"])
)
changed_by = (
    parts(change, ["", "了"], end)
    | parts(reason, pause, change, ["", "了"], end)
    | parts(change, ["了"], pause, reason, end)
    | parts(
        slot_of,
        ["以前", "之前", "原来"],
        ["是{old}"],
        pause,
        ["现在", "如今", "后来"],
        become,
        ["{new}"],
        end,
    )
    | parts(slot_of, ["不再是{old}"], pause, ["现在是", "如今是"], ["{new}"], end)
    | parts(["如今", "现在"], slot_of, ["是{new}"], pause, ["不再是{old}"], end)
)
"""Changes: the old value before, after or not at all, in one clause or two, in either order."""
bare_change = parts(
    ["", "时间不合适，", "大家商量了一下，", "没办法，"],
    ["", "只好", "又", "已经", "索性"],
    "改调换变",
    "成到",
    ["{new}了"],
    end,
)
same = parts(["还", "仍", "依然", "一直", "照样"], ["是{old}"])
repeated_by = (
    parts(slot_of, same, end)
    | parts(slot_of, same, pause, ["没变", "没改过", "没动"], end)
    | parts(slot_of, ["没变", "没改过", "没有变"], pause, same, end)
    | parts(["没错", "对", "是的"], ["，"], slot_of, ["就是", "是"], ["{old}"], end)
    | parts(reason, pause, slot_of, same, end)
)
admitted = parts(["", "我", "上回我", "抱歉，我"], "说记写报看抄听", "错反混岔", ["了"])
told = parts(["刚才", "上次", "先前"], ["我说的", "报的", "写的"], ["{old}"], ["不对", "不算", "有误"])
corrected_by = (
    parts(told, pause, slot_of, ["是", "应该是"], ["{new}"], end)
    | parts(slot_of, ["是", "应该是"], ["{new}"], pause, told, end)
    | parts(admitted, pause, slot_of, ["是", "应该是", "其实是"], ["{new}"], end)
    | parts(slot_of, ["是", "应该是"], ["{new}"], ["，"], admitted, end)
    | parts(slot_of, ["不是{old}"], pause, ["是", "而是", "应该是"], ["{new}"], end)
    | parts(slot_of, ["是{new}"], pause, ["不是", "而不是", "并不是"], ["{old}"], ["，"], admitted, end)
    | parts(slot_of, st.just("我"), "说记写报", "错反混", ["了"], pause, ["是", "应该是"], ["{new}"], end)
)
"""Corrections: the admission before or after the value, the old value named or not."""
bare_correction = parts(admitted, pause, ["是", "应该是", "其实是", ""], ["{new}"], end)
unreal = st.sampled_from(
    [
        "{s}的{a}是{new}吗？",
        "{s}的{a}是不是{new}？",
        "如果{s}的{a}是{new}，那就好办了",
        "要是{s}的{a}改成{new}就好了",
        "{s}的{a}可能是{new}",
        "听说{s}的{a}是{new}",
        "据说{s}的{a}改成{new}了",
        "差点把{s}的{a}改成{new}",
        "本来想把{s}的{a}改成{new}",
        "假如把{s}的{a}换成{new}呢？",
        "{s}的{a}好像是{new}",
        "小李说：“{s}的{a}是{new}。”",
        "{s}的{a}会不会改成{new}？",
        "要不要把{s}的{a}改成{new}",
    ]
)
stated_by = st.sampled_from(["{s}的{a}是{old}", "{s}的{a}是{old}。", "记一下，{s}的{a}是{old}", "{s}的{a}：{old}", "{s}，{it}的{a}是{old}"])  # fmt: skip


def first(form: str, s: str, a: str, old: str) -> str:
    if ("：" in form and a not in {"供应商", "版本", "负责人"}) or (
        "{it}" in form and not s.startswith("我")
    ):
        form = "{s}的{a}是{old}"
    return form.format(s=s, a=a, old=old, it="他")


notice = st.builds(lambda who, how: who + how, st.sampled_from(["行政", "主办方", "教练", "房东", "财务", "银行"]), st.sampled_from(["通知", "刚通知", "说", "发邮件说", "宣布"]))  # fmt: skip
happened = parts(["搬完家", "换了楼层", "修好了门", "吵完架", "签了新合同"], ["之后", "以后"])
came_to = parts(
    ["{s}的{a}"],
    ["最后", "", "刚"],
    ["谈", "压", "砍", "核", "拉长", "缩短", "修正"],
    ["成", "到"],
    ["{new}了"],
)
"""A verb of change that is seldom said, with what it comes to."""
NEW_VERBS = ["磨", "熬", "炒", "抬", "哄", "拖", "催", "抢", "凑", "捧", "抄", "摊"]
"""No list has them, nor a character of them. A word stands before them: where a made-up noun ends is anybody's guess (翎长磨到)."""
wrapped_by = (
    parts(notice, change, ["了"], end)
    | parts(happened, slot_of, become, ["{new}了"], end)
    | parts(reason, pause, came_to, end)
)
"""Changes behind who gave notice of them or what happened before."""


@given(slots, alike_pairs, wrapped_by)
def test_a_wrapped_change_supersedes_the_old_value(
    slot: tuple[str, str], pair: tuple[str, str], form: str
) -> None:
    (s, a), (old, new) = slot, pair
    store = Store()
    store.say(f"{s}的{a}是{old}")
    assume(store.holds(old))
    store.say(form.format(s=s, a=a, old=old, new=new))
    values = {fact.value for fact in store.held()}
    assert any(new in value for value in values)
    assert old not in values


exact_pairs = st.tuples(
    st.integers(11, 97), st.integers(11, 97), st.sampled_from(["元", "人", "页", "分钟"])
).filter(lambda pair: pair[0] != pair[1])


@given(
    slots,
    exact_pairs,
    parts(["{s}的{a}"], ["最后", "已经", "终于"], NEW_VERBS, ["成", "到"], ["{new}了"], end),
)
def test_a_verb_that_no_list_has_changes_an_exact_value(
    slot: tuple[str, str], pair: tuple[int, int, str], form: str
) -> None:
    (s, a), (old, new, unit) = slot, pair
    store = Store()
    store.say(f"{s}的{a}是{old}{unit}")
    assume(store.holds(f"{old}{unit}"))
    store.say(form.format(s=s, a=a, new=f"{new}{unit}"))
    values = {fact.value for fact in store.held()}
    assert any(f"{new}{unit}" in value for value in values)
    assert f"{old}{unit}" not in values


def test_the_new_verbs_are_in_no_list() -> None:
    source = Path(results.__file__).read_text(encoding="utf-8")
    assert not [verb for verb in NEW_VERBS if verb in source]


@given(slots, slots, alike_pairs, wrapped_by)
def test_a_wrapped_change_of_another_thing_is_left_alone(
    one: tuple[str, str], other: tuple[str, str], pair: tuple[str, str], form: str
) -> None:
    (s, a), (s2, a2), (old, new) = one, other, pair
    assume(s not in s2 and s2 not in s and s[-2:] != s2[-2:])
    store = Store()
    store.say(f"{s}的{a}是{old}")
    store.say(form.format(s=s2, a=a2, old=old, new=new))
    assert store.holds(old)


@given(slots, pairs, stated_by, changed_by)
def test_a_change_supersedes_the_old_value(
    slot: tuple[str, str], pair: tuple[str, str], stated: str, form: str
) -> None:
    (s, a), (old, new) = slot, pair
    story = tell(first(stated, s, a, old), then=form.format(s=s, a=a, old=old, new=new))
    assert story.supersedes
    assert set(story.targets) == {old}
    assert new in {one.fact.value for one in story.after if one.fact}


alike = st.tuples(numbers, numbers).filter(lambda pair: pair[0] != pair[1] and pair[0].lstrip("0123456789") == pair[1].lstrip("0123456789"))  # fmt: skip


@given(slots, alike, bare_change | bare_correction)
def test_a_bare_value_is_of_the_one_fact_that_has_its_like(
    slot: tuple[str, str], pair: tuple[str, str], form: str
) -> None:
    (s, a), (old, new) = slot, pair
    store = Store()
    store.say(f"{s}的{a}是{old}")
    assume(store.holds(old))
    store.say("备用钥匙在鞋柜里")
    store.say(form.format(new=new))
    assert (store.holds(new), store.holds("鞋柜")) == (True, True)
    assert old not in {fact.value for fact in store.held()}


@given(alike, bare_change | bare_correction)
def test_a_bare_value_that_may_be_of_two_facts_is_of_neither(pair: tuple[str, str], form: str) -> None:
    store = Store()
    store.say(f"鱼缸的水量是{pair[0]}")
    store.say(f"温室的配额是{pair[0]}")
    store.say(form.format(new=pair[1]))
    assert {fact.value for fact in store.held()} == {pair[0]}


@given(slots, values, stated_by, repeated_by)
def test_a_restatement_changes_nothing(slot: tuple[str, str], old: str, stated: str, form: str) -> None:
    s, a = slot
    story = tell(first(stated, s, a, old), then=form.format(s=s, a=a, old=old))
    assert story.after
    assert not story.changes


@given(slots, pairs, corrected_by)
def test_a_correction_takes_the_place_of_what_was_wrong(
    slot: tuple[str, str], pair: tuple[str, str], form: str
) -> None:
    (s, a), (old, new) = slot, pair
    story = tell(f"{s}的{a}是{old}", then=form.format(s=s, a=a, old=old, new=new))
    [after] = story.after
    assert (after.fact and after.fact.value, after.correction) == (new, True)
    assert after.replaces == (old if "{old}" in form else None)
    assert story.supersedes


@given(
    slots,
    pairs,
    st.sampled_from(["，", "。"]),
    st.sampled_from(["不对", "说错了", "啊不", "等等", "口误"]),
    st.sampled_from(["是", "应该是", ""]),
)
def test_a_slip_put_right_in_the_same_breath_leaves_only_what_is_right(
    slot: tuple[str, str], pair: tuple[str, str], stop: str, broken_off: str, link: str
) -> None:
    (s, a), (wrong, right) = slot, pair
    assume(link or (wrong[-1] in UNITS and wrong[-1] == right[-1]))
    story = tell(f"{s}的{a}是{wrong}{stop}{broken_off}，{link}{right}。", then="")
    [kept] = story.before
    assert (kept.fact and kept.fact.value, kept.correction) == (right, False)


@given(slots, slots, pairs, changed_by)
def test_another_entity_or_attribute_is_left_alone(
    one: tuple[str, str], other: tuple[str, str], pair: tuple[str, str], form: str
) -> None:
    (s, a), (s2, a2), (old, new) = one, other, pair
    assume((s.removeprefix("我的"), a) != (s2.removeprefix("我的"), a2) and s not in s2 and s2 not in s)
    story = tell(f"{s}的{a}是{old}", then=form.format(s=s2, a=a2, old=old, new=new))
    assert story.after and not story.changes


@given(slots, pairs, unreal)
def test_what_is_asked_supposed_or_heard_is_never_kept_as_a_fact(
    slot: tuple[str, str], pair: tuple[str, str], form: str
) -> None:
    (s, a), (old, new) = slot, pair
    story = tell(f"{s}的{a}是{old}", then=form.format(s=s, a=a, old=old, new=new))
    assert new not in {one.fact.value for one in story.after if one.fact}
    assert not story.changes
    # The same words said as they are must be read, or nothing is shown.
    assert tell(f"{s}的{a}是{old}", then=f"{s}的{a}改成{new}了").supersedes


@given(named, st.sampled_from(["同事", "嫂子", "合伙人", "球友", "母亲"]), attributes, pairs)
def test_a_name_and_its_relation_are_one(
    name: str, relation: str, attribute: str, pair: tuple[str, str]
) -> None:
    old, new = pair
    for told in (
        f"{name}是我的{relation}",
        f"{name}是我{relation}，其{attribute}是{old}",
        f"这是我的{relation}{name}",
    ):
        story = tell(told, f"{name}的{attribute}是{old}", then=f"我{relation}的{attribute}改成{new}了")
        assert story.supersedes, told
        assert set(story.targets) == {old}


@given(
    st.sampled_from(["住在", "在"]),
    st.sampled_from(["绍兴", "泉州", "洛阳"]),
    st.sampled_from(["西宁", "丹东", "柳州"]),
)
def test_a_past_home_leaves_the_present_one_and_a_move_does_not(verb: str, now: str, other: str) -> None:
    live = "我住在{}" if verb == "住在" else "我在{}住"
    assert not tell(live.format(now), then=f"我以前住在{other}").changes
    assert not tell(live.format(now), then=f"2019年到2021年我住在{other}").changes
    assert tell(live.format(now), then=f"我从{now}搬到{other}了").supersedes
    assert not tell(live.format(now), then=f"我差点搬到{other}").changes


likes = st.builds(lambda made, end: made + end, word(1, 1), st.sampled_from(["茶", "鱼", "饼", "剧", "曲"]))


@given(likes, likes)
def test_yes_and_no_about_the_same_thing_meet_and_others_do_not(one: str, other: str) -> None:
    for yes, no in (
        ("我喜欢{}", "我不喜欢{}"),
        ("我养了两条{}", "我没有养{}"),
        ("我吃过{}", "我没吃过{}"),
        ("我会做{}", "我不会做{}"),
        ("我经常吃{}", "我从来不吃{}"),
    ):
        assert tell(yes.format(one), then=no.format(one)).changes, (yes, no)
        assert tell(no.format(one), then=yes.format(one)).changes, (no, yes)
        assert not tell(yes.format(one), then=yes.format(one)).changes
        if one != other:
            assert not tell(yes.format(one), then=no.format(other)).changes
