"""What a caller wants forgotten, by words or by filter."""

from __future__ import annotations

from dataclasses import replace

from memories.core.extraction.attributes import canonical_attribute
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.targets import targets
from memories.core.text.language import detect
from memories.core.text.signs import without_invisible
from memoryhub.common.errors import Invalid

MAX_TEXT = 2_000


def wanted_of(
    *, text: str = "", entity: str = "", attribute: str = "", value: str = "", standing: bool = False
) -> list[Target]:
    """What a caller means, by words or by filter. Words that are no request are taken for what is to be forgotten.

    Raises Invalid when nothing is named.
    """
    text, entity, attribute, value = (without_invisible(one) for one in (text, entity, attribute, value))
    if text.strip():
        found = targets(text[:MAX_TEXT]) or targets(_as_request(text.strip()[:MAX_TEXT]))
        if not found:
            raise Invalid(
                "this names nothing to forget",
                hint='Say it like "forget my phone number" or "忘掉我的电话号码".',
                fields={"text": "names nothing to forget"},
            )
        return [replace(one, standing=one.standing or standing) for one in found]
    language = detect(f"{entity}{attribute}{value}")
    base = Target(
        Scope.VALUE, value=value, words=entity or attribute or value, standing=standing, language=language
    )
    if attribute.strip():
        names = frozenset({canonical_attribute(attribute)})
        return [replace(base, scope=Scope.ATTRIBUTE, entity=entity.strip() or "user", attributes=names)]
    if entity.strip() in {"user", "general"}:
        return [replace(base, scope=Scope.EVERYTHING, entity="user")]
    if entity.strip():
        return [replace(base, scope=Scope.ENTITY, entity=entity.strip())]
    if value.strip():
        return [base]
    raise Invalid("this names nothing to forget", fields={"text": "names nothing to forget"})


def _as_request(text: str) -> str:
    return f"忘掉{text}" if detect(text) == "zh" else f"forget {text}"
