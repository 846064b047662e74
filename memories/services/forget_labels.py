"""What a request is about, for people to read: names veiled, no value, nothing sensitive."""

from __future__ import annotations

from memories.core.forgetting.labels import label_of, owner_name
from memories.core.forgetting.target import Scope, Target
from memories.core.pii import detection as pii


def described(target: Target) -> str:
    """What a request is about, with names veiled and without a value or anything sensitive, in its own language."""
    label = _label(target)
    if target.kept:
        left = [_label(one) for one in target.kept]
        label += f"({'、'.join(left)}除外)" if target.language == "zh" else f", except {', '.join(left)}"
    for span in sorted(pii.detect(label), key=lambda one: one.start, reverse=True):
        label = f"{label[: span.start]}*{label[span.end :]}"
    return label


def _label(target: Target) -> str:
    zh = target.language == "zh"
    if target.scope is Scope.EVERYTHING:
        return "你的全部记忆" if zh else "everything about you"
    if target.scope is Scope.LAST:
        return "刚才说的话" if zh else "what you said just now"
    if target.scope is Scope.VALUE:
        return "你指出的那个内容" if zh else "the value that you named"
    if target.scope is Scope.ATTRIBUTE and target.attributes:
        known = sorted(target.attributes, key=len)
        return label_of(target.language, "fact", target.entity, known[0])
    owner = owner_name(target.entity or target.words, target.language).removesuffix("'s")
    return f"与{owner}有关的内容" if zh else f"what is about {owner}"
