"""Reads facts out of one Chinese clause."""

from __future__ import annotations

import re

from memories.core.extraction import schedule
from memories.core.extraction.attributes import BY_WORD
from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import MANY, relation
from memories.core.extraction.zh import forms as forms_zh
from memories.core.extraction.zh.attributes import favourite, read_attribute, stated
from memories.core.extraction.zh.bare import note_measure, read_bare, timed_act
from memories.core.extraction.zh.changes import acted_on, announced, next_value
from memories.core.extraction.zh.fronted import in_order
from memories.core.extraction.zh.plausible import NEEDS_SUBJECT, attribute_for, plausible
from memories.core.extraction.zh.polarity import claim
from memories.core.extraction.zh.relative import own_things
from memories.core.extraction.zh.rules import LEAD, PARTICLES, PREDICATES, clean_value
from memories.core.extraction.zh.subjects import (
    INTRODUCED,
    ME,
    PERSON_WORD,
    POINTED,
    ends_in_verb,
    has_family_name,
    leading_subject,
    noun_subject,
    person_name,
)
from memories.core.extraction.zh.values import listed
from memories.core.extraction.zh.when import as_said, without_when
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_OWNED = re.compile(
    r"(?P<all>我(?:们)?(?:的|家的?|(?=[\u4e00-\u9fff]{1,4}(?:名叫|叫)))(?P<noun>[\u4e00-\u9fff]{1,8}?))(?P<rest>(?:名叫|叫|今年|住在|在|喜欢).+)"
)
_GROWS = frozenset({"zh.age", "zh.age_bare", "zh.grade"})
"""What changes by itself: 研二了 says that it is so from now on."""
_OTHERS_ONLY = frozenset({"zh.stays"})
"""我在厦门 may be said on a journey; 我妈在厦门 says where she lives."""
_DONE_BY_ME = frozenset({"zh.moved", "zh.employer_new", "zh.job_new"})
"""What is read of the speaker without "我" only where 了 says that it has happened."""
_TOLD_OF_PLACES = frozenset({"home", "department", "employer", "school", "workplace", "grade"})
_TOLD = re.compile(
    r"(?:从前|以前)?有(?:一?[个位只名对]|些)[^，。]{0,10}(?:人|老头|老太|老师|女孩|男孩|小孩|孩子|姑娘|小伙子?|先生|女士|农民|国王|公主|王子|渔夫|商人|学生|动物|狐狸|兔子)|(?:电影|小说|电视剧|剧|故事|书|课文|游戏|动漫|漫画|新闻|采访|报道|文章|题目?)(?:里|中|上)|"
    r"男主角?|女主角?|主人公|主角|网友|博主|楼主|某某|张三|李四"
)
"""Somebody in a story, a film or the news: what follows without a subject is said of them."""
_HELD = re.compile(
    r"(?![我你他她它这那])(?:.{0,2}(?:[会赛考检诊查试课审谈访辩礼宴庭展演训测评]|手术|搬家|出差|聚餐|拔牙|交房|装修|开业|开学|答辩|签约|验收|出发|汇报|团建))"
)
"""What takes place at a time though the tagger thinks it a verb: 体检, 面试, 搬家."""
_TOPIC = re.compile(
    r"(?:我(?:们)?(?:[\u4e00-\u9fff]{1,8})的)?(?P<topic>[\u4e00-\u9fffA-Za-z0-9《》·\-]{2,24})"
)
_STATE = re.compile(
    r"(?:在|正在|还在)(?P<v>出差|休假|度假|请假|住院|放假|外地|国外|加班|搬家|装修|隔离|备考|旅游|旅行|坐月子|养病|面试|找工作|培训)"
)


