"""Reads facts out of one Chinese clause."""

from __future__ import annotations

import re

from memories.core.extraction import forms_zh, schedule
from memories.core.extraction.attributes import BY_WORD
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import MANY, relation
from memories.core.extraction.zh_attributes import favourite, read_attribute, stated
from memories.core.extraction.zh_rules import LEAD, PREDICATES, Predicate, clean_value
from memories.core.extraction.zh_subjects import ME, ends_in_verb, leading_subject, noun_subject, person_name
from memories.core.kinds import Kind
from memories.core.words import tagged

_OWNED = re.compile(
    r"(?P<all>我(?:们)?(?:的|家的?)(?P<noun>[\u4e00-\u9fff]{1,8}?))(?P<rest>(?:名叫|叫|今年|住在|在|喜欢).+)"
)
_TOPIC = re.compile(
    r"(?:我(?:们)?(?:[\u4e00-\u9fff]{1,8})的)?(?P<topic>[\u4e00-\u9fffA-Za-z0-9《》·\-]{2,24})"
)
_STATE = re.compile(
    r"(?:在|正在|还在)(?P<v>出差|休假|度假|请假|住院|放假|外地|国外|加班|搬家|装修|隔离|备考|旅游|旅行|坐月子|养病|面试|找工作|培训)"
)
_CORRECTED = re.compile(
    r"(?:而)?(?:新的|应该|其实|现在|目前|已经)*(?:是|改成|改为|改到|换成|变成|调到|搬到|为)(?:了)?(?P<v>.{1,40}?)(?:了)?"
)


def read(clause: str, turn: Turn) -> list[Raw]:
    """The facts of a clause; the turn learns whom the clause was about."""
    text = LEAD.sub("", clause, count=1) if LEAD.match(clause) else clause
    text = re.sub(r"^[^，。：:]{2,20}[:：](?=我)", "", text.strip())
    if not text:
        return []
    corrected = _correction(text, turn)
    if corrected:
        return [corrected]
    for reader in (favourite, forms_zh.read_form, read_attribute, _scheduled, _predicate):
        found = reader(text, turn)
        if found:
            return found
    _note_topic(text, turn)
    return []


def _correction(text: str, turn: Turn) -> Raw | None:
    """The clause after "X 不是 A": "(而)是 B"."""
    pending, turn.pending = turn.pending, None
    match = _CORRECTED.fullmatch(text)
    if pending is None or match is None:
        return None
    value = clean_value(match["v"])
    if value is None:
        return None
    who, attribute = pending.who, pending.attribute
    whole = f"{who.surface}的{_word(attribute)}是{value}"
    return Raw(
        who,
        attribute,
        value,
        "zh.not_but",
        pending.kind,
        whole,
        correction=pending.how == "denied",
        update=pending.how != "announced",
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
    for predicate in PREDICATES:
        if elided and turn.subject is None and (not predicate.elided or predicate.rule in _NEEDS_SUBJECT):
            continue
        if predicate.me_only and who.key != turn.speaker:
            continue
        match = predicate.pattern.fullmatch(rest)
        value = clean_value(_first_value(match)) if match else None
        if match is None or value is None or not _plausible(predicate.rule, value):
            continue
        if predicate.rule == "zh.relation":
            return [_relation(text, who, value, turn)]
        turn.mention(who)
        return [
            Raw(
                who, _attribute_for(predicate, value), value, predicate.rule, predicate.kind, stated(text, who, rest),
                negated=predicate.negated, ended=predicate.ended, update=predicate.update,
            )
        ]  # fmt: skip
    if not elided:
        turn.mention(who)
        return _is_or_state(text, who, rest)
    return []


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


def _first_value(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return next((groups[name] for name in ("v", "v2", "v3") if groups.get(name)), "")


_NEEDS_SUBJECT = frozenset(
    {"zh.age", "zh.height", "zh.weight", "zh.job", "zh.job_at", "zh.marital", "zh.family", "zh.possession"}
)
"""What is too often said of somebody else to be read as "I" when nobody was named in the turn."""


def _attribute_for(predicate: Predicate, value: str) -> str | None:
    """在广州工作 tells a place, 在腾讯工作 an employer."""
    if predicate.rule in {"zh.employer", "zh.employer_ended"}:
        words = tagged(value)
        if (words and words[-1][1] == "ns") or value[-1] in "省市县镇村国":
            return "workplace"
    return predicate.attribute


def _plausible(rule: str, value: str) -> bool:
    """Checks that patterns cannot make: a place that is one, a name that is no common word."""
    if rule == "zh.from_people":
        words = tagged(value)
        return bool(words) and (words[-1][1] == "ns" or value[-1] in "省市县区镇村州")
    if rule == "zh.name":
        return not re.search(r"什么|出租|外卖|停|醒|我|你|他|她", value)
    if rule in {"zh.like", "zh.dislike"}:
        return not re.match(r"(?:你|您|的|上班吗)", value)
    return True


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
