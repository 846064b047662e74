"""Checks on what a Chinese predicate was read to say, which its pattern cannot make: a place that is one, a name that is no common word."""

from __future__ import annotations

import re

from memories.core.extraction.predicate import Predicate
from memories.core.extraction.zh.names import SURNAMES, has_family_name
from memories.core.extraction.zh.subjects import bare_name
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values
from memories.core.values.sorts import STAND_IN, is_exact

NEEDS_SUBJECT = frozenset(
    {
        "zh.age",
        "zh.age_bare",
        "zh.height",
        "zh.weight",
        "zh.job",
        "zh.job_at",
        "zh.marital",
        "zh.family",
        "zh.possession",
    }
)
"""What is too often said of somebody else to be read as "I" when nobody was named in the turn."""


_SCHOOL = re.compile(r"(?:大学|学院|学校|中学|小学|高中|初中|幼儿园|[一二三四五六七八九十]中)$")
_WORK = re.compile(r"(?:公司|集团|银行|医院|厂|店|局|所|社|事务所|工作室|研究院)$")


_LEVEL = re.compile(r"(?:小学|初中|高中|中学|中专|职高|大学|大专|本科|专科|研究生|硕士|博士)(?:生|学历)?")
"""How far somebody went to school; no subject of study."""
_WHEN_TO_GO = re.compile(
    r"(?:周末|平时|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|周[一二三四五六日天]|节假日|假期|[春夏秋冬]天)(?:的时候)?(?:去|来|做|弄|吃|喝|看|玩)"
)
"""When one likes to do what only the talk around it tells."""
_ACTS_LAST = frozenset("过干着了做住当说是有到去来想要就都也还才被把给")
_FROM = frozenset({("从", "p"), ("由", "p"), ("向", "p"), ("被", "p"), ("跟", "p")})
_OF_NAMES = frozenset("nvbjlakgs")
"""First letters of the tags of what names are made of; a clause has a pronoun, an adverb, a time or a preposition as well."""
_TITLED = re.compile(rf"[{SURNAMES}](?:老师|医生|大夫|经理|律师|教练|主任|教授|总监|护士|师傅)")
"""Somebody's name with a title: who it is, not what one works as."""
_CLAUSE_FIRST = re.compile(
    r"(?:我|他|她)?(?:刚刚?|已经|正在|还没|没有?|不|只|是|总把|把)(?=.)|.*过(?:完)?.{0,5}生日$"
)


def is_entity(key: str, surface: str = "") -> bool:
    """Whether a subject's name is a name: what ends in a verb or begins like a predicate is a piece of a clause.

    `surface` is how it was said, where that says more: 云松项目 is a project, whatever verb its name ends in.
    """
    name = key.rsplit(":", 1)[-1]
    if name == "后来":
        return False
    if surface and bare_name(surface) == name:
        name = surface
    if len(name) < 3 or name.isascii():
        return True
    words = tagged(name)
    if _CLAUSE_FIRST.match(name) or (len(words) > 1 and words[0] in _FROM):
        return False
    word, tag = words[-1]
    acts = len(word) == 1 and tag == "v" and word != "会" and not (len(name) == 3 and has_family_name(name))
    if acts and len(words) > 2 and all(tag[:1] in _OF_NAMES for _, tag in words[:-1]):
        acts = False  # 首席编辑写作提升营: no clause piles up so many nouns before its verb, and a last 会 is a meeting
    return len(words) == 1 or not (word in _ACTS_LAST or acts)  # 陶棠松 is a name


def place_attribute(place: str) -> str | None:
    """What somebody is no longer at: a school, a place to work or a town; None where the words do not tell."""
    if _SCHOOL.search(place):
        return "school"
    if _WORK.search(place):
        return "employer"
    return "home" if all(tag == "ns" for _, tag in tagged(place)) else None


def attribute_for(predicate: Predicate, value: str) -> str | None:
    """在广州工作 tells a place, 在腾讯工作 an employer; what one is not at any more is what it is a place for."""
    if predicate.rule == "zh.major_is" and _LEVEL.fullmatch(value):
        return "education"
    if predicate.rule == "zh.place_left":
        return place_attribute(value)
    if predicate.rule in {"zh.employer", "zh.employer_ended", "zh.employer_new"}:
        words = tagged(value)
        if (words and words[-1][1] == "ns") or value[-1] in "省市县镇村国":
            return "workplace"
    return predicate.attribute


