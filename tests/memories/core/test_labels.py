"""Attributes and relations have one noun a language, the same wherever they are shown."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from memories.core.extraction.attributes import BY_NAME
from memories.core.forgetting.labels import label_of
from memories.core.labels import attribute_label, relation_label
from memories.core.profile import ProfileFact, assemble
from memories.core.text.language import Language


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_attribute_has_a_noun_in_both_languages(name: str) -> None:
    assert attribute_label(name, "en").isascii()
    chinese = attribute_label(name, "zh")
    assert chinese == "QQ" or "\u4e00" <= chinese[0] <= "\u9fff"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("attribute", ["home", "employer", "likes", "phone"])
def test_the_profile_and_a_receipt_of_forgetting_say_the_same(attribute: str, language: Language) -> None:
    fact = ProfileFact("user", attribute, "X1", uuid.uuid4(), datetime(2026, 1, 1, tzinfo=UTC))
    [entry] = [entry for group in assemble([fact], language) for entry in group.entries]
    assert entry.label == attribute_label(attribute, language)
    assert label_of(language, "fact", "user", attribute).endswith(entry.label)


def test_whose_it_is_is_told_in_the_language_and_a_name_is_veiled() -> None:
    assert label_of("zh", "fact", "user:sister", "phone") == f"你{relation_label('sister', 'zh')}的电话"
    assert label_of("en", "fact", "user:sister", "phone") == "your sister's phone"
    assert label_of("en", "fact", "Tomas", "phone") == "T*'s phone"
    assert label_of("zh", "fact", "", "花名册") == "花名册"


def test_a_relation_that_somebody_tells_like_an_attribute_has_its_noun() -> None:
    assert label_of("zh", "fact", "user", "boss") == "你的上司"
    assert label_of("en", "fact", "user", "boss") == "your boss"
