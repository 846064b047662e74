"""Chinese clauses whose verb says what came of a thing: "合同金额最后谈成43万5", "把她的预产期修正为7月20号", "阳台改种薄荷了".

The verb is open: whatever is followed by 成, 到, 为 or 至 and an exact value, or names a change before what is done now.
"""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.raw import MEANT, NOBODY, UNSAID, Pending, Raw, Turn, Who
from memories.core.extraction.relations import relation
from memories.core.extraction.zh.adverbs import bare_head
from memories.core.extraction.zh.bare import acts, owner_of
from memories.core.extraction.zh.changes import from_old
from memories.core.extraction.zh.heads import split_head
from memories.core.extraction.zh.names import person_name
from memories.core.extraction.zh.rules import ONE, clean_value
from memories.core.extraction.zh.subjects import ME, PERSON_WORD, noun_subject
from memories.core.extraction.zh.values import exact_value, is_abstract, is_opinion, noun_phrase, noun_value
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_TO = re.compile(r"(?:成|到|为|至)(?:了)?(?:大概|差不多|约)?")
_CHANGING = re.compile(r"[改换变调升降涨跌转挪移延推提缩减增加扩更迁压修订核敲谈定砍补充翻拉窜长掉瘦胖]")
PERCEIVES = re.compile(
    r"[等直从说想看做感听聊达遇碰找收以认因作分拿买送寄讲学记数读走开跑回来去住排轮赶忙玩睡活用工坐]$"
)
"""Ends what comes to no state: 看到, 听成, 用到."""
_TAIL = re.compile(r"(?:就行|就好|就可以|即可|为止|左右)?(?:了|啦)?$")
_DOES_NOW = re.compile(
    rf"(?P<s>[^，。]{{0,16}}?)(?:改名(?:叫|为|成)了?|[换改](?P<to>[去上回成到为]?)了?{ONE}?|(?:选|定|挑|敲|拍)(?:了|中|定了?){ONE}?)(?P<v>[^，。了]{{1,20}}?)(?P<done>了|啦)?"
)
_NOT_NOW = re.compile(r"[没不别未勿](?:有|会|要|用|打算|准备)?(?:把.{1,6})?$|[想要打算准备考虑可能]$")
_QUOTED = re.compile(r"[“\"「『《](?P<v>[^”\"」』》]{1,20})[”\"」』》]")
_CLEFT = re.compile(
    r"(?:现在|目前|如今|以后|今后|接下来)(?:都|就|改)*(?P<act>[^，。的是]{2,12})的(?:人)?(?:就|都|则)?是(?P<v>[^，。]{2,10})"
)
_NO_MORE = re.compile(
    r"(?P<s>[^，。不]{0,12}?)(?:以后|现在|今后|最后|这次|决定)*不(?:再|打算|准备)?(?P<rest>[^，。]{3,15}?)了"
)


def raw_of_change(head: str, old: str | None, value: str, text: str, turn: Turn) -> Raw | None:
    """The new value of what the words before a verb of change name; None where they name nothing that has values."""
    who, noun = owner_of(head, turn)
    if not 2 <= len(noun) <= 10 or acts(noun) or is_abstract(noun) or "的" in noun:
        return None
    if (
        re.search(r"^(?:一|不|很|更|这|那)|我|自己", value)
        and not any(map(str.isdigit, value))
        and exact_value(value) is None
    ):
        return None
    if old is not None and who is None:
        if PERSON_WORD.search(noun) and person_name(value) == value:
            role = Who(f"{turn.speaker}:{relation(noun)}", noun)
            return Raw(
                role,
                "name",
                value,
                "zh.succeeded",
                Kind.PROFILE,
                text,
                update=True,
                replaces=old,
                single=True,
            )
        thing = noun_subject(noun, turn)
        if thing is None or thing.person:
            return None
        return Raw(
            thing, "uses", value, "zh.swapped", Kind.FACT, text, update=True, replaces=old, single=True
        )
    subject = who if who is not None else NOBODY
    row = lookup(noun)
    return Raw(
        subject, canonical_attribute(noun), value, "zh.changed", row.kind if row else Kind.FACT, text,
        update=True, replaces=old, open=True, single=True,
    )  # fmt: skip


def resulted(text: str, turn: Turn) -> list[Raw]:
    """The new value that the clause tells, or []."""
    raw = _came_to(text, turn) or _does_now(text, turn) or _who_does(text, turn)
    if raw is None:
        return []
    if raw.who.key not in {"general", turn.speaker}:
        turn.mention(raw.who)
    return [raw]


