"""What a Chinese predicate says of its subject: the table of rules.py, a name, a passing state, what one has and does."""

from __future__ import annotations

import re

from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import MANY, relation
from memories.core.extraction.zh.described import works_at
from memories.core.extraction.zh.heads import stated
from memories.core.extraction.zh.names import has_family_name, looks_called, person_name
from memories.core.extraction.zh.plausible import NEEDS_SUBJECT, attribute_for, place_attribute, plausible
from memories.core.extraction.zh.polarity import claim
from memories.core.extraction.zh.rules import PREDICATES, clean_value
from memories.core.extraction.zh.subjects import (
    INTRODUCED,
    PERSON_WORD,
    POINTED,
    ends_in_verb,
    leading_subject,
    noun_subject,
)
from memories.core.extraction.zh.values import listed
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_OWNED = re.compile(
    r"(?P<all>我(?:们)?(?:的|家的?|(?=[\u4e00-\u9fff]{1,4}(?:名叫|叫)))(?P<noun>[\u4e00-\u9fff]{1,8}?))(?P<rest>(?:名叫|叫|今年|住在|在|喜欢).+)"
)
_GROWS = frozenset({"zh.age", "zh.age_bare", "zh.grade"})
"""What changes by itself: 研二了 says that it is so from now on."""
_OTHERS_ONLY = frozenset({"zh.stays", "zh.ward_floor"})
"""我在厦门 may be said on a journey; 我妈在厦门 says where she lives."""
_ONLY_KNOWN = frozenset({"zh.employer_left"})
"""我从银行出来了 ends a job only where it is known for one."""
_DONE_BY_ME = frozenset({"zh.moved", "zh.employer_new", "zh.job_new"})
"""What is read of the speaker without "我" only where 了 says that it has happened."""
_TOLD_OF_PLACES = frozenset({"home", "department", "employer", "school", "workplace", "grade"})
_STATE = re.compile(
    r"(?:在|正在|还在)(?P<v>出差|休假|度假|请假|住院|放假|外地|国外|加班|搬家|装修|隔离|备考|旅游|旅行|坐月子|养病|面试|找工作|培训)"
)


def predicate(text: str, turn: Turn) -> list[Raw]:
    found = leading_subject(text, turn)
    owned = _OWNED.match(text)
    if owned and not ends_in_verb(owned["noun"]) and (found is None or found[0].key == turn.speaker):
        found = Who(f"{turn.speaker}:{relation(owned['noun'])}", owned["all"]), owned["rest"]
    if found is None or found[0].key == turn.speaker or "的" in found[1]:
        found = _by_part(text, turn) or found
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
    for row in PREDICATES:
        if elided and turn.subject is None and (not row.elided or row.rule in NEEDS_SUBJECT):
            continue
        if elided and (turn.told or (row.rule in _DONE_BY_ME and not re.search("[了啦]", text))):
            continue
        if row.me_only and who.key != turn.speaker:
            continue
        if elided and row.rule == "zh.surname" and who.key == turn.speaker:
            continue  # 换了个老师，姓林: not the speaker's
        if row.rule in _OTHERS_ONLY and (who.key == turn.speaker or not who.person):
            continue
        match = row.pattern.fullmatch(rest)
        if row.rule == "zh.like" and elided and _is_noun(rest):
            continue  # 爱奇艺涨价了
        value = clean_value(_first_value(match)) if match else None
        if match is None or value is None or not plausible(row.rule, value):
            continue
        if row.rule == "zh.relation":
            return [_relation(text, who, value, turn)]
        turn.mention(who)
        if row.ended and row.attribute in _TOLD_OF_PLACES and row.rule not in _ONLY_KNOWN:
            # "不在A了，去了B": the next clause may say where instead
            turn.pending = Pending(who, attribute_for(row, value) or "", row.kind, how="left", old=value)
        if row.attribute == "likes" and (items := listed(value)):
            whole = stated(text, who, rest)
            return [
                Raw(who, "likes", item, row.rule, row.kind, whole.replace(value, item, 1), negated=row.negated)
                for item in items
            ]  # fmt: skip
        return [
            *_at_place(match, who),
            Raw(
                who, attribute_for(row, value), value, row.rule, row.kind, stated(text, who, rest),
                negated=row.negated, ended=row.ended,
                update=row.update or re.match("新|.{0,6}(?:现在|目前|如今)", text) is not None or (row.rule in _GROWS and text.endswith(("了", "啦"))),
                open=row.rule in _ONLY_KNOWN,
            ),
        ]  # fmt: skip
    if not elided and re.match("是(?=[在从跟和])", rest):
        return predicate(text.replace(rest, rest[1:], 1), turn)  # 我弟是在重庆上学
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
            Raw(who, said.attribute, said.value, said.rule, said.kind, stated(text, who, rest), negated=said.negated, update=said.update, open=said.open)
        ]  # fmt: skip
    if who.person and not elided and (place := works_at(rest)) is not None:
        turn.mention(who)
        return [
            Raw(
                who,
                "employer",
                place,
                "zh.works_at",
                Kind.PROFILE,
                stated(text, who, rest),
                update="现在" in text,
            )
        ]
    if not elided:
        turn.mention(who)
    return []


