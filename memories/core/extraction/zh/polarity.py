"""What somebody has, does, can or has done, and the opposite, under one attribute, so that yes and no meet in one slot.

"我养了两缸鱼" and "我没有养鱼" both speak of `owns:鱼`, "我不抽烟" and "我每天抽烟" of `does:抽烟`; the negated one says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.zh.values import is_abstract
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_ADV = (
    r"(?:现在|目前|如今|今年|最近|近来|平时|平常|一直|已经|其实|真的|确实|本来|早|终于|刚|已|也|就|都|还|又|才|从来|从|至今|到现在|一点儿?|根本|再也|一般|通常|自己|家里|我们家|家|"
    r"从小|小时候|大学时|昨天|前天|上周|上个?月|去年|前年|今天|这周|这个?月|好像)*"
)
"""No word of it is put together from others (早就 is 早, 就): repeated, it would be read in every way to cut it."""
_CLASSIFIER = r"(?:[一二两三四五六七八九十几\d]+|好几|许多|很多|几)?(?:多)?(?:个|位(?!置)|只|条|头|匹|辆|台|部|套|间|栋|架|把|对|双|名|所|份|盆|棵|张|块|本|支|根)"
_NOUN = r"(?P<o>[\u4e00-\u9fffA-Za-z]{1,8}?)"
_END = r"(?:了|啦|呢|啊|呀|哦|嘛|的|过)*"
_SKILL = r"(?:弹|拉|吹|打|画|写|做|开|修|编|跳|唱|游|滑|骑|说|讲|烧|煮|包|织|剪|拍|下|炒|种|用|玩)"
_DOES = r"(?:抽|喝|吃|打|玩|看|听|跑|练|熬|化|戴|穿|养|逛|坐|骑|追|刷|运动|锻炼|健身|游|做|写|画|跳|唱|去|用|买|炒|追|睡|加|带|开|泡|上|读|念|工作)"
_ACT = r"(?:吃|喝|看|去|来|玩|听|读|学|尝|用|坐|爬|骑|养|买|住|打|做|写|跳|唱|游|开|见|参加|经历|考|谈|当|教|试|逛|钓|滑|登|拍|演|跑|学习|体验|尝试|接触|从事|练|登|穿|抽|养)"
_HELD = re.compile(
    r"[车房证照卡号机器琴表包店厂狗猫鱼书账险款债铺屋船枪笔]$|(?:孩子|对象|工作|宠物|兄弟|姐妹|亲戚|老师|电脑|相机|平板)$"
)
"""How a noun ends that one has or has not, without a count; what is felt or happens (压力, 时间) is nothing one owns."""
_QUITS = frozenset({"zh.quit", "zh.quit_it"})
_KIN = "|".join(sorted((word for word in RELATIONS if not word.isascii()), key=len, reverse=True))
_COMMON = re.compile(
    r"(?:饭|东西|事|课|班|觉|话|人|它|他|她|你|我|自己|这|那|什么|谁|几|一下|一次|很多|问题|时间|空|办法|机会|感觉|想法|意思|关系|兴趣).*|.*(?:这|那|你|您|什么|吗|呢)|.*[一这那]次"
)
_LOOSE = re.compile(r"[他她它这那你您谁啥]|什么|怎么|那么|这么|多少")


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said of a subject: `attribute` is the predicate with its object, `value` the object without its count."""

    attribute: str
    value: str
    rule: str
    negated: bool = False
    update: bool = False
    kind: Kind = Kind.FACT
    open: bool = False
    """Only what is known tells which act it is: 戒烟 says no to 抽烟."""


@dataclass(frozen=True, slots=True)
class _Form:
    rule: str
    family: str
    pattern: re.Pattern[str]
    negated: bool = False
    update: bool = False
    kind: Kind = Kind.FACT


def _f(rule: str, family: str, pattern: str, kind: Kind = Kind.FACT, **flags: bool) -> _Form:
    return _Form(f"zh.{rule}", family, re.compile(_ADV + pattern + _END), kind=kind, **flags)


