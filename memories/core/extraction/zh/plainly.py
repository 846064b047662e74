"""What a Chinese clause says lastingly of the speaker's own, or of a named thing, by whatever verb: "我网购都用顺丰", "快递放在东门的驿站".

The readers before know a grammar each; this one finds the verb and takes what stands before it for the thing and what follows for its
value. It keeps what is so time and again, what was settled on and what is exact (zh/exactly.py), and nothing that is wished, denied, over, or
told of another's day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memories.core.extraction.attributes import canonical_attribute
from memories.core.extraction.raw import NOBODY, Raw, Turn, Who
from memories.core.extraction.zh.described import MENTAL
from memories.core.extraction.zh.exactly import exactly, plain
from memories.core.extraction.zh.names import has_family_name, person_name
from memories.core.extraction.zh.spoken_of import ADVERB, slot_of, topic_of, unreal
from memories.core.extraction.zh.subjects import noun_subject
from memories.core.extraction.zh.values import exact_value, is_opinion, noun_phrase
from memories.core.text.words import tagged
from memories.core.values.numerals import ZH_NUMBER
from memories.core.values.sorts import is_exact

_VERB = "用坐订选填放学教带租买喝吃开穿戴养报跟管做读看听追投存交收卖定排约挂停请点写念练打玩骑走跑供签借付花挣欠刷铺种贴染剪扎演唱跳拍画修守配装背包办站推营是有叫归属值抽接留在"
_FORM = re.compile(
    rf"(?P<adv>{ADVERB}{{0,4}}+)(?P<verb>[{_VERB}]|(?!地方)[\u4e00-\u9fff]{{2}}(?=的|在|到|着|成)|[和与](?=[\u4e00-\u9fff]))(?P<asp>的(?:都|就|也)?是|的|是|在|到|着|给|成)?(?P<done>了)?(?P<one>一?[个台部家辆张套款只间份本门](?:新的?)?)?(?P<v>[^，。]{{1,20}})"
)
_TAIL = re.compile(r"(?:[了啦呢呀哦]|的)+$")
_LASTED = re.compile(
    rf"(?:都|也|快|已经|有){{0,3}}{ZH_NUMBER}个?(?:多)?(?:年|月|天|周|星期|礼拜)(?:多|半)?了?$"
)
"""How long it has been so: 学小提琴|三年了."""
_LASTS = re.compile(
    r"重新|另外|一般|平时|通常|平常|一直|主|固定|习惯|目前|现在|如今|长期|常|总|基本|大多|每|天天|统一|都|以后|今后|改|换|暂"
)
_STANDS = frozenset("用管带教归属值租养追做读念学接留")
"""What is done for long by its nature: the verb alone says that it lasts."""
_SETTLES = frozenset("定订选约排签报填")
"""Verbs of settling on something: what was settled stands."""
_POINTS = re.compile(r"[他她它您你这那谁]|自己|别人|大家|人家")
_OF_TRADE = re.compile(r"(?:[人员匠户]|[^导老]师|经理|主管|总监|主任|会计|老板|领导)$")
_BESIDES = re.compile("[也还又]")
_MENTAL = frozenset("看听做")
"""What is seen and heard is told every day: only with 的是 or an adverb of habit it says anything lasting."""
_DAILY = frozenset("吃喝穿看听做玩开坐说写读")
_OF_LIFE = frozenset({"employer", "school", "occupation", "education", "department", "grade", "hobby"})
_CHANGES = re.compile(r"重新|另外|现在|目前|如今|改|换|以后|今后|新|[了啦]$")


@dataclass(frozen=True, slots=True)
class _Found:
    head: str
    adv: str
    verb: str
    asp: str
    value: str
    exact: bool
    settled: bool


def plainly(text: str, turn: Turn) -> list[Raw]:
    """The fact that the clause states by any verb or none, or []."""
    if turn.told or len(text) > 34:
        return []
    raw = exactly(text, turn)
    if raw is None and not unreal(text):
        bare = re.sub(r"^(?:这[次回]|本次)的?", "", _LASTED.sub("", text))
        raw = next((raw for found in _readings(bare) if (raw := _fact(found, text, turn))), None)
    if raw is None:
        return []
    if raw.who.key not in {"general", turn.speaker}:
        turn.mention(raw.who)
    return [raw]


def _readings(text: str) -> list[_Found]:
    """Where the verb may stand, with what is before and behind it."""
    found: list[_Found] = []
    bare = _TAIL.sub("", text)
    for start in range(1, min(len(bare), 16)):
        match = _FORM.fullmatch(bare, start)
        if match is None:
            continue
        if len(match["verb"]) > 1 and (
            MENTAL.search(match["verb"]) or re.search("[心虑奇疑]", match["verb"])
        ):
            continue
        aspect = match["asp"] in {"的是", "的都是", "的就是", "的也是", "在"} or match["done"]
        if len(match["verb"]) > 1 and [tag[:1] for _, tag in tagged(match["verb"])] != ["v"]:
            continue  # 清新的地方
        if not aspect and _cuts_word(bare, match.start("verb"), match["verb"]):
            continue
        settled = match["done"] is not None and match["verb"] in _SETTLES
        if match["done"] and not (settled or _LASTS.search(match["adv"])):
            continue  # 带了一把伞: done once
        value, exact = _value(match["v"], acts=not match["asp"])
        if (
            value is None
            and text.endswith("的")
            and _LASTS.search(match["adv"])
            and re.fullmatch("[\u4e00-\u9fff]{2,4}", match["v"])
        ):
            value = match["v"]  # 一直买渴望的: a make, whatever the tagger thinks of the word
        if value is not None:
            found.append(
                _Found(bare[:start], match["adv"], match["verb"], match["asp"] or "", value, exact, settled)
            )
    return found


def _cuts_word(text: str, at: int, verb: str) -> bool:
    """Whether the verb is within a word of another kind, by the tagger: 打 of 店主打, unless the word is a verb as well."""
    place = 0
    for word, tag in tagged(text):
        if place == at and len(word) > len(verb):
            return re.fullmatch("[的是在到着给了]+", word[len(verb) :]) is None  # 收|藏
        if place < at < place + len(word):
            if len(word) == 2 and verb not in "是叫有" and word[0] not in "改换主都只转在正常":
                return True  # 安|排
            inner = word[at - place :]
            return not (
                tag[:1] in {"v", "p", "c"} or (inner == verb and tag[:1] in {"n", "x"} and len(word) > 2)
            )
        place += len(word)
    return False


def _value(words: str, *, acts: bool) -> tuple[str | None, bool]:
    """The value in what follows the verb, without what is then done with it, and whether it is exact."""
    if (value := exact_value(words)) is not None:
        return value, True
    name = person_name(words)
    if name == words or has_family_name(words):
        return words, False
    if (
        name is not None
        and len(words) > len(name) + 1
        and acts
        and tagged(words[len(name) :])[0][1][:1] == "v"
    ):
        return name, False  # 跟李老师|学琴
    parts = tagged(words) if acts else ()
    while len(parts) > 1 and parts[-1][1][:1] == "v" and len(parts[-1][0]) < 3 and parts[-1][1] != "vn":
        words = words[: -len(parts[-1][0])]  # 坐3号线|上班
        parts = tagged(words)
    if (value := exact_value(words)) is not None:
        return value, True
    return noun_phrase(words), False


def _fact(found: _Found, text: str, turn: Turn) -> Raw | None:
    value = found.value
    if is_opinion(value) or value[-1] in "就才也" or _POINTS.search(value) or _POINTS.search(found.head):
        return None
    lasts = bool(_LASTS.search(found.adv)) or found.asp.endswith("是") or found.settled
    update = _CHANGES.search(text) is not None
    if found.verb in "和与跟" and person_name(value) != value:
        return None
    owner, topic = topic_of(found.head, turn)
    if topic is None:
        return None
    if found.verb in "有" and not found.exact:
        return None
    if found.verb in "吃喝穿看听玩" and re.search("[在正]", found.adv):
        return None  # 现在在吃早餐
    if (
        topic
        and not found.exact
        and found.verb != "是"
        and tagged(topic)[0][1] == "v"
        and len(tagged(topic)) > 1
    ):
        return None  # 体验|美食节的…: a verb with its object is no thing
    if not topic:
        return _own(found, owner, lasts, update, text, turn)
    if topic.endswith("地方") and found.verb in "在是":
        return plain(owner or NOBODY, topic, value, text, update=update)
    if found.verb == "在":
        return None
    slot = slot_of(owner, topic, turn)
    if found.verb == "是" and not found.asp and not (found.exact or owner is not None):
        return None
    if slot is None and found.verb == "是" and not found.asp:
        slot = owner or NOBODY, canonical_attribute(topic)
    if slot is not None and not found.exact and slot[1] in _OF_LIFE:
        return None  # a school where somebody teaches, a firm where somebody flies
    if found.asp == "在" and re.fullmatch("房子?|公寓|屋子", topic) and found.verb in "租买":
        return plain(Who(turn.speaker, found.head), "home", value, text, update=update)
    if slot is not None:
        return plain(*slot, value, text, update=update)
    if found.verb in _DAILY and not (lasts or found.exact or found.asp):
        return None
    if found.verb in _MENTAL and not lasts:
        return None
    who = noun_subject(topic, turn) or Who(topic, topic, person=False)
    if who.person or (owner is None and _OF_TRADE.search(topic)):
        return None  # 设计师都用…: what others do
    if owner is not None and owner.key != turn.speaker:
        return plain(owner, f"{topic}{found.verb}的", value, text, update=update)
    attribute = "location" if found.asp in {"在", "到"} and not found.exact else f"{found.verb}的"
    return plain(who, attribute, value, text, update=update)


def _own(found: _Found, owner: Who | None, lasts: bool, update: bool, text: str, turn: Turn) -> Raw | None:
    """What somebody uses, takes or does, no thing named for which."""
    if owner is None or found.verb in "是有叫在" or not (owner.person or owner.key.startswith(turn.speaker)):
        return None
    if found.asp == "的" and not (lasts or found.exact or _is_proper(found.value)):
        return None  # 我养的花
    if not (lasts or found.asp == "的" or found.verb in _STANDS | frozenset("和与跟")):
        return None
    if found.asp in {"在", "到"} or (found.verb in _MENTAL and not lasts):
        return None
    besides = _BESIDES.search(found.adv) is not None
    raw = plain(owner, f"{found.verb}的", found.value, text, update=update and not besides)
    # What one uses, learns or books, one may use, learn or book several of: only a change has it be the one there is.
    several = (owner.person or owner.key == turn.speaker) and not raw.update
    return replace(raw, single=False) if several else raw


def _is_proper(value: str) -> bool:
    """A make, a name or a title: what a noun phrase (我养的花) does not end in."""
    return is_exact(value) or any(tag in {"nz", "nr", "nt", "eng", "nrt"} for _, tag in tagged(value))
