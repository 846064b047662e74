"""Names what was forgotten without saying it: the attribute in the reader's language, the owner's name masked, never a value."""

from __future__ import annotations

import re

from memories.core.labels import attribute_label, is_relation, relation_label

_KINDS = {
    "zh": {
        "preference": "一条偏好", "profile": "一条个人信息", "fact": "一条事实", "event": "一件事", "decision": "一个决定", "constraint": "一条规矩",
        "todo": "一个待办", "digest": "一段摘要", "chunk": "一段摘录", "procedure": "一个做法", "conclusion": "一个结论", "sensitive": "一条敏感信息",
    },
    "en": {
        "preference": "a preference", "profile": "something about you", "fact": "a fact", "event": "an event", "decision": "a decision",
        "constraint": "a rule", "todo": "a to-do", "digest": "a summary", "chunk": "an excerpt", "procedure": "a procedure",
        "conclusion": "a conclusion", "sensitive": "something sensitive",
    },
}  # fmt: skip


def label_of(language: str, kind: str, entity: str = "", attribute: str = "") -> str:
    """ "你的电话", "王*的邮箱", "T*'s phone"; the kind alone where there is no structure."""
    zh = language == "zh"
    if not attribute:
        return _KINDS["zh" if zh else "en"].get(kind, kind)
    owner, what = owner_name(entity, language), attribute_label(attribute, "zh" if zh else "en")
    if not owner:
        return what
    if zh:
        return f"{owner}的{what}"
    return f"{owner} {what}"


def owner_name(entity: str, language: str) -> str:
    """Whose it is: "你", "你的上司", "王*"; "" for the matter itself."""
    zh = language == "zh"
    parts = entity.split(":")
    if entity in {"", "general"}:
        return ""
    if entity == "user":
        return "你" if zh else "your"
    if parts[0] == "user" and len(parts) > 1:
        relation = parts[1]
        if is_relation(relation):
            shown = relation_label(relation, "zh" if zh else "en")
            return f"你{shown}" if zh else f"your {shown}'s"
        return f"你的{veiled(parts[-1])}" if zh else f"your {veiled(parts[-1])}'s"
    return veiled(parts[-1]) if zh else f"{veiled(parts[-1])}'s"


def veiled(name: str) -> str:
    """王* for 王芳, T* for Tom: enough to know who is meant, for somebody who knows."""
    bare = name.strip()
    first = re.match(r"\W*\w", bare)
    return f"{first[0]}*" if first and len(bare) > 1 else "*"
