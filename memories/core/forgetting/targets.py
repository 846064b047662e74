"""What a request to forget is about: an attribute of somebody, all about somebody, a value, a topic, or what was just said.

The phrase is read by the very rules that read statements: "my boss's phone number" is completed to a statement about it, and
the entity and attribute that extraction finds in that one are what is meant. So requests and facts share one vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

from memories.core.extraction.attributes import EN_WORDS, ZH_WORDS, canonical_attribute, lookup
from memories.core.extraction.engine import extract
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import EN_RELATIONS, ZH_RELATIONS
from memories.core.extraction.requests import Asked, asked
from memories.core.extraction.zh.subjects import bare_name
from memories.core.forgetting import forms
from memories.core.text.lexical import query_terms
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values
from memories.core.values.normalise import canonical

MAX_REQUESTS = 10
"""Requests of one text that are carried out."""


class Scope(StrEnum):
    """How far a request reaches."""

    ATTRIBUTE = "attribute"
    ENTITY = "entity"
    VALUE = "value"
    WORDS = "words"
    LAST = "last"
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to be forgotten.

    `entity` is a key as extraction makes them ("user", "user:boss", a name; "" where none is named), `attributes` are
    canonical and any of them is meant, `value` is as said, `words` are the phrase. `context` is what the sentence said
    before: an entity named there is the one that is meant. `third` is "his phone": somebody named before, and never the one
    who asks. `standing` asks that it never be learnt again; `explicit` is
    False where nothing is to be removed by name ("no need to note it"). `past` means what held before only ("my old phone").
    """

    scope: Scope
    entity: str = ""
    attributes: frozenset[str] = frozenset()
    value: str = ""
    words: str = ""
    context: str = ""
    standing: bool = False
    explicit: bool = True
    past: bool = False
    third: bool = False
    language: str = "en"

    def as_data(self) -> dict[str, object]:
        """Plain data, for a request that waits; it holds what was said, so it is stored encrypted."""
        return {
            "scope": self.scope.value,
            "entity": self.entity,
            "attributes": sorted(self.attributes),
            "value": self.value,
            "words": self.words,
            "context": self.context,
            "standing": self.standing,
            "explicit": self.explicit,
            "past": self.past,
            "third": self.third,
            "language": self.language,
        }

    @classmethod
    def of_data(cls, data: dict[str, object]) -> Target:
        """The reverse of `as_data`."""
        attributes = data.get("attributes")
        names = frozenset(str(one) for one in attributes) if isinstance(attributes, list) else frozenset()
        texts = {key: str(data.get(key, "")) for key in ("entity", "value", "words", "context", "language")}
        flags = {key: bool(data.get(key)) for key in ("standing", "explicit", "past", "third")}
        return cls(scope=Scope(str(data["scope"])), attributes=names, **texts, **flags)  # type: ignore[arg-type]


RELATED: tuple[frozenset[str], ...] = (
    frozenset({"workplace", "employer", "employer_location"}),
    frozenset({"home", "home_location"}),
    frozenset({"school", "school_location"}),
)
"""What a question word cannot tell apart: where somebody works is a place or a firm."""
WHEREABOUTS = frozenset({"location", "home", "home_location"})
"""A person's location is where they live, too."""

_EDGE = " \t\r\n，,、。.;；:：!！?？\"'“”‘’「」『』"
_ITS_ZH = re.compile(r"(?:他们?|她们?|它们?|其|对方|人家|那个?人|这个?人)的?(?P<what>[^的]{1,10})")
_POINTED_ZH = re.compile(
    r"(?<=..)(?:的?(?:这|那)(?:一?[条项个件部]分?)(?:信息|记录|内容|资料)?|(?<=[少哪儿里谁么地])(?:这|那)(?:件|回|个)?事(?:情|儿)?)$"
)
"""What only points at the phrase before it: 我生日那条, 我住哪儿这件事."""
_AT = datetime(2026, 1, 1, tzinfo=UTC)