_FORMS: tuple[_Form, ...] = (
    _f("gave_away", "owns", rf"(?:把|将){_NOUN}(?:给|都|也|已经)?(?:卖|丢|扔|弄丢|送(?:人|给[^，。]{{1,6}})|退|转让|处理|报废|捐|注销|还)(?:掉|了|出去|回去)*了", negated=True, update=True),
    _f("sold", "owns", rf"(?:卖|转让|注销|报废|弄丢|丢|搞丢)(?:掉)?了{_NOUN}", negated=True, update=True),
    _f("owns_no_more", "owns", rf"(?:已经)?(?:不|没(?:有)?再?|不再)(?:再)?(?:养|有){_NOUN}了", negated=True, update=True),
    _f("owns_not", "owns", rf"(?:没有?|未)(?:养|买|领养)过?{_NOUN}", negated=True),
    _f("owns_none", "owns", rf"(?:没有?)(?P<c>{_CLASSIFIER})?(?P<o>{_KIN}|[\u4e00-\u9fff]{{1,5}})", negated=True),
    _f("keeps", "owns", rf"(?:养(?!成)|领养|收养)(?:着|了|过|有|的(?:是)?)?(?P<c>{_CLASSIFIER})?{_NOUN}"),
    _f("bought", "owns", rf"(?:买|添置|入手)了(?P<c>{_CLASSIFIER}){_NOUN}", update=True),
    _f("owns", "owns", rf"有(?P<c>{_CLASSIFIER})?(?P<o>{_KIN}|[\u4e00-\u9fff]{{1,5}})"),
    _f("cannot", "skill", rf"(?:不会|不太会|不怎么会|学不会|没学过|不懂)(?P<o>{_SKILL}?[\u4e00-\u9fffA-Za-z]{{1,6}}?)", negated=True),
    _f("does_instead", "does", rf"(?:改|换成?|改成)(?P<o>{_DOES}(?:(?!是)[\u4e00-\u9fffA-Za-z]){{1,5}}?)", update=True, kind=Kind.PREFERENCE),
    _f("does_from_now", "does", rf"(?:以后|现在|今后)?(?:我)?(?:就|都)(?:改)?(?P<o>{_DOES}[\u4e00-\u9fffA-Za-z]{{2,5}}?)(?<=[\u4e00-\u9fff])(?=了)", update=True, kind=Kind.PREFERENCE),
    _f("quit_it", "does", r"(?:把|将)(?P<o>[\u4e00-\u9fff]{1,4}?)(?:给|都|也|已经)?戒(?:掉)?了", negated=True, update=True),
    _f("can_now", "does", r"(?:能|可以|敢)(?:够)?(?P<o>(?:吃|喝|开|骑|熬)[\u4e00-\u9fffA-Za-z]{1,4}?)了", update=True, kind=Kind.PREFERENCE),
    _f("habitually", "does", r"(?P<o>[抽吸喝吃戴信练养](?![过了着完饭药水的])[\u4e00-\u9fffA-Za-z]{1,4}|熬夜|健身|化妆|跑步|午睡)(?<!了)", kind=Kind.PREFERENCE),
    _f("quit", "does", r"(?:戒|戒掉)(?:掉)?了?(?P<o>[\u4e00-\u9fff]{1,4}?)", negated=True, update=True),
    _f("does_no_more", "does", rf"(?:不再|再也不|已经不|早不|不)(?P<o>{_DOES}[\u4e00-\u9fffA-Za-z]{{0,5}}?)了", negated=True, update=True),
    _f("does_not", "does", rf"(?:从不|从来不|不怎么|不太|不大|不常|很少|几乎不|基本不|不)(?:经常|常)?(?P<o>{_DOES}[\u4e00-\u9fffA-Za-z]{{1,5}}?)", negated=True, kind=Kind.PREFERENCE),
    _f("does", "does", rf"(?:经常|常常?|每天|天天|每(?:个)?(?:周|星期|月|晚|早)(?:都)?|总是|偶尔|有时候?|一周[^，。]{{1,3}}次|开始)(?:都|会|去|要|还|正?在|周末|早上|早晨|上午|中午|下午|傍晚|晚上|睡前|饭后)*(?P<o>{_DOES}[\u4e00-\u9fffA-Za-z]{{1,5}}?)", kind=Kind.PREFERENCE),
    _f("can", "skill", rf"(?:会|学会了?)(?:一点儿?|一些)?(?P<o>{_SKILL}[\u4e00-\u9fffA-Za-z]{{1,6}}?)"),
    _f("never_did", "tried", rf"(?:没有?|未)(?P<o>{_ACT}过[\u4e00-\u9fffA-Za-z《》·]{{1,10}}?)", negated=True),
    _f("has_done", "tried", rf"(?P<o>{_ACT}过[\u4e00-\u9fffA-Za-z《》·]{{1,10}}?)", kind=Kind.EVENT),
    _f("did", "tried", r"(?P<o>(?:吃|喝|看|去|玩|听|读|学|尝|用|坐|爬|骑)了[\u4e00-\u9fffA-Za-z《》·]{1,10}?)", kind=Kind.EVENT),
)  # fmt: skip
_LEVEL = r"(?:小学|初中|高中|中学|中专|职高|大学|大专|本科|专科|研究生|硕士|博士)"
_STUDIES = re.compile(_ADV + rf"(?:正|还)?(?:在(?:上|读|念)?|上|读|念)(?P<v>{_LEVEL})" + _END)
_LIVES_BY = re.compile(_ADV + r"在(?P<v>上学|读书|念书|上班|工作)" + _END)
_EMPLOYMENT = re.compile(
    _ADV + r"(?:被)?(?P<v>失业|待业|无业|下岗|裁员|辞退|离职|辞职|裸辞|退休|实习|创业)" + _END
)
_MARITAL = re.compile(
    _ADV + r"(?:是)?(?P<no>没有?|还没有?)?(?P<v>单身|未婚|已婚|离异|丧偶|结婚|成家|离婚|订婚|领证)(?:[^，。]{0,5}年)?(?P<done>了)?" + _END
)  # fmt: skip
"""States that are told by a word of their own: the value is that word, as said."""


