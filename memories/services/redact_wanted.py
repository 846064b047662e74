"""What a redaction is to take out: words, what a pattern matches, or a whole memory with all that says it."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memories.core.forgetting.marks import HAN, REDACTED, Span, mark_for, masked
from memories.core.forgetting.redacting import MAX_CHARS, MIN_CHARS, MIN_HAN, redacting_pattern, too_short
from memories.core.forgetting.remains import clauses
from memories.core.forgetting.texts import Spec, needles, spans
from memories.core.safe_regex import UnsafePattern, compiled, least_width
from memories.core.text.needles import pattern_of
from memories.models import Memory, MemoryVersion
from memories.services.forget_specs import spec_of
from memoryhub.common.errors import Invalid

MAX_WORDS = 20
_TOO_WIDE = "The pattern has to need three characters at least, or two with a Chinese one: else it takes out too much."


@dataclass(frozen=True, slots=True)
class Wanted:
    """Words (each taken out wherever it stands), or a pattern."""

    words: tuple[str, ...] = ()
    pattern: str = ""

    def as_text(self) -> str:
        """For a run over the whole tenant, which keeps it encrypted."""
        return json.dumps({"words": self.words, "pattern": self.pattern}, ensure_ascii=False)

    @classmethod
    def of_text(cls, text: str) -> Wanted:
        """The reverse."""
        data = json.loads(text)
        return cls(tuple(data["words"]), data["pattern"])


@dataclass(frozen=True, slots=True)
class Sought:
    """How it is looked for: `holding` stands in every text that `spec` could concern (None: every text is looked at); `whole` are
    memories that go themselves."""

    spec: Spec
    holding: re.Pattern[str] | None
    whole: frozenset[uuid.UUID] = frozenset()

    def spans(self, text: str, *, role: str = "user", speaker: str = "") -> list[Span]:
        """Disjoint spans of the text, in order."""
        return spans(text, self.spec, role=role, speaker=speaker)

    def mask(self, text: str) -> str:
        """The text with the mark over them."""
        found = self.spans(text)
        return masked(text, found, mark_for(text, REDACTED)) if found else text


def wanted(words: Sequence[str], pattern: str = "") -> Wanted:
    """Checked; Invalid, with the field, for what would take out too much, or cannot be looked for."""
    given = tuple(dict.fromkeys(" ".join(word.split()) for word in words if word.strip()))
    if bool(given) == bool(pattern):
        raise Invalid(
            "give words or a pattern", fields={"words": "Give the words to take out, or a pattern."}
        )
    if pattern:
        try:
            compiled(pattern)
        except UnsafePattern as error:
            raise Invalid("the pattern is not taken", fields={"pattern": f"The pattern {error}."}) from None
        if least_width(pattern) < (MIN_HAN if HAN.search(pattern) else MIN_CHARS):
            raise Invalid("the pattern is not taken", fields={"pattern": _TOO_WIDE})
        return Wanted(pattern=pattern)
    if len(given) > MAX_WORDS:
        raise Invalid("too many words", fields={"words": "At most 20 lines at once."})
    if any(too_short(word) or len(word) > MAX_CHARS for word in given):
        raise Invalid(
            "words of this length are not taken",
            fields={"words": "Two Chinese characters or three others at least, and 500 at most, a line."},
        )
    return Wanted(given)


def sought(what: Wanted) -> Sought:
    """How words or a pattern are looked for."""
    pattern = redacting_pattern(what.words) if what.words else compiled(what.pattern)
    return Sought(Spec(pattern=pattern), None)


def sought_memory(memory: Memory) -> Sought:
    """How a whole memory is looked for: its words of all versions, its evidence and its facts, as forgetting it would."""
    spec = spec_of(memory)
    texts = {str(memory.content_encrypted or "")}
    for version in MemoryVersion.objects.filter(memory_id=memory.pk):
        texts |= {version.content, str(version.content_encrypted or "")}
    quotes = spec.quotes | {text for text in texts if text and len(clauses(text)) == 1}
    spec = replace(spec, quotes=frozenset(quotes))
    return Sought(spec, pattern_of(needles(spec)), frozenset({memory.pk}))


def no_standing_pattern() -> Invalid:
    """Why a pattern cannot stand: it would leave a print for each thing that it ever matched."""
    return Invalid(
        "a pattern cannot stand",
        fields={"standing": "For words only. A pattern of your own in the policy masks what is said later."},
    )


def check_reason(reason: str, looked: Sought) -> str:
    """The reason, trimmed: Invalid for none, and for one that holds what is to go."""
    text = " ".join(reason.split())
    if not 3 <= len(text) <= 200:
        raise Invalid("a reason is needed", fields={"reason": "Say why, in 3 to 200 characters."})
    if looked.spans(text):
        raise Invalid(
            "the reason holds what is to be taken out",
            fields={"reason": "Say why without the words themselves: the reason is kept."},
        )
    return text
