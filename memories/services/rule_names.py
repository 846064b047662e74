"""The names that a standing rule binds: those that were not said in the request stand in it as keyed prints."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Iterator

from memories.core.forgetting.target import Target
from memories.core.values.normalise import canonical
from memories.models import ForgetRule
from memories.services import fingerprints

_LATIN = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?")
_HAN = re.compile(r"[\u3400-\u9fff·•]{2,}")
_LATIN_WORDS, _HAN_CHARS = 3, 6
"""How long a name is at most that is looked for by its print."""


def name_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, name: str) -> str:
    return fingerprints.keyed("name", tenant_id, subject_id, canonical(name)).hex()


def bind_names(rule: ForgetRule, names: Iterable[str]) -> None:
    """Add prints of names to the rule."""
    data = json.loads(str(rule.target or "{}"))
    known = set(data.get("names", ()))
    if data and not set(names) <= known:
        rule.target = json.dumps(
            {**data, "names": sorted(known | set(names))}, ensure_ascii=False, sort_keys=True
        )
        rule.save(update_fields=["target"])


def phrases_of(text: str) -> Iterator[str]:
    """What might be a name in the text: up to three words in Latin letters, up to six Chinese characters."""
    words = list(_LATIN.finditer(text))
    for at, first in enumerate(words):
        for last in words[at : at + _LATIN_WORDS]:
            yield text[first.start() : last.end()].removesuffix("'s").removesuffix("’s")
    for run in _HAN.finditer(text):
        for start in range(run.start(), run.end() - 1):
            for end in range(start + 2, min(run.end(), start + _HAN_CHARS) + 1):
                yield text[start:end]


def target_of(rule: ForgetRule) -> Target:
    return Target.of_data(json.loads(str(rule.target or "{}")))
