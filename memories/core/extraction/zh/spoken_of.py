"""What a Chinese clause speaks of: whose and which thing stands before its value, and whether it tells what is so at all."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import ZH_WORDS, canonical_attribute, lookup
from memories.core.extraction.raw import NOBODY, Pending, Turn, Who
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import relation
from memories.core.extraction.zh.bare import MEASURED, acts, owner_of
from memories.core.extraction.zh.names import person_name
from memories.core.extraction.zh.subjects import ME, PERSON_WORD, ends_in_verb, leading_subject, noun_subject
from memories.core.extraction.zh.values import is_abstract
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values

ADVERB = (
    r"(?:重新|另外|临时|一般|平时|通常|平常|一直|主要|固定|习惯|目前|现在|如今|长期|经常|常|总是?|基本|大多|每[天周月年次晚早回]|天天|暂时|暂定|统一|全部?|已经|以后|今后|最近|"
    r"全|都|也|就|还|又|只|才|主|改|换|在|正|给我们?|我们?|被|大概|差不多|一共|总共|定好|要|得)"
)
_UNREAL = re.compile(
    r"[昨前明后]天|今天|今[晚早]|昨晚|刚才|刚刚|那[天次时]|当时|以前|曾经|等会|待会|差点|觉得|认为|可能|应该|可以|打算|准备|考虑|如果|为了|因为|好像|听说|多少|什么|至少|至多|最多|最少|每次|起码|左右就|"
    r"[他她它您你那]|这(?!个?[月周])|自己|别人|给我个|大家|人家|差不多得|需要|一样|似的|要[^，。]{0,6}?[涨降改换升调减瘦胖延推搬挪变转缩]|快(?:要)?(?=[搬换改到])|就要|马上|即将|欠|有误|作废|不算|(?:上次|先前|早先)[^，。]{0,2}[说报写记讲]"
)
_DENIES = frozenset("没不别未想能让帮据说问比像哪谁怎过完再请会曾愿")
"""Words of one character that tell what is not so, not yet, not here, or only said."""


def unreal(text: str) -> bool:
    """Whether the clause denies, wishes, asks, passes on or tells what was so once."""
    return _UNREAL.search(text) is not None or any(
        word in _DENIES or (word[0] in "没不别未想希愿" and tag[:1] in {"d", "v"})
        for word, tag in tagged(text)
    )


_ACTS = re.compile(r"[改换变调升降涨跌挪移延推提缩减增加扩迁搬拖瘦胖到成为至]")
_LINK = frozenset("是有为约到在至成着的了共付交收要得达")


def without_verb(head: str) -> tuple[str, str]:
    """The thing of what stands before the value, and the adverbs and the verb that follow it."""
    words = list(tagged(head))
    dropped = ""
    while len(words) > 1:
        word, tag = words[-1]
        link = len(word) == 1 and (word in _LINK or tag[:1] in {"v", "d", "p", "u", "c"})
        adverb = re.fullmatch(rf"{ADVERB}++", word) is not None or tag in {"d", "ad"}
        acts = (
            tag[:1] == "v"
            and tag != "vn"
            and any(other[:1] == "n" or other == "eng" for _, other in words[:-1])
        )
        if words[-2][0] == "的" and len(word) > 1:
            break  # 客户的|返点
        if (
            not (link or adverb or acts or re.fullmatch(ME, word))
            or sum(len(one) for one, _ in words[:-1]) < 2
        ):
            break
        dropped = word + dropped
        words.pop()
    return "".join(word for word, _ in words), dropped


def topic_of(head: str, turn: Turn) -> tuple[Who | None, str | None]:
    """Whose, and what is spoken of: "" for nothing but somebody, None where the words name no thing."""
    owner, topic = owner_of(head, turn)
    if owner is not None and owner.key == owner.surface and (owner.key.isascii() or re.search(ME, topic)):
        owner, topic = (None, head) if topic else (owner, topic)  # CLI|工具, 田野|调查我: no person
    if owner is not None and re.fullmatch(r"在[^的]{2,8}", topic):
        return owner, ""  # 我在老年大学|学钢琴
    topic = re.sub(rf"(?<=..)(?:{ME}|我们|咱们|有)$", "", topic)
    if re.match("[在从对给跟和按为]", topic) and "的" not in topic:
        return None, None
    topic = re.sub(rf"^(?:{ADVERB}++|们|家里?|这边|里)?的?(?=..)|(?:上|里|这边)?的?$", "", topic)
    before, _, noun = topic.rpartition("的")
    if before and noun != "地方" and any(tag[:1] in {"p", "v"} for _, tag in tagged(before)):
        topic = noun  # 给客户的|返点
    if not topic:
        return owner, ""
    if owner is not None and owner.key == turn.speaker and len(topic) == 1 and tagged(topic)[0][1][:1] == "n":
        key = f"{turn.speaker}:{relation(topic)}"
        return Who(key, head, person=topic in RELATIONS), ""  # 我家|猫, 我们|组
    topic = re.sub(r"^(?:[这下上本]个?|今|明)[年月周](?:的|(?=..))", "", topic)
    return (owner, topic) if _is_thing(topic) else (None, None)


def slot_of(owner: Who | None, topic: str, turn: Turn) -> tuple[Who, str] | None:
    """Whose, and which attribute of the table the noun ends in: the address of 收货 for 收货地址; None for any other noun."""
    word = next((word for word in ZH_WORDS if len(word) > 1 and topic.endswith(word)), None)
    row = lookup(word) if word is not None else None
    if word is None or row is None:
        return None
    before = topic[: -len(word)].rstrip("的")
    who = owner or (noun_subject(before, turn) if before else None) or NOBODY
    return who, row.name if who != NOBODY or not before else topic


def _is_thing(topic: str) -> bool:
    """A noun of two to ten characters, whatever it is made of: no clause, no verb, no time and no judgement."""
    if not 2 <= len(re.sub("[A-Za-z0-9]+", "A", topic)) <= 10 or is_abstract(topic):
        return False
    if re.search(
        rf"{ME}|[，。想是帮没让给了叫能]|[成到至有]$|^[在从对跟和按为]|喜欢|讨厌|^{ADVERB}++$", topic
    ):
        return False  # 副业是帮人代运
    if any(one.kind in {"date", "time"} for one in key_values(topic)):
        return False
    words = tagged(topic)
    last, tag = words[-1]
    if words[0][1] in {"m", "q"} and not topic.startswith("第"):
        return False  # 一年|挣四五万
    if (len(last) == 1 and tag in {"v", "d", "p", "a", "c"}) or (
        tag[:1] in {"t", "u", "q", "m"} and lookup(last) is None
    ):
        return False  # 水|烧到100度
    tags = [tag for _, tag in words]
    if all(tag[:1] in "vdpa" and tag != "vn" for tag in tags) and (
        _ACTS.search(topic) or all(tag[:1] in "ad" for tag in tags)
    ):
        return False  # 挪到周四
    return all(tag[:1] in "nvjxaebltzsfumq" for tag in tags)


_ABOUT = re.compile(
    r"(?P<head>[^，。的]{2,10}?)(?:最近|这两天|又|还|一直|都)*(?=(?:控制|恢复|稳定|波动|有[点些]|偏|不[太大]?|太|很|挺|降|升|涨|跌|掉|变|好转)[^，。到至成为]*$)"
)


def note_measure(text: str, turn: Turn) -> None:
    """我爸血糖控制得不错: what a number in the next clause is of."""
    match = _ABOUT.match(text)
    if match is None:
        return
    who, noun = owner_of(match["head"], turn)
    if who is None or not 2 <= len(noun) <= 6 or MEASURED.search(noun) is None or acts(noun):
        return
    row = lookup(noun)
    turn.mention(who)
    turn.pending = Pending(who, canonical_attribute(noun), row.kind if row else None, how="announced")


_TOPIC = re.compile(
    r"(?:我(?:们)?(?:[\u4e00-\u9fff]{1,8})的)?(?P<topic>[\u4e00-\u9fffA-Za-z0-9《》·\-]{2,24})"
)


def note_topic(text: str, turn: Turn) -> None:
    """A clause that is only a noun phrase names what "它" means in the next one."""
    named = leading_subject(f"{text}。", turn)
    if named and named[1] == "。" and named[0].key not in {turn.speaker, turn.listener}:
        turn.mention(named[0])
        return
    mine = re.fullmatch(r"我们?的?(?P<noun>[\u4e00-\u9fff]{2,6})", text)
    if mine and PERSON_WORD.search(mine["noun"]) and not ends_in_verb(mine["noun"]):
        turn.mention(Who(f"{turn.speaker}:{relation(mine['noun'])}", text))
        return
    match = _TOPIC.fullmatch(text)
    if (
        match
        and not person_name(match["topic"])
        and not re.search(r"叫|是|有|在(?!线)|了|过", match["topic"])
    ):
        said_by_me = match.start("topic") > 0
        if not said_by_me and ends_in_verb(match["topic"]):
            return
        if not said_by_me and tagged(match["topic"])[0][1] in {
            "v",
            "d",
            "a",
            "r",
            "c",
            "y",
            "e",
        }:
            return
        head = match["topic"].rsplit("的", 1)[-1]
        if len(head) > 1:
            turn.thing = Who(head, head, person=False)