_WHERE = re.compile(r".*(?:[省市区县镇乡村路街巷弄里苑园庭湾府城楼栋号]|小区|公寓|宿舍|花园|家属院|新村)$")


def _is_where(value: str) -> bool:
    """A town by the tagger, or words that end as a quarter, a street or a building does."""
    words = tagged(value)
    if len(words) == 1 and words[0][1] in {"nr", "nrt", "s"} and len(value) == 2:
        return True  # 余杭
    return (all(tag in {"ns", "n", "s"} for _, tag in words) and words[-1][1] == "ns") or _WHERE.fullmatch(
        value
    ) is not None


def plausible(rule: str, value: str) -> bool:
    """Checks that patterns cannot make: a place that is one, a name that is no common word."""
    if rule == "zh.from_people":
        words = tagged(value)
        return bool(words) and (words[-1][1] == "ns" or value[-1] in "省市县区镇村州")
    if rule == "zh.job":
        return not (re.search(r"[在跟和我你他她]|因为|打工$", value) or _TITLED.fullmatch(value))
    if rule == "zh.nickname":
        words = tagged(value)
        return len(words) == 1 or (
            words[-1][1] != "v" and words[0][1][:1] not in {"v", "d", "p"}
        )  # 叫我别熬夜
    if rule == "zh.learning":
        return not re.search(r"(?:时|时候|之?后|期间)$", value)
    if rule in {"zh.lives", "zh.born_at"}:
        return (
            value == STAND_IN
            or _is_where(value)
            or (rule == "zh.born_at" and tagged(value)[-1][1] in {"ns", "s", "n"})
        )
    if rule in {"zh.stays", "zh.at"}:
        words = tagged(value)
        return bool(words) and all(tag == "ns" for _, tag in words)
    if rule in {"zh.drives", "zh.drives_one"}:
        return not re.search(r"[我你他]|门|会|玩笑|灯|公司|店", value)
    if rule == "zh.from_place":
        words = tagged(value)
        return bool(words) and all(tag == "ns" for _, tag in words)
    if rule in {"zh.employer_new", "zh.moved"} and _is_measure(value):
        return False  # 调到3斤
    if rule == "zh.moved":
        return not in_house(value)
    if rule in {"zh.employer", "zh.employer_new"}:
        return not re.search(
            r"^(?:做|找|忙|干|当|努力|认真|拼命|一起|那|这|里面|好好|一直|外面|外地)|找到|一份|肯定|打算",
            value,
        )
    if rule == "zh.home":
        return not re.search(
            # "在X常住的酒店是…" is about the hotel, "在X的酒店住不久" about how long
            r"^[^，。]{1,10}的(?:就|才|也)?是|肯定|必须|应该|需要|可以|一起|要住|^(?:我家|这|那|里面)$|住的|住[不过]|的[^，。]{1,10}?(?:是|换|改成|叫)",
            value,
        )
    if rule == "zh.place_left":
        return place_attribute(value) is not None
    if rule == "zh.name":
        return not re.search(r"什么|出租|外卖|停|醒|我|你|他|她", value)
    if rule in {"zh.like", "zh.dislike"}:
        words = tagged(value)
        bare = len(words) == 1 and len(value) == 1 and words[0][1] == "v"
        return not bare and not _WHEN_TO_GO.fullmatch(value) and not re.match(
            r"(?:你|您|的|上班吗|自己(?!动手|做|一个)|无法|不|他|她|它|这|那|因为|就是|才是|里面|其中|.的(?:是|就是)|让)|.{1,2}(?:这|那)[个本部首种位条些]", value
        )  # fmt: skip
    return True


_ROOM = re.compile(
    r".*(?:阳台|客厅|卧室|厨房|书房|餐厅|车库|地下室|储物间|仓库|办公室|会议室|教室|工位|柜子?|抽屉|架子?|走廊|门口|院子|楼[上下]|里面|外面|旁边|[里上下]|这[里儿]?|那[里儿]?)"
)


def in_house(value: str) -> bool:
    """Whether it is a room, or a spot in one: where things are moved to, and nobody's home."""
    return _ROOM.fullmatch(value) is not None


def _is_measure(value: str) -> bool:
    """An amount or a moment, which nobody moves to; the number of a room or a street is a place."""
    exact = is_exact(value) and key_values(value)[0].kind not in {"name", "title"}
    return exact and re.search("[室房号楼层栋座区道路街巷弄苑]", value) is None