def read(clause: str, turn: Turn) -> list[Raw]:
    """The facts of a clause; the turn learns whom the clause was about."""
    text = LEAD.sub("", clause, count=1) if LEAD.match(clause) else clause
    text = re.sub(r"^[^，。：:]{2,20}[:：](?=我)", "", text.strip())
    text = PARTICLES.sub("", text)
    if not text:
        return []
    waiting = turn.pending
    if _TOLD.search(text) and not re.match(ME, text):
        turn.told = True
        return []
    corrected = _correction(text, turn)
    if corrected:
        return [corrected]
    introduced = _introduced(text, turn)
    if introduced:
        return introduced
    plain, when = without_when(acted_on(in_order(text)), turn)
    if announced(plain, turn):
        return []
    for reader in (
        favourite,
        forms_zh.read_form,
        read_attribute,
        own_things,
        timed_act,
        _scheduled,
        _predicate,
        read_bare,
    ):
        before = turn.pending
        found = reader(plain, turn)
        if turn.pending is not None and turn.pending is not before and not found:
            return []  # "A不是B": the value comes in the next clause
        if found:
            told = [as_said(raw, text, plain, when) for raw in found]
            last = told[-1]
            if last.attribute == "attends" and last.value:
                turn.thing = Who(last.value, last.value, person=False)  # "我要参加X,它的…"
            if last.when == "past" and last.rule == "zh.attribute" and last.attribute:
                turn.pending = Pending(last.who, last.attribute, last.kind, how="over", old=last.value)
            return told
    if waiting is not None and turn.pending is None and waiting.how != "denied" and len(text) <= 8:
        turn.pending = waiting  # an aside: "书架的承重改了，你知道的，现在是60斤"
    if turn.pending is None:
        note_measure(text, turn)
    if turn.pending is None:
        _note_topic(text, turn)
    return []


def _correction(text: str, turn: Turn) -> Raw | None:
    """The value of a slot that the clause before announced: "(而)是 B" after "不是 A", "新的是 B" after "换了"."""
    pending, turn.pending = turn.pending, None
    value = next_value(text, pending) if pending is not None else None
    if pending is None or value is None:
        return None
    who, attribute = pending.who, pending.attribute
    link = "的" if who.surface else ""
    kept = pending.how == "kept"
    whole = f"{who.surface}{link}{_word(attribute)}{'还是' if kept else '是'}{value}"
    return Raw(
        who,
        attribute,
        value,
        "zh.not_but",
        pending.kind,
        whole,
        correction=pending.how == "denied",
        update=pending.how in {"denied", "changed", "over"},
        replaces=pending.old,
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
        or re.fullmatch(rf"{ME}|[他她它你您].*|.*(?:生日|[年月日天])", phrase)
    ):
        return []
    who_or_none = noun_subject(phrase, turn)
    if who_or_none is None and re.fullmatch(r"[\u4e00-\u9fff]{2,4}", phrase) and _HELD.fullmatch(phrase):
        who_or_none = Who(phrase, phrase, person=False)
    raw = schedule.read_zh(text, turn, who_or_none, text)
    if raw is None or raw.who.person:
        return []
    turn.mention(raw.who)
    return [raw]


def _predicate(text: str, turn: Turn) -> list[Raw]:
    found = leading_subject(text, turn)
    owned = _OWNED.match(text)
    if owned and (found is None or found[0].key == turn.speaker):
        found = Who(f"{turn.speaker}:{relation(owned['noun'])}", owned["all"]), owned["rest"]
    elided = found is None
    if found is None:
        who = turn.subject or Who(turn.speaker, turn.speaker_surface or "我")
        rest = text
    else:
        who, rest = found
    if who.key == turn.listener:
        return []
    rest = rest.strip(" ，,、")
    if not elided and rest.startswith("不是") and _denies(rest[2:], who, turn):
        return []
    for predicate in PREDICATES:
        if elided and turn.subject is None and (not predicate.elided or predicate.rule in NEEDS_SUBJECT):
            continue
        if elided and (turn.told or (predicate.rule in _DONE_BY_ME and not text.endswith(("了", "啦")))):
            continue
        if predicate.me_only and who.key != turn.speaker:
            continue
        if predicate.rule in _OTHERS_ONLY and (who.key == turn.speaker or not who.person):
            continue
        match = predicate.pattern.fullmatch(rest)
        if predicate.rule == "zh.like" and elided and _is_noun(rest):
            continue  # 爱奇艺涨价了
        value = clean_value(_first_value(match)) if match else None
        if match is None or value is None or not plausible(predicate.rule, value):
            continue
        if predicate.rule == "zh.relation":
            return [_relation(text, who, value, turn)]
        turn.mention(who)
        if predicate.attribute == "likes" and (items := listed(value)):
            whole = stated(text, who, rest)
            return [
                Raw(who, "likes", item, predicate.rule, predicate.kind, whole.replace(value, item, 1), negated=predicate.negated)
                for item in items
            ]  # fmt: skip
        return [
            Raw(
                who, attribute_for(predicate, value), value, predicate.rule, predicate.kind, stated(text, who, rest),
                negated=predicate.negated, ended=predicate.ended,
                update=predicate.update or (predicate.rule in _GROWS and text.endswith(("了", "啦"))),
            )
        ]  # fmt: skip
    state = [] if elided else _is_or_state(text, who, rest)
    if state:
        turn.mention(who)
        return state
    if (
        who.person
        and not (elided and turn.told)
        and (who.key == turn.speaker or not elided)
        and (said := claim(rest, of_user=who.key == turn.speaker))
        and not (elided and said.value == rest)  # 我喜欢唱歌，健身，旅游: an item of a list
    ):
        turn.mention(who)
        return [
            Raw(who, said.attribute, said.value, said.rule, said.kind, stated(text, who, rest), negated=said.negated, update=said.update)
        ]  # fmt: skip
    if not elided:
        turn.mention(who)
    return []


