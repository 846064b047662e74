"""The nouns by which people are shown attributes and relations, in their language: one for each, on every page."""

from __future__ import annotations

from memories.core.extraction.attributes import BY_NAME
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import NAMES as RELATION_NAMES
from memories.core.text.language import Language


def attribute_label(attribute: str, language: Language) -> str:
    """The attribute's noun in the language; an unknown one as it was said."""
    row = BY_NAME.get(attribute)
    if row is None and is_relation(attribute):
        return relation_label(attribute, language)
    if row is None:
        return attribute.replace("_", " ")
    return row.zh if language == "zh" else row.en


def relation_label(relation: str, language: Language) -> str:
    """Who somebody is to the person ("sister", 姐姐); an unknown relation as it was said."""
    words = [word for word, name in RELATIONS.items() if name == relation]
    fits = [word for word in words if word.isascii() is (language == "en")] or words
    return fits[0] if fits else relation.replace("_", " ")


def is_relation(name: str) -> bool:
    """Whether the table of relations has it by this canonical name."""
    return name in RELATION_NAMES
