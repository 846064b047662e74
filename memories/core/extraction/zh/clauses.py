"""Reads facts out of one Chinese clause."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction import schedule
from memories.core.extraction.attributes import BY_WORD
from memories.core.extraction.raw import MEANT, NOBODY, PLAIN, UNSAID, Pending, Raw, Turn, Who
from memories.core.extraction.zh.attributes import favourite, read_attribute
from memories.core.extraction.zh.bare import read_bare, used
from memories.core.extraction.zh.beyond import beyond, of_program, tells_of_text
from memories.core.extraction.zh.changes import UNCHANGED, acted_on, announced, next_value
from memories.core.extraction.zh.described import described
from memories.core.extraction.zh.endings import ended
from memories.core.extraction.zh.forms import read_form
from memories.core.extraction.zh.framing import afterwards, hearsay, unframed
from memories.core.extraction.zh.fronted import in_order
from memories.core.extraction.zh.heads import stated
from memories.core.extraction.zh.loosely import loosely
from memories.core.extraction.zh.places import agenda, located, timed_act
from memories.core.extraction.zh.plainly import plainly
from memories.core.extraction.zh.predicates import introduced, predicate
from memories.core.extraction.zh.relative import own_things
from memories.core.extraction.zh.results import given_up, resulted
from memories.core.extraction.zh.rules import LEAD, PARTICLES
from memories.core.extraction.zh.shifts import shifted
from memories.core.extraction.zh.spoken_of import note_measure, note_topic
from memories.core.extraction.zh.subjects import ME, leading_subject, noun_subject
from memories.core.extraction.zh.unsaid import mistaken, put_right, unsaid
from memories.core.extraction.zh.when import as_said, without_when
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_TOLD = re.compile(
    r"(?:从前|以前)?有(?:一?[个位只名对]|些)[^，。]{0,10}(?:人|老头|老太|老师|女孩|男孩|小孩|孩子|姑娘|小伙子?|先生|女士|农民|国王|公主|王子|渔夫|商人|学生|动物|狐狸|兔子)|(?:电影|小说|电视剧|剧|故事|书|课文|游戏|动漫|漫画|新闻|采访|报道|文章|题目?)(?:里|中|上)|"
    r"男主角?|女主角?|主人公|主角|网友|博主|楼主|某某|张三|李四"
)
"""Somebody in a story, a film or the news: what follows without a subject is said of them."""
_IN_CODE = re.compile(r"(?:\w\s*:?=\s*\S|\w\(.*\)|[;{}])[^#]*(?:#|//)\s*[\u4e00-\u9fff]")
"""A remark in a line of code: it tells of the code."""
_HELD = re.compile(
    r"(?![我你他她它这那])(?:.{0,2}(?:[会赛考检诊查试课审谈访辩礼宴庭展演训测评]|手术|搬家|出差|聚餐|拔牙|交房|装修|开业|开学|答辩|签约|验收|出发|汇报|团建))"
)
"""What takes place at a time though the tagger thinks it a verb: 体检, 面试, 搬家."""
_ASKED = re.compile(r"(?<=..)(?:麻烦|请|帮(?:我|忙))?(?:更新|更正|修改|改|换)(?:一?下)?[:：](?=.)")
"""收货地址麻烦更新下：…: what it is to be from now on."""
_OF_ANYTHING = frozenset({PLAIN, "zh.used", "zh.counted", "zh.coded"})
"""The rules of readers that take any noun for a thing that somebody has."""
_ANEW = re.compile("重新|改|换|成")
"""What was done yesterday and stands since."""


def read(clause: str, turn: Turn) -> list[Raw]:
    """The facts of a clause; the turn learns whom the clause was about."""
    text = LEAD.sub("", clause, count=1) if LEAD.match(clause) else clause
    if tells_of_text(text.strip()):
        turn.told = True
        return []
    text = re.sub(r"^[^，。：:]{2,20}[:：](?=我)", "", text.strip())
    text = _ASKED.sub("改成", PARTICLES.sub("", text), count=1)
    if hearsay(text) or _IN_CODE.search(text) or beyond(text):
        return []
    text = unframed(text)
    if not text:
        return []
    return _read_afterwards(text, turn) or _read(text, turn)


def _read_afterwards(text: str, turn: Turn) -> list[Raw]:
    """The facts of a clause that begins with what happened before."""
    rest = None if turn.told or turn.pending is not None else afterwards(text, turn)
    return (
        []
        if rest is None
        else [replace(raw, stated=stated(text, raw.who, text)) for raw in _read(rest, turn)]
    )


def _read(text: str, turn: Turn) -> list[Raw]:
    waiting = turn.pending
    if _TOLD.search(text) and not re.match(ME, text):
        turn.told = True
        return []
    corrected = _correction(text, turn)
    if corrected:
        return [corrected]
    told_of = introduced(text, turn)
    if told_of:
        return told_of
    plain, when = without_when(acted_on(in_order(text)), turn)
    if announced(plain, turn) or mistaken(plain, turn) or UNCHANGED.search(text):
        return []
    for reader in (
        favourite,
        read_form,
        read_attribute,
        own_things,
        timed_act,
        agenda,
        _scheduled,
        predicate,
        shifted,
        resulted,
        read_bare,
        located,
        used,
        described,
        ended,
        plainly,
        unsaid,
        loosely,
    ):
        before = turn.pending
        found = reader(plain, turn)
        if turn.pending is not None and turn.pending is not before and not found:
            return []  # "A不是B": the value comes in the next clause
        if found and found[0].rule == PLAIN and when in {"near", "past", "point"} and not _ANEW.search(text):
            continue  # what was so once
        if found and found[0].rule in _OF_ANYTHING and not re.search(ME, text) and _is_program(found[0]):
            return []
        if found:
            told = [as_said(raw, text, plain, when) for raw in found]
            last = told[-1]
            if last.attribute == "attends" and last.value:
                turn.thing = Who(last.value, last.value, person=False)  # "我要参加X,它的…"
            if last.when == "past" and last.rule == "zh.attribute" and last.attribute:
                turn.pending = Pending(last.who, last.attribute, last.kind, how="over", old=last.value)
            return told
    if (
        waiting is not None
        and turn.pending is None
        and waiting.how not in {"denied", "left", "instead"}
        and len(text) <= 8
    ):
        turn.pending = waiting  # an aside: "书架的承重改了，你知道的，现在是60斤"
    if turn.pending is None and given_up(text, turn):
        return []
    if turn.pending is None:
        note_measure(text, turn)
        who = leading_subject(text, turn)
        if who is not None and ":" in who[0].key:
            turn.mention(who[0])  # 老公把朗逸卖了 换了台…
    if turn.pending is None:
        note_topic(text, turn)
    return []


def _is_program(raw: Raw) -> bool:
    if ":" in raw.who.key and ":" not in raw.who.surface:
        return False  # user:团队
    return of_program((raw.attribute if raw.who == NOBODY else raw.who.key) or "")


def _correction(text: str, turn: Turn) -> Raw | None:
    """The value of a slot that the clause before announced: "(而)是 B" after "不是 A", "新的是 B" after "换了"."""
    pending, turn.pending = turn.pending, None
    value = None if pending is None else next_value(text, pending) or put_right(text, pending)
    if pending is None or value is None:
        return None
    who, attribute = pending.who, pending.attribute
    link = "的" if who.surface else ""
    kept = pending.how == "kept"
    whole = f"{who.surface}{link}{_word(attribute)}{'还是' if kept else '是'}{value}"
    if attribute == UNSAID:
        whole = text
    return Raw(
        who,
        attribute,
        value,
        MEANT if pending.how == "instead" else "zh.not_but",
        pending.kind,
        whole,
        correction=pending.how == "denied",
        update=pending.how in {"denied", "changed", "over", "left", "instead"},
        replaces=pending.old,
        open=pending.open,
    )


_WORD_OF = {row.name: next((w for w in row.words if not w.isascii()), row.name) for row in BY_WORD.values()}


def _word(attribute: str) -> str:
    return _WORD_OF.get(attribute, attribute)


def _scheduled(text: str, turn: Turn) -> list[Raw]:
    """The time of a meeting or an event, once or every week."""
    every = schedule.every_zh(text)
    if every and not re.match(ME, text):
        before = noun_subject(text[: text.index(every[1])], turn) if not text.startswith(every[1]) else None
        name = f"{before.surface}的{every[0]}" if before and not before.person else every[0]
        who = Who(name, name, person=False)
        turn.mention(who)
        return [Raw(who, "time", every[1], "zh.every", Kind.FACT, text)]
    phrase = schedule.phrase_zh(text)
    if (
        phrase is None
        or turn.pending is not None
        or re.fullmatch(
            rf"{ME}|[他她它你您].*|(?:正确|准确|真正|最新|实际|新|原来|原先)的?|索性|干脆|.*(?:生日|[年月日天])",
            phrase,
        )
    ):
        return []
    if tagged(phrase)[-1][1] in {"d", "p", "c"}:
        return []  # 索性|改到周五
    moved = re.fullmatch(r"(?P<old>.{2,12})的(?P<noun>[\u4e00-\u9fff]{1,6})", phrase)
    old = moved["old"] if moved and schedule.starts_with_time(moved["old"]) else None
    phrase = moved["noun"] if moved and old else phrase  # 三点的会|现在四点开
    who_or_none = noun_subject(phrase, turn)
    if who_or_none is None and re.fullmatch(r"[\u4e00-\u9fff]{2,6}", phrase) and _is_held(phrase):
        who_or_none = Who(phrase, phrase, person=False)
    raw = schedule.read_zh(text, turn, who_or_none, text)
    if (
        raw is None
        or raw.who.person
        or re.match(r"[每一]个?[天周月年次](?:要|得|都)*(?:[还交付收缴花存]|\d)", raw.value or "")
    ):
        return []  # 每月还5200: an amount
    turn.mention(raw.who)
    if old is not None:
        return [replace(raw, replaces=old, update=True)]
    return [raw]


def _is_held(phrase: str) -> bool:
    """体检, or a noun with what is done with it: 签证面谈."""
    if len(phrase) <= 4 and _HELD.fullmatch(phrase):
        return True
    words = tagged(phrase)
    return len(words) == 2 and words[0][1][:1] == "n" and words[1][1] in {"v", "vn"} and len(words[1][0]) == 2