def targets(text: str) -> list[Target]:
    """What the text asks to forget, in order; [] for a text that asks nothing of the kind."""
    found: list[Target] = []
    for one in asked(text)[:MAX_REQUESTS]:
        found.extend(target for target in _of_request(one) if target not in found)
    return found[:MAX_REQUESTS]


def is_yes(text: str) -> bool:
    """Whether the text is no more than a yes to what was asked."""
    return forms.YES.fullmatch(text.strip(_EDGE)) is not None


def is_no(text: str) -> bool:
    """Whether the text is no more than a no to what was asked."""
    return forms.NO.fullmatch(text.strip(_EDGE)) is not None


def _of_request(one: Asked) -> list[Target]:
    language = "zh" if one.chinese or re.search(r"[\u4e00-\u9fff]", one.phrase or one.context) else "en"
    phrase, context = one.phrase, one.context
    if not phrase and context:
        phrase = _what_went_before(context)
    base = Target(
        Scope.LAST,
        context=context,
        standing=one.standing,
        explicit=one.explicit,
        language=language,
        words=phrase,
    )
    if not phrase:
        return [replace(base, standing=False)]
    whole = _read(phrase, base)
    parts = [part for part in forms.LIST.split(phrase) if part.strip(_EDGE)]
    if len(parts) > 1 and whole[0].scope in {Scope.WORDS, Scope.ENTITY, Scope.ATTRIBUTE}:
        several = _listed(parts, base)
        if several:
            return several
    return whole


def _what_went_before(context: str) -> str:
    """The object of "…, forget it": the topic of the clause before, without what is said of it ("is over", "不算了").

    A clause that tells something of the person themself, or gives a value or a name, is meant as a whole.
    """
    last = re.split(r"，|, ", context)[-1].strip(_EDGE)
    return _topic_zh(last) if re.search(r"[\u3400-\u9fff]", last) else _topic_en(last)


_TELLS_EN = re.compile(
    r"(?P<topic>(?:the|my|our|his|her|their|that|this|[A-Z][\w-]+(?: [A-Z][\w-]+)*['’]s)\s.+?)\s+"
    r"(?:(?:is|are|was|were|isn['’]t|aren['’]t|wasn['’]t|has|have|had|hasn['’]t|haven['’]t|will|won['’]t|does|doesn['’]t|did|didn['’]t|got|no longer)\s+(?P<what>[^A-Z\d]+)|(?:\w+ly\s+)?[a-z]+ed)"
)


def _topic_en(clause: str) -> str:
    tells = _TELLS_EN.fullmatch(clause)
    return tells["topic"] if tells is not None else clause


def _topic_zh(clause: str) -> str:
    """The noun phrase that the clause begins with, where nothing but a state of it follows: no place, name or number."""
    words = tagged(clause)
    end = len(words)
    while end > 1 and words[end - 1][1][:1] in {"v", "a", "d", "u", "y", "z", "i", "c"}:
        end -= 1
    topic = "".join(word for word, _ in words[:end])
    return topic if len(topic) > 1 and words[end - 1][1][:1] in {"n", "j", "l", "q", "r"} else clause


def _listed(parts: list[str], base: Target) -> list[Target]:
    """ "my phone and address", "我的电话和地址": each part an attribute, with the owner of the first."""
    read: list[Target] = []
    owner = ""
    for part in parts:
        tried = part if not owner else _owned(owner, part, base.language)
        found = _read(tried, replace(base, words=tried))[0]
        if found.scope not in {Scope.ATTRIBUTE, Scope.VALUE}:
            found = _read(part, replace(base, words=part))[0]
        if found.scope not in {Scope.ATTRIBUTE, Scope.VALUE, Scope.ENTITY}:
            return []
        if found.scope is Scope.ATTRIBUTE and not owner:
            match = re.match(r"(.+?的|我们?(?=.)|my\s+|our\s+|.+?['’]s\s+)", part.strip(_EDGE), re.IGNORECASE)
            owner = match[1] if match else ""
        read.append(found)
    return read


