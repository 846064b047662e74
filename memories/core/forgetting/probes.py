"""Reads the phrase of a request by completing it to a statement, so that requests and facts share one vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.engine import extract
from memories.core.forgetting import forms
from memories.core.forgetting.target import RELATED, WHEREABOUTS, Scope, Target
from memories.core.text.lexical import query_terms
from memories.core.values.normalise import canonical

EDGE = " \t\r\n，,、。.;；:：!！?？\"'“”‘’「」『』"


_AT = datetime(2026, 1, 1, tzinfo=UTC)


def anothers(what: str, base: Target) -> Target:
    """An attribute of somebody whom a pronoun stands for."""
    attributes = frozenset({canonical_attribute(what)})
    return replace(base, scope=Scope.ATTRIBUTE, entity="", attributes=attributes, third=True)


def about_whole(phrase: str, base: Target) -> Target:
    """Somebody or something as a whole: a person or named thing is an entity, any other phrase is words to look for."""
    bare = re.sub(
        r"^(?:这个|那个|这次|那次|the|that|this)\s*", "", phrase.strip(EDGE), flags=re.IGNORECASE
    ).strip(EDGE)
    if base.language == "zh":
        if re.fullmatch(r"我(?:自己|本人)?", bare):
            return replace(base, scope=Scope.EVERYTHING, entity="user")
        probes = [f"{bare}的电话是{forms.PROBE}"]
    else:
        if re.fullmatch(r"me|myself", bare, re.IGNORECASE):
            return replace(base, scope=Scope.EVERYTHING, entity="user")
        probes = [f"{bare}'s phone number is {forms.PROBE}"]
    found = probed(probes, base)
    if found is not None and found.entity != "user" and _is_of(found.entity, bare):
        return replace(found, scope=Scope.ENTITY, attributes=frozenset(), words=bare)
    return replace(base, scope=Scope.WORDS, words=bare)


def _is_of(entity: str, phrase: str) -> bool:
    """Whether the entity was read out of the phrase, whole: a key of a relation, or a name that stands in it."""
    if ":" in entity:
        return True
    one, other = canonical(entity), canonical(phrase)
    return one != "" and one in other and 2 * len(one) >= len(other)


def stated_in(phrase: str, base: Target) -> Target | None:
    """ "that I live in Berlin", "我住在杭州这件事": what the words themselves state."""
    phrase = re.sub(r"(?:这|那)(?:件事|回事|一点|个事)(?:情|儿)?$", "", phrase)
    found = facts_in(phrase)
    if not found:
        return None
    subject, attribute, value = found[0]
    return replace(
        base, scope=Scope.ATTRIBUTE, entity=subject, attributes=frozenset({attribute}), value=value
    )


def probed(probes: Iterable[str], base: Target) -> Target | None:
    """The entity and attribute of the first probe that states one; families of attributes that a probe cannot tell apart."""
    for probe in probes:
        facts = [fact for fact in facts_in(probe) if fact[1] not in {"plan", "habit", "possession"}]
        if not facts:
            continue
        entity = re.sub(r"['’]s$", "", facts[0][0])
        if entity == "我":
            entity = "user"
        attributes = {attribute for subject, attribute, _ in facts if subject == facts[0][0]}
        attributes |= {known for one in attributes if (known := of_plural(one))}
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


def of_plural(attribute: str) -> str:
    """The known attribute of which this is the plural ("birthdays"); "" for none, and for what is known itself."""
    if lookup(attribute) is not None or not attribute.endswith("s"):
        return ""
    tries = [
        attribute[:-1],
        f"{attribute[:-3]}y" if attribute.endswith("ies") else "",
        attribute.removesuffix("es"),
    ]
    return next((row.name for one in tries if one and (row := lookup(one.replace("_", " ")))), "")


def facts_in(text: str) -> list[tuple[str, str, str]]:
    """(subject, attribute, value) of each structured statement in the text."""
    read = extract(text, role="user", speaker="", said_at=_AT, tz=UTC)
    return [(one.subject, one.attribute, one.value or "") for one in read if one.attribute]


def content_words(phrase: str) -> list[str]:
    """The terms of a phrase that say what it is about, as the index knows them."""
    bare = re.sub(
        r"^(?:关于|有关|about|what i said about|the|my|our|我的?)\s*",
        "",
        phrase.strip(EDGE),
        flags=re.IGNORECASE,
    )
    return query_terms(bare) or ([canonical(bare)] if canonical(bare) else [])