_CALLED = re.compile(
    r"(?P<who>(?:我们?|咱们?)?的?(?P<new>新)?[\u4e00-\u9fff]{2,8}?)(?P<rest>(?:姓|名叫|叫)[^，。]{1,6})"
)


def _by_part(text: str, turn: Turn) -> tuple[Who, str] | None:
    """我的驾校教练姓周: somebody by the part that he has, before what he is called."""
    match = _CALLED.fullmatch(text)
    if match is None or PERSON_WORD.search(match["who"]) is None:
        return None
    words = re.sub("^(?:(?:现在|目前|如今)的?)?新?|(?<=.)(?:现在|目前|如今|新)(?=的)", "", match["who"])
    before, _, part = words.rpartition("的")
    owner = noun_subject(before, turn) if len(before) > 1 else None
    if owner is not None and owner.person and owner.key != turn.speaker:
        return Who(f"{owner.key}:{relation(part)}", f"{owner.surface}的{part}"), match["rest"]
    who = noun_subject(words, turn)
    return (who, match["rest"]) if who is not None and who.key != turn.speaker else None


def _at_place(match: re.Match[str], who: Who) -> list[Raw]:
    """Where somebody is what the clause says: the employer of 在A做B, the school of 在A读三年级."""
    place = clean_value(match.groupdict().get("place") or "")
    if place is None or not plausible("zh.employer", place):
        return []
    if (attribute := place_attribute(place)) == "school":
        return [Raw(who, "school", place, "zh.school_in", Kind.PROFILE, f"{who.surface}在{place}上学")]
    if attribute == "home" or place[-1] in "省市县镇村国":
        return [Raw(who, "workplace", place, "zh.works_at", Kind.PROFILE, f"{who.surface}在{place}工作")]
    if re.search(r"[这那我你他她它]|家$|^[里外]", place) or tagged(place)[-1][1][:1] not in {
        "n",
        "x",
        "e",
        "j",
    }:
        return []
    return [Raw(who, "employer", place, "zh.works_at", Kind.PROFILE, f"{who.surface}在{place}工作")]


def _denies(said: str, who: Who, turn: Turn) -> bool:
    """阿梅不是在妇产科: the next clause says where she is."""
    for row in PREDICATES:
        match = row.pattern.fullmatch(said)
        value = clean_value(_first_value(match)) if match else None
        if row.attribute in _TOLD_OF_PLACES and value is not None and plausible(row.rule, value):
            turn.mention(who)
            turn.pending = Pending(who, row.attribute or "", row.kind, old=value)
            return True
    return False


def _is_noun(text: str) -> bool:
    """Whether the clause begins with a noun that only looks like a verb of liking: 爱奇艺, 爱马仕."""
    word, tag = tagged(text)[0] if text.strip() else ("", "")
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


def introduced(text: str, turn: Turn) -> list[Raw]:
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
    return next((groups[name] for name in ("v", "v2", "v3", "v4") if groups.get(name)), "")


def _is_own_name(value: str) -> bool:
    """我是赵晓雯: a family name with one or two characters that make no word; not 我是王老师."""
    return (
        re.fullmatch(r"[\u4e00-\u9fff]{2,3}", value) is not None
        and looks_called(value)
        and person_name(value) == value
        and len(tagged(value)) <= (1 if len(value) == 2 else 2)
        and not re.search(r"[师傅总工哥姐叔婶爷姨]$|老板|医生|先生|女士", value)
    )


def _is_or_state(text: str, who: Who, rest: str) -> list[Raw]:
    """是 + a name for someone in relation; a passing state (在出差)."""
    name = re.match(r"(?:就)?是(?P<v>.{2,8})", rest)
    if name and who.key == "user" and (value := clean_value(name["v"])) and _is_own_name(value):
        return [Raw(who, "name", value, "zh.is_name", Kind.PROFILE, stated(text, who, rest))]
    if name and ":" in who.key and (value := person_name(name["v"])) == clean_value(name["v"]) and value:
        return [Raw(who, "name", value, "zh.is_name", Kind.PROFILE, stated(text, who, rest))]
    state = _STATE.search(rest)
    if state and len(rest) <= 24:
        return [Raw(who, "status", state["v"], "zh.state", Kind.FACT, stated(text, who, rest))]
    return []