def _owned(owner: str, part: str, language: str) -> str:
    if language == "zh":
        return part if re.match(r"我|他|她|.+的", part) else f"{owner}{part}"
    return (
        part
        if re.match(r"(?:my|our|his|her|.+['’]s)\b", part.strip(), re.IGNORECASE)
        else f"{owner}{part.strip()}"
    )


def _read(phrase: str, base: Target) -> list[Target]:
    bare = phrase.strip(_EDGE)
    former = forms.FORMER.search(bare)
    if former is not None and lookup(bare[former.end() :].strip(_EDGE)) is not None:
        bare, base = forms.FORMER.sub("", bare, count=1), replace(base, past=True)
    base = replace(base, words=bare)
    if base.language == "zh":
        if (
            forms.LAST_ZH.fullmatch(bare)
            and re.search(r"[说讲发提聊话句条段]", bare)
            and re.search(r"刚|方才|上|前|这|那|我", bare)
        ):
            return [replace(base, scope=Scope.LAST, standing=False)]
        if forms.ALL_ZH.fullmatch(bare) and bare != "的":
            return [replace(base, scope=Scope.EVERYTHING, entity="user")]
    else:
        if forms.LAST_EN.fullmatch(bare):
            return [replace(base, scope=Scope.LAST, standing=False)]
        if forms.ALL_EN.fullmatch(bare):
            return [replace(base, scope=Scope.EVERYTHING, entity="user")]
    value = _value(bare)
    if value:
        return [replace(base, scope=Scope.VALUE, value=value)]
    return [_zh(bare, base) if base.language == "zh" else _en(bare, base)]


def _value(phrase: str) -> str:
    """The value, when the phrase is nothing else (a number, code, address, link), with a word like "号码" around it."""
    rest = re.sub(
        r"^(?:这个|那个|号码|电话|邮箱|the number|number|the code|the email)\s*",
        "",
        phrase,
        flags=re.IGNORECASE,
    )
    rest = re.sub(r"(?:这个|那个)?(?:号码?|电话|邮箱|数字|编号)$", "", rest).strip(_EDGE)
    found = key_values(rest)
    if (
        len(found) == 1
        and found[0].kind != "name"
        and len(found[0].text) >= 0.8 * len(rest)
        and re.search(r"\d|@", rest)
    ):
        return rest
    return rest if re.fullmatch(r"[\d+()\s-]{4,}|[\w.+-]+@[\w.-]+|https?://\S+", rest) else ""


def _zh(phrase: str, base: Target) -> Target:
    said = forms.SAID_ABOUT_ZH.fullmatch(phrase)
    if said is not None and re.search(r"[说讲提聊]", phrase[: said.start("who")]):
        return _zh(re.sub(r"(?:的(?:话|事情?|内容|东西)?)$", "", said["who"]) or said["who"], base)
    about = forms.ABOUT_ZH.fullmatch(phrase)
    if about is not None:
        inner = _zh_attribute(about["who"], base)
        return inner or _about(about["who"], base)
    phrase = re.sub(r"^(?:关于|有关)", "", phrase)
    phrase = _POINTED_ZH.sub("", phrase) or phrase
    place = forms.PLACE_ZH.fullmatch(phrase)
    if place is not None:
        found = _probed(
            [
                f"{place['who']}{'' if place['verb'] in {'住', '居住'} else '在上海'}{place['verb']}{'在上海' if place['verb'] in {'住', '居住'} else ''}"
            ],
            base,
        )
        if found:
            return found
    if "的" not in phrase or re.search(r"[这那](?:件事|回事|一点|个事)(?:情|儿)?$", phrase):
        stated = (
            _stated(phrase, base)
            if not any(pattern.search(phrase) for pattern, _ in forms.ASKED_ZH)
            else None
        )
        if stated is not None:
            return stated
    return _zh_attribute(phrase, base) or _stated(phrase, base) or _about(phrase, base)