def given_up(text: str, turn: Turn) -> bool:
    """团建不去莫干山了: the next clause may say where instead ("去安吉"); what it is of is found by what was given up."""
    match = _NO_MORE.fullmatch(text)
    if match is None:
        return False
    verb, old = match["rest"][0], match["rest"][1:]
    parted = tagged(f"不{match['rest']}")[0][0] == f"不{verb}" or tagged(match["rest"])[0][0] == verb
    if not parted or verb in "是会能要想好行" or tagged(old)[-1][1][:1] in {"v", "d", "a", "u"}:
        return False  # a verb of two characters (喜欢) stays whole
    turn.pending = Pending(turn.subject or NOBODY, UNSAID, Kind.FACT, "instead", old, verb, open=True)
    return True


def _came_to(text: str, turn: Turn) -> Raw | None:
    """合同金额最后谈成43万5, 工位电话成了5521: any verb, with what it comes to."""
    for match in _TO.finditer(text):
        said = _TAIL.sub("", text[match.end() :], count=1)
        value = exact_value(said) if said else None
        head, verb = _verb_of(text[: match.start()])
        if value is None or not head or (not verb and match[0] != "成了"):
            continue
        head, old = from_old(bare_head(head))
        head = re.sub(r"^(?:我们?)?(?:把|将)", "", head)
        if _NOT_NOW.search(head):
            return None
        split = split_head(head, turn, loose=False, value=value)
        if split is not None:
            who, word = split
            row = lookup(word)
            return Raw(
                who, canonical_attribute(word), value, "zh.changed", row.kind if row else Kind.FACT, text, update=True,
                replaces=old, open=who.key == "general", single=True,
            )  # fmt: skip
        return raw_of_change(head, old, value, text, turn)
    return None


def _verb_of(before: str) -> tuple[str, str]:
    """What stands before the last verb, and the verb, where it may have a value for its result; ("", "") for other verbs."""
    words = tagged(before)
    if not words:
        return "", ""
    word, tag = words[-1]
    if PERCEIVES.search(word):
        return "", ""
    if len(word) == 2 and len(before) == 3:
        return before[:-1], word[-1]  # 标书|写到: the tagger parts 标|书写
    if len(word) <= 2 and (tag[:1] in {"v", "a", "z"} or _CHANGING.search(word)):
        return before[: -len(word)], word
    if _CHANGING.fullmatch(word[-1]):
        return before[:-1], word[-1]
    return before, ""


def _does_now(text: str, turn: Turn) -> Raw | None:
    """阳台改种薄荷了, 冰箱换了个西门子, 大家选了"鲸落": what is had or done instead; of the thing that is named, else of what the sentence mentions."""
    match = _DOES_NOW.fullmatch(text)
    if match is None or _NOT_NOW.search(match["s"]):
        return None
    said = match["v"].strip()
    verb, tag = tagged(said)[0]
    if len(verb) <= 2 and len(said) > len(verb) + 1 and tag[:1] in {"v", "p"} and not match["to"]:
        said = re.sub(rf"^(?:成|到|去|了)?{ONE}?", "", said[len(verb) :])  # 改|种薄荷
    elif len(said) > 2 and any(word == f"改{said[0]}" for word, tag in tagged(text) if tag[:1] == "v"):
        said = said[1:]
    quoted = _QUOTED.fullmatch(said)
    value = quoted["v"] if quoted else noun_value(said) or (noun_phrase(said) if match["s"] else None)
    if value is None or is_opinion(value) or exact_value(said) is not None:
        return None
    if re.fullmatch(r"(?:我们|咱们?|我家)[\u4e00-\u9fff]", bare_head(match["s"])):
        return None  # 我们店: read with what it does (zh/plainly.py)
    head = bare_head(
        re.sub(
            rf"^(?:{ME}|我们|咱们|大家|给[他她它])|(?:我们?|大家|投票|给(?:[他她它]|我们?))*$", "", match["s"]
        )
    )
    if head and (raw := raw_of_change(head, None, value, text, turn)) is not None:
        return raw
    who = Who(turn.speaker, "我") if re.match(ME, text) else turn.subject or NOBODY
    return Raw(who, UNSAID, value, MEANT, Kind.FACT, text, update=True, open=True, single=True)


def _who_does(text: str, turn: Turn) -> Raw | None:
    """现在带我英语课的是Mark: who, or what, does now what another did."""
    match = _CLEFT.fullmatch(text)
    value = clean_value(match["v"]) if match else None
    if (
        match is None
        or value is None
        or is_opinion(value)
        or tagged(match["act"])[0][1][:1] not in {"v", "p"}
    ):
        return None
    return Raw(
        turn.subject or NOBODY, UNSAID, value, MEANT, Kind.FACT, text, update=True, open=True, single=True
    )
