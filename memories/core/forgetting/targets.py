"""What a request to forget is about: an attribute of somebody, all about somebody, a value, a topic, or what was just said.

The phrase is read by the very rules that read statements: "my boss's phone number" is completed to a statement about it, and
the entity and attribute that extraction finds in that one are what is meant. So requests and facts share one vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memories.core.extraction.attributes import lookup
from memories.core.extraction.requests import Asked, asked
from memories.core.extraction.requests_new import FORMER_ONE, new_value
from memories.core.forgetting import forms
from memories.core.forgetting.exceptions import with_exceptions
from memories.core.forgetting.heads import with_heads
from memories.core.forgetting.probes import EDGE, facts_in, stated_in
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.targets_en import read_en, topic_en
from memories.core.forgetting.targets_zh import read_zh, topic_zh
from memories.core.text.signs import as_read
from memories.core.values.keyvalues import key_values

MAX_REQUESTS = 10
"""Requests of one text that are carried out."""


def targets(text: str) -> list[Target]:
    """What the text asks to forget, in order; [] for a text that asks nothing of the kind."""
    found: list[Target] = []
    for one in asked(text)[:MAX_REQUESTS]:
        left = _left_out(one)
        meant = [with_exceptions(target, left) for target in _of_request(one)]
        found.extend(target for target in meant if target not in found)
    return found[:MAX_REQUESTS]


def _left_out(one: Asked) -> list[Target]:
    """What a request is not to take, read as if it were asked for."""
    return [
        replace(target, explicit=True, standing=False)
        for phrase in one.kept
        for target in _of_request(replace(one, phrase=phrase, context="", standing=False, kept=()))
    ]


def is_yes(text: str) -> bool:
    """Whether the text is no more than a yes to what was asked."""
    return forms.YES.fullmatch(as_read(text).strip(EDGE)) is not None


def is_no(text: str) -> bool:
    """Whether the text is no more than a no to what was asked."""
    return forms.NO.fullmatch(as_read(text).strip(EDGE)) is not None


def _of_request(one: Asked) -> list[Target]:
    language = "zh" if one.chinese or re.search(r"[\u4e00-\u9fff]", one.phrase or one.context) else "en"
    phrase, context = one.phrase, one.context
    if not phrase and context:
        phrase = _what_went_before(context)
    quoted = forms.QUOTED_ZH.fullmatch(phrase) if language == "zh" else None
    if quoted is not None:
        phrase = quoted["said"]
    base = Target(
        Scope.LAST,
        unsure=one.unsure,
        context=context,
        standing=one.standing,
        explicit=one.explicit,
        language=language,
        words=phrase,
    )
    if not phrase:
        return [replace(base, standing=False)]
    if quoted is not None and (said := stated_in(phrase, base)) is not None:
        return [said]
    if FORMER_ONE.fullmatch(phrase):
        return _former(base, one.beside)
    whole = [_with_new(target, one.beside) for target in _read(phrase, base)]
    parts = with_heads([part.strip(EDGE) for part in forms.LIST.split(phrase) if part.strip(EDGE)])
    if len(parts) > 1 and whole[0].scope in {Scope.WORDS, Scope.ENTITY, Scope.ATTRIBUTE}:
        several = _listed(parts, base)
        if several:
            return several
    return whole


def _former(base: Target, beside: Sequence[str]) -> list[Target]:
    """ "My new address is …, forget the old one": the attribute that is told beside it."""
    stated = [fact for clause in beside for fact in facts_in(clause)]
    if not stated:
        return [replace(base, scope=Scope.WORDS)]
    entity, attribute, value = stated[-1]
    attributes = frozenset({attribute})
    return [
        replace(base, scope=Scope.ATTRIBUTE, entity=entity, attributes=attributes, past=True, instead=value)
    ]


def _with_new(target: Target, beside: Sequence[str]) -> Target:
    """ "Forget my old address, the new one is …": what holds now is the old one, as the new is not learnt yet."""
    if not target.past:
        return target
    for clause in beside:
        value = new_value(clause, chinese=target.language == "zh")
        told = [
            told
            for entity, attribute, told in facts_in(clause)
            if entity == target.entity and attribute in target.attributes
        ]
        if value or told:
            return replace(target, instead=told[0] if told else value)
    return target


def _what_went_before(context: str) -> str:
    """The object of "…, forget it": the topic of the clause before, without what is said of it ("is over", "不算了").

    A clause that tells something of the person themself, or gives a value or a name, is meant as a whole.
    """
    last = re.split(r"，|, ", context)[-1].strip(EDGE)
    return topic_zh(last) if re.search(r"[\u3400-\u9fff]", last) else topic_en(last)


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
            match = re.match(r"(.+?的|我们?(?=.)|my\s+|our\s+|.+?['’]s\s+)", part.strip(EDGE), re.IGNORECASE)
            owner = match[1] if match else ""
        read.append(found)
    mixed = len({one.scope is Scope.ENTITY for one in read}) > 1
    # "Tom and my address": all about Tom, or only an address?
    return [replace(one, unsure=one.unsure or (mixed and one.scope is Scope.ENTITY)) for one in read]


def _owned(owner: str, part: str, language: str) -> str:
    if language == "zh":
        return part if re.match(r"我|他|她|.+的", part) else f"{owner}{part}"
    return (
        part
        if re.match(r"(?:my|our|his|her|.+['’]s)\b", part.strip(), re.IGNORECASE)
        else f"{owner}{part.strip()}"
    )


def _read(phrase: str, base: Target) -> list[Target]:
    bare = phrase.strip(EDGE)
    former = forms.FORMER.search(bare)
    if former is not None and lookup(bare[former.end() :].strip(EDGE)) is not None:
        bare, base = forms.FORMER.sub("", bare, count=1), replace(base, past=True)
    quantity = forms.QUANTITY_FIRST_ZH.match(bare) if base.language == "zh" else None
    if quantity is not None:
        bare = bare[quantity.end() :]
    base = replace(base, words=bare)
    if base.language == "zh":
        if quantity is not None and forms.ALL_SAID_ZH.fullmatch(bare):
            return [replace(base, scope=Scope.EVERYTHING, entity="user")]
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
    return [read_zh(bare, base) if base.language == "zh" else read_en(bare, base)]


def _value(phrase: str) -> str:
    """The value, when the phrase is nothing else (a number, code, address, link), with a word like "号码" around it."""
    rest = re.sub(
        r"^(?:这个|那个|号码|电话|邮箱|the number|number|the code|the email)\s*",
        "",
        phrase,
        flags=re.IGNORECASE,
    )
    rest = re.sub(r"(?:这个|那个)?(?:号码?|电话|邮箱|数字|编号)$", "", rest).strip(EDGE)
    found = key_values(rest)
    if (
        len(found) == 1
        and found[0].kind != "name"
        and len(found[0].text) >= 0.8 * len(rest)
        and re.search(r"\d|@", rest)
    ):
        return rest
    return rest if re.fullmatch(r"[\d+()\s-]{4,}|[\w.+-]+@[\w.-]+|https?://\S+", rest) else ""