def _zh_attribute(phrase: str, base: Target) -> Target | None:
    for pattern, fill in forms.ASKED_ZH:
        if pattern.search(phrase):
            rest = pattern.sub("", phrase, count=1)
            filled = [
                pattern.sub(fill, phrase, count=1),
                f"{rest}是{fill}",
                f"{rest}在{fill}",
                f"{rest}{fill}",
            ]
            return _probed(filled, base)
    its = _ITS_ZH.fullmatch(phrase)
    if its is not None and lookup(its["what"]) is not None:
        return _anothers(its["what"], base)
    known = lookup(phrase)
    if known is not None and phrase not in RELATIONS:
        return replace(base, scope=Scope.ATTRIBUTE, entity="", attributes=frozenset({known.name}))
    owned = (
        "的" in phrase
        or re.match(r"我|咱|他|她|它", phrase)
        or any(phrase.endswith(word) for word in ZH_WORDS if len(word) > 1)
    )
    if not owned or _names_relation(phrase):
        return None
    return _probed([f"{phrase}是{forms.PROBE}"], base) or _split_attribute(phrase, base)


def _anothers(what: str, base: Target) -> Target:
    """An attribute of somebody whom a pronoun stands for."""
    attributes = frozenset({canonical_attribute(what)})
    return replace(base, scope=Scope.ATTRIBUTE, entity="", attributes=attributes, third=True)


def _split_attribute(phrase: str, base: Target) -> Target | None:
    """X的Y, where the rules see no statement: the owner's entity is found by what is stored."""
    match = re.fullmatch(r"(?P<who>.+)的(?P<what>[^的]{1,10})", phrase)
    if match is None or match["what"] in RELATIONS:
        return None
    owner = _facts(f"{match['who']}的电话是{forms.PROBE}")
    entity = (
        owner[0][0] if owner else "user" if match["who"] in {"我", "我们", "咱"} else bare_name(match["who"])
    )
    attributes = frozenset({canonical_attribute(match["what"])})
    return replace(base, scope=Scope.ATTRIBUTE, entity=entity, attributes=attributes)


def _names_relation(phrase: str) -> bool:
    """我上司, 我的表哥: somebody, not an attribute of the speaker."""
    return re.fullmatch(rf"(?:我们?|咱们?)的?.{{0,2}}?(?:{'|'.join(ZH_RELATIONS)})", phrase) is not None


def _about(phrase: str, base: Target) -> Target:
    """Somebody or something as a whole: a person or named thing is an entity, any other phrase is words to look for."""
    bare = re.sub(
        r"^(?:这个|那个|这次|那次|the|that|this)\s*", "", phrase.strip(_EDGE), flags=re.IGNORECASE
    ).strip(_EDGE)
    if base.language == "zh":
        if re.fullmatch(r"我(?:自己|本人)?", bare):
            return replace(base, scope=Scope.EVERYTHING, entity="user")
        probes = [f"{bare}的电话是{forms.PROBE}"]
    else:
        if re.fullmatch(r"me|myself", bare, re.IGNORECASE):
            return replace(base, scope=Scope.EVERYTHING, entity="user")
        probes = [f"{bare}'s phone number is {forms.PROBE}"]
    found = _probed(probes, base)
    if found is not None and found.entity != "user" and found.entity != "general":
        return replace(found, scope=Scope.ENTITY, attributes=frozenset(), words=bare)
    return replace(base, scope=Scope.WORDS, words=bare)


def _en(phrase: str, base: Target) -> Target:
    about = forms.ABOUT_EN.fullmatch(phrase)
    if about is not None:
        who = about["who"].strip(_EDGE)
        return _en_attribute(who, base) or _about(who, base)
    phrase = re.sub(r"^(?:about|all about|all)\s+", "", phrase, flags=re.IGNORECASE)
    that = re.match(r"(?:the fact )?that\s+(?P<rest>.+\s.+)", phrase, re.IGNORECASE)
    if that is not None:
        return _stated(that["rest"], base) or _about(that["rest"], base)
    return _en_attribute(phrase, base) or _stated(phrase, base) or _about(phrase, base)