def _denies(said: str, who: Who, turn: Turn) -> bool:
    """阿梅不是在妇产科: the next clause says where she is."""
    for predicate in PREDICATES:
        match = predicate.pattern.fullmatch(said)
        value = clean_value(_first_value(match)) if match else None
        if predicate.attribute in _TOLD_OF_PLACES and value is not None and plausible(predicate.rule, value):
            turn.mention(who)
            turn.pending = Pending(who, predicate.attribute or "", predicate.kind, old=value)
            return True
    return False


def _is_noun(text: str) -> bool:
    """Whether the clause begins with a noun that only looks like a verb of liking: 爱奇艺, 爱马仕."""
    word, tag = tagged(text)[0]
    return len(word) > 1 and tag[:1] == "n"


def _relation(text: str, who: Who, value: str, turn: Turn) -> Raw:
    """王芳是我同事: from here on 王芳 is this colleague, and 其 and 她 mean her."""
    word = re.sub(r"^我们?的?", "", value)
    known = RELATIONS.get(word)
    if known is None or ":" in who.key or who.key == turn.speaker:
        turn.mention(who)
        return Raw(who, "relation", value, "zh.relation", None, text)
    named = Who(f"{turn.speaker}:{known}" + (f":{who.key}" if known in MANY else ""), who.surface)
    turn.mention(named)
    return Raw(named, "name", who.surface, "zh.relation", Kind.PROFILE, text)


def _introduced(text: str, turn: Turn) -> list[Raw]:
    """葛岚是我的房东, 这是我的合伙人周野: who it is, by name and relation."""
    match = INTRODUCED.fullmatch(text) or POINTED.fullmatch(text)
    if match is None or ends_in_verb(match["rel"]):
        return []
    name, known = match["name"], relation(match["rel"])
    words = tagged(name)
    if len(words) == 1 and words[0][1] not in {"nr", "nrt", "nrfg", "eng"} and not has_family_name(name):
        return []  # 老师是我的邻居: no name
    if match["rel"] not in RELATIONS and not PERSON_WORD.search(match["rel"]):
        return []
    single = match["rel"] in RELATIONS and known not in MANY
    who = Who(f"{turn.speaker}:{known}" + ("" if single else f":{name}"), name)
    turn.mention(who)
    return [Raw(who, "name", name, "zh.relation", Kind.PROFILE, text)]


def _first_value(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return next((groups[name] for name in ("v", "v2", "v3") if groups.get(name)), "")


def _is_or_state(text: str, who: Who, rest: str) -> list[Raw]:
    """是 + a name for someone in relation; a passing state (在出差)."""
    name = re.match(r"(?:就)?是(?P<v>.{2,8})", rest)
    if name and ":" in who.key and (value := person_name(name["v"])) == clean_value(name["v"]) and value:
        return [Raw(who, "name", value, "zh.is_name", Kind.PROFILE, stated(text, who, rest))]
    state = _STATE.search(rest)
    if state and len(rest) <= 24:
        return [Raw(who, "status", state["v"], "zh.state", Kind.FACT, stated(text, who, rest))]
    return []


def _note_topic(text: str, turn: Turn) -> None:
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
