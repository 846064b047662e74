"""What the phrase of a Chinese request means, and the topic of a clause before it."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction.attributes import ZH_WORDS, canonical_attribute, lookup
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import ZH_RELATIONS
from memories.core.extraction.zh.subjects import bare_name
from memories.core.forgetting import forms
from memories.core.forgetting.probes import about_whole, anothers, facts_in, probed, stated_in
from memories.core.forgetting.target import Scope, Target
from memories.core.text.words import tagged

_ITS_ZH = re.compile(r"(?:他们?|她们?|它们?|其|对方|人家|那个?人|这个?人)的?(?P<what>[^的]{1,10})")


_POINTED_ZH = re.compile(
    r"(?<=..)(?:的?(?:这|那)(?:一?[条项个件部]分?)(?:信息|记录|内容|资料)?|(?<=[少哪儿里谁么地])(?:这|那)(?:件|回|个)?事(?:情|儿)?)$"
)
"""What only points at the phrase before it: 我生日那条, 我住哪儿这件事."""


def topic_zh(clause: str) -> str:
    """The noun phrase that the clause begins with, where nothing but a state of it follows: no place, name or number."""
    words = tagged(clause)
    end = len(words)
    while end > 1 and words[end - 1][1][:1] in {"v", "a", "d", "u", "y", "z", "i", "c"}:
        end -= 1
    topic = "".join(word for word, _ in words[:end])
    return topic if len(topic) > 1 and words[end - 1][1][:1] in {"n", "j", "l", "q", "r"} else clause


def read_zh(phrase: str, base: Target) -> Target:
    said = forms.SAID_ABOUT_ZH.fullmatch(phrase)
    # 提醒 and 说明书 only begin with such a verb.
    if said is not None and re.search(r"[说讲提聊].|.[说讲提聊]", phrase[: said.start("who")]):
        return read_zh(re.sub(r"(?:的(?:话|事情?|内容|东西)?)$", "", said["who"]) or said["who"], base)
    about = forms.ABOUT_ZH.fullmatch(phrase)
    if forms.DONE_ZH.fullmatch(phrase) and forms.PLACE_ZH.fullmatch(phrase) is None:
        return about_whole(phrase, base)
    if about is not None:
        inner = _zh_attribute(about["who"], base)
        return inner or about_whole(about["who"], base)
    phrase = re.sub(r"^(?:关于|有关)", "", phrase)
    phrase = _POINTED_ZH.sub("", phrase) or phrase
    place = forms.PLACE_ZH.fullmatch(phrase)
    if place is not None:
        who = re.sub(r"(?:以前|之前|曾经?|从前|过去)+$", "", place["who"])
        found = probed(
            [
                f"{who}{'' if place['verb'] in {'住', '居住'} else '在上海'}{place['verb']}{'在上海' if place['verb'] in {'住', '居住'} else ''}"
            ],
            base,
        )
        if found:
            return replace(found, past=found.past or place["over"] is not None)
    if "的" not in phrase or re.search(r"[这那](?:件事|回事|一点|个事)(?:情|儿)?$", phrase):
        stated = (
            stated_in(phrase, base)
            if not any(pattern.search(phrase) for pattern, _ in forms.ASKED_ZH)
            else None
        )
        if stated is not None:
            return stated
    return _zh_attribute(phrase, base) or stated_in(phrase, base) or about_whole(phrase, base)


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
            return probed(filled, base)
    its = _ITS_ZH.fullmatch(phrase)
    if its is not None and lookup(its["what"]) is not None:
        return anothers(its["what"], base)
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
    return probed([f"{phrase}是{forms.PROBE}"], base) or _split_attribute(phrase, base)


def _split_attribute(phrase: str, base: Target) -> Target | None:
    """X的Y, where the rules see no statement: the owner's entity is found by what is stored."""
    match = re.fullmatch(r"(?P<who>.+)的(?P<what>[^的]{1,10})", phrase)
    if match is None or match["what"] in RELATIONS:
        return None
    owner = facts_in(f"{match['who']}的电话是{forms.PROBE}")
    entity = (
        owner[0][0] if owner else "user" if match["who"] in {"我", "我们", "咱"} else bare_name(match["who"])
    )
    attributes = frozenset({canonical_attribute(match["what"])})
    return replace(base, scope=Scope.ATTRIBUTE, entity=entity, attributes=attributes)


def _names_relation(phrase: str) -> bool:
    """我上司, 我的表哥: somebody, not an attribute of the speaker."""
    return re.fullmatch(rf"(?:我们?|咱们?)的?.{{0,2}}?(?:{'|'.join(ZH_RELATIONS)})", phrase) is not None