def claim(rest: str, *, of_user: bool) -> Claim | None:
    """The claim of the clause after its subject, or None; only the speaker's own life where others' would be gossip."""
    state = _state(rest)
    if state is not None:
        return state
    for form in _FORMS:
        match = form.pattern.fullmatch(rest)
        if match is None:
            continue
        if form.family == "tried" and not of_user:
            return None
        thing = _object(match["o"], form, counted=bool(match.groupdict().get("c")))
        if thing is None:
            if form.rule in {"zh.owns", "zh.owns_none"}:
                continue  # 没去过: what begins with 没 need not be about a thing
            return None
        attribute = "skill" if form.family == "skill" else f"{form.family}:{thing}"
        return Claim(attribute, thing, form.rule, form.negated, form.update, form.kind, form.rule in _QUITS)
    return None


def _state(rest: str) -> Claim | None:
    """A state of one's life, its value the word that was said for it."""
    if (found := _STUDIES.fullmatch(rest)) is not None:
        return Claim("education", found["v"], "zh.studies", kind=Kind.PROFILE)
    if (found := _LIVES_BY.fullmatch(rest)) is not None:
        return Claim(f"does:{found['v']}", found["v"], "zh.lives_by", kind=Kind.PROFILE)
    if (found := _EMPLOYMENT.fullmatch(rest)) is not None:
        return Claim("employment_status", found["v"], "zh.employment", update=True, kind=Kind.PROFILE)
    found = _MARITAL.fullmatch(rest)
    if found is None:
        return None
    happened = found["done"] or rest.rstrip("啦呢啊呀的").endswith("了") or "年" in rest
    lasting = found["v"] in {"单身", "未婚", "已婚", "离异", "丧偶"}
    if not (happened or lasting or found["no"]):
        return None
    return Claim("marital_status", found["v"], "zh.marital", negated=bool(found["no"]), kind=Kind.PROFILE)


def _object(said: str, form: _Form, *, counted: bool) -> str | None:
    """The object in one form (狗狗 is 狗); None for one that is too common, or points at something."""
    thing = re.sub(r"^(?:很多|许多|一些|几|任何|自己的|我的|新的?|旧的?)", "", said)
    if (
        len(thing) == 2
        and thing[0] == thing[1]
        and (thing not in RELATIONS or RELATIONS[thing] in {"dog", "cat"})
    ):
        thing = thing[0]
    if form.family == "tried":
        thing = re.sub(r"[过了]", "", thing, count=1)
    if (
        not thing
        or _LOOSE.search(thing)
        or re.search(r"不|得(?!奖)|没|[一几两三半]?(?:会儿|些|点儿?|趟|顿|下)|^.?一", thing)
    ):
        return None
    if form.family == "does" and len(thing) < 2 and form.rule not in _QUITS:
        return None
    if form.family in {"owns", "tried"}:
        noun = thing[1:] if form.family == "tried" else thing
        if not noun or _COMMON.fullmatch(noun):
            return None
        if form.rule in {"zh.owns", "zh.owns_none"}:
            return thing if _is_held(noun, counted=counted) else None
        words = () if form.rule in {"zh.gave_away", "zh.sold"} else tagged(noun)
        if words and words[-1][1] in {"v", "a", "d", "p", "r", "c", "y", "u", "ul"} and len(noun) < 4:
            return None
    return thing if len(thing) <= 20 else None


def _is_held(noun: str, *, counted: bool) -> bool:
    """Whether one may have it: a relation, a noun that ends like a thing, or anything that is counted and not abstract."""
    words = tagged(noun)
    if "过" in noun or (len(words) > 1 and words[0][1][:1] in {"v", "d"}):
        return False  # 没吃过鱼
    return noun in RELATIONS or _HELD.search(noun) is not None or (counted and not is_abstract(noun))