def _en_attribute(phrase: str, base: Target) -> Target | None:
    asks = forms.WH_EN.fullmatch(phrase)
    if asks is not None:
        wh, rest, noun = asks["wh"].lower(), asks["rest"], asks["noun"].strip()
        fills = forms.FILL_EN[wh]
        probes = [f"{rest} {fill}" for fill in fills]
        if noun:
            probes.append(
                f"{re.sub(r'^(i|we)$', 'my', rest.split()[0], flags=re.IGNORECASE)} {noun} is {fills[-1]}"
            )
        probes += [f"{re.sub(r' (?:is|are|was)$', '', rest)} is {fill}" for fill in fills]
        return _probed([probe[:1].upper() + probe[1:] for probe in probes], base)
    known = lookup(phrase)
    if known is not None and phrase.casefold() not in RELATIONS:
        return replace(base, scope=Scope.ATTRIBUTE, attributes=frozenset({known.name}))
    if re.fullmatch(
        rf"(?:my|our)\s+(?:[\w-]+\s+)?(?:{'|'.join(map(re.escape, EN_RELATIONS))})(?:\s+[A-Z]\w+)?",
        phrase,
        re.IGNORECASE,
    ) and (phrase.split()[-1].casefold() in RELATIONS or phrase.split()[-1][:1].isupper()):
        return None
    its = re.fullmatch(r"(?P<its>its|their|his|her)\s+(?P<what>.+)", phrase, re.IGNORECASE)
    if its is not None:
        return _anothers(its["what"], base)
    owned = re.match(r"(?:my|our)\s|.+['’]s?\s|(?:the\s)?[\w -]+\s(?:of|for)\s", phrase, re.IGNORECASE)
    named = any(phrase.casefold().endswith(f" {word}") for word in EN_WORDS)
    if not owned and not named:
        return None
    return _probed([f"{phrase} is {forms.PROBE}", f"the {phrase} is {forms.PROBE}"], base)


def _stated(phrase: str, base: Target) -> Target | None:
    """ "that I live in Berlin", "我住在杭州这件事": what the words themselves state."""
    phrase = re.sub(r"(?:这|那)(?:件事|回事|一点|个事)(?:情|儿)?$", "", phrase)
    found = _facts(phrase)
    if not found:
        return None
    subject, attribute, value = found[0]
    return replace(
        base, scope=Scope.ATTRIBUTE, entity=subject, attributes=frozenset({attribute}), value=value
    )


def _probed(probes: Iterable[str], base: Target) -> Target | None:
    """The entity and attribute of the first probe that states one; families of attributes that a probe cannot tell apart."""
    for probe in probes:
        facts = [fact for fact in _facts(probe) if fact[1] not in {"plan", "habit", "possession"}]
        if not facts:
            continue
        entity = re.sub(r"['’]s$", "", facts[0][0])
        if entity == "我":
            entity = "user"
        attributes = {attribute for subject, attribute, _ in facts if subject == facts[0][0]}
        if forms.PROBE not in probe:
            attributes |= {one for family in RELATED if family & attributes for one in family}
        if entity.startswith("user") and "location" in attributes:
            attributes |= WHEREABOUTS
        return replace(
            base,
            scope=Scope.ATTRIBUTE,
            entity="" if entity == "general" else entity,
            attributes=frozenset(attributes),
        )
    return None


def _facts(text: str) -> list[tuple[str, str, str]]:
    """(subject, attribute, value) of each structured statement in the text."""
    read = extract(text, role="user", speaker="", said_at=_AT, tz=UTC)
    return [(one.subject, one.attribute, one.value or "") for one in read if one.attribute]


def content_words(phrase: str) -> list[str]:
    """The terms of a phrase that say what it is about, as the index knows them."""
    bare = re.sub(
        r"^(?:关于|有关|about|what i said about|the|my|our|我的?)\s*",
        "",
        phrase.strip(_EDGE),
        flags=re.IGNORECASE,
    )
    return query_terms(bare) or ([canonical(bare)] if canonical(bare) else [])
