"""Finds personal data and secrets in a text, and masks or refuses it before anything is stored (R28)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memories.core.pii.argus import found_by_argus
from memories.core.pii.places import addresses, people
from memories.core.pii.rules import RULES, PiiRule
from memories.core.pii.secrets import SECRET_RULES
from memories.core.text.words import whole_characters

DEFAULT_ACTIONS: Final[Mapping[str, str]] = {
    "secret": "block",
    "credential": "block",
    "card": "mask",
    "id_number": "mask",
    "passport": "mask",
    "bank_account": "mask",
    "custom": "mask",
    "phone": "keep",
    "email": "keep",
    "address": "keep",
    "plate": "keep",
    "ip": "keep",
    "handle": "keep",
    "person": "keep",
    "medical": "keep",
}
"""Every type with its default action; the policy's pii.action.<type> overrides it."""

ACTIONS: Final = ("block", "mask", "encrypt", "ask", "keep")

_ORDER: Final = (
    "custom",
    "secret",
    "credential",
    "email",
    "id_number",
    "card",
    "passport",
    "bank_account",
    "phone",
    "ip",
    "plate",
)
_LABELS: Final[Mapping[str, str]] = {
    "card": "card",
    "id_number": "id",
    "passport": "passport",
    "bank_account": "account",
    "phone": "phone",
    "plate": "plate",
}
_MEDICAL = re.compile(
    r"(?:确诊|患有|诊断(?:为|出)|查出|得了)(?:了|是|为)?(?:[\u4e00-\u9fff]{0,8}?(?:癌症?|病|症|炎|瘤|糖尿病|高血压|冠心病|艾滋|抑郁|焦虑|哮喘))|"
    r"\bdiagnosed with\s+(?:an?\s+)?[a-z]+(?:\s+[a-z]+)?|\bHIV[- ]positive\b"
)
_INVISIBLE: Final = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")
_UNPLAIN = re.compile(f"[{''.join(sorted(_INVISIBLE))}\uff01-\uff5e]")
_MASKED = re.compile(
    r"\[(?:secret|(?:card|id|passport|account|phone|plate|email|address|ip|name|medical|custom|handle)(?: ••[^\]\s]{0,8})?)\]"
)


@dataclass(frozen=True, slots=True)
class Span:
    """Where personal data of a type stands: offsets into the text. It never holds the text itself."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Screened:
    """A text after its screening.

    `text_masked` has what is blocked, masked or to be encrypted replaced by a mask; it is the only form that may be
    stored in the clear, indexed or embedded. `spans` are offsets into the original text. `blocked` says that a type
    with the action block was found: nothing may be learnt from it, and the original must not be stored at all.
    `needs_encryption`: the original may be stored, encrypted, under the kind sensitive. `needs_consent`: it may be kept
    once the person says yes; until then it waits, encrypted.
    """

    text_masked: str
    spans: tuple[Span, ...]
    blocked: bool
    types: frozenset[str]
    needs_encryption: bool
    needs_consent: bool = False


Custom = re.Pattern[str] | tuple[str, re.Pattern[str]]
"""A tenant's own pattern, of the type "custom" or with a type ("own:…"); its group `value`, where it has one, is the value."""


def detect(text: str, *, custom: Sequence[Custom] = ()) -> list[Span]:
    """The spans in order, none overlapping another; `custom` are a tenant's own patterns.

    Order numbers, contract ids, versions, amounts, times and hotlines are no personal data.
    """
    plain, offsets = _plain(whole_characters(text))
    taken: list[Span] = [Span(*match.span(), "") for match in _MASKED.finditer(plain)]
    own: list[Span] = []
    for start, end, kind in sorted(_candidates(plain, custom), key=lambda found: _rank(found[2])):
        if start >= end or any(start < span.end and span.start < end for span in taken):
            continue
        if kind.startswith("own:"):
            own.append(Span(start, end, kind))
        else:
            # A tenant's pattern that takes a part of a secret must not uncover the rest of it.
            taken += [Span(a, b, kind) for a, b in _outside(start, end, own)]
    taken += _apart(own)
    found = (Span(offsets[span.start], offsets[span.end - 1] + 1, span.type) for span in taken if span.type)
    return sorted(found, key=lambda span: span.start)


def _outside(start: int, end: int, spans: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """The parts of [start, end) that none of the spans covers."""
    at = start
    for span in sorted(spans, key=lambda one: one.start):
        if span.end <= at or span.start >= end:
            continue
        if span.start > at:
            yield at, span.start
        at = span.end
    if at < end:
        yield at, end


def _apart(spans: Sequence[Span]) -> list[Span]:
    """Of overlapping spans the part of a later one that an earlier one leaves, so that all of both is covered."""
    apart: list[Span] = []
    for span in spans:
        apart += [Span(a, b, span.type) for a, b in _outside(span.start, span.end, apart)]
    return apart


def apply(text: str, actions: Mapping[str, str] | None = None, *, custom: Sequence[Custom] = ()) -> Screened:
    """Screen a text with an action per type (block, mask, encrypt, ask, keep); types left out take the default.

    Applying it to its own result changes nothing. ValueError for an unknown action.
    """
    chosen = {**DEFAULT_ACTIONS, **(actions or {})}
    unknown = sorted(set(chosen.values()) - set(ACTIONS))
    if unknown:
        raise ValueError(f"unknown action {unknown[0]!r}; use one of {', '.join(ACTIONS)}")
    spans = detect(text, custom=custom)
    pieces: list[str] = []
    at = 0
    for span in spans:
        action = chosen.get(span.type, "keep")
        if action != "keep":
            pieces += [
                text[at : span.start],
                mask(span.type, text[span.start : span.end], harmless=action == "mask"),
            ]
            at = span.end
    pieces.append(text[at:])
    done = {chosen.get(span.type, "keep") for span in spans}
    return Screened(
        text_masked="".join(pieces),
        spans=tuple(spans),
        blocked="block" in done,
        types=frozenset(span.type for span in spans),
        needs_encryption="encrypt" in done,
        needs_consent="ask" in done,
    )


def mask(kind: str, value: str, *, harmless: bool = True) -> str:
    """What stands in the value's place: its type and, where `harmless`, its last two to four characters.

    "[card ••1234]", "[id ••123X]", "[passport ••78]", "[secret]"; the same in every language.
    """
    if kind in {"secret", "credential"}:
        return "[secret]"
    if kind.startswith("own:"):
        return "[custom]"
    label = _LABELS.get(kind)
    if label is None or not harmless:
        return f"[{label or ('name' if kind == 'person' else kind)}]"
    shown = 2 if kind in {"passport", "plate"} else 4
    tail = "".join(char for char in value if char.isalnum())
    return f"[{label} ••{tail[-shown:]}]" if len(tail) >= 2 * shown else f"[{label}]"


def actions_of(choice: Mapping[str, str]) -> dict[str, str]:
    """The actions out of a policy's values, given as {"pii.action.card": "mask", ...}."""
    prefix = "pii.action."
    return {key.removeprefix(prefix): value for key, value in choice.items() if key.startswith(prefix)}


def _candidates(plain: str, custom: Sequence[Custom]) -> Iterator[tuple[int, int, str]]:
    for one in custom:
        kind, pattern = ("custom", one) if isinstance(one, re.Pattern) else one
        for match in pattern.finditer(plain):
            yield *match.span("value" if "value" in pattern.groupindex else 0), kind
    yield from _by_rules(plain, SECRET_RULES)
    yield from _by_rules(plain, RULES)
    yield from found_by_argus(plain)
    for start, end in addresses(plain):
        yield start, end, "address"
    for start, end in people(plain):
        yield start, end, "person"
    for match in _MEDICAL.finditer(plain):
        yield match.start(), match.end(), "medical"


def _by_rules(plain: str, rules: Iterable[PiiRule]) -> Iterator[tuple[int, int, str]]:
    for rule in rules:
        at = 0
        while match := rule.pattern.search(plain, at):
            start, end = match.span(1) if rule.pattern.groups and match.group(1) is not None else match.span()
            if rule.check(plain[start:end], plain[max(0, start - 48) : start], plain[end : end + 24]):
                yield start, end, rule.type
            at = max(end, match.start() + 1)


def _plain(text: str) -> tuple[str, list[int]]:
    """The text with full-width forms made plain and invisible characters dropped, and each character's old offset."""
    if not _UNPLAIN.search(text):
        return text, list(range(len(text)))
    chars: list[str] = []
    offsets: list[int] = []
    for at, char in enumerate(text):
        if char in _INVISIBLE:
            continue
        form = (
            unicodedata.normalize("NFKC", char)
            if "\uff01" <= char <= "\uff5e" and char not in "，：；！？（）"
            else char
        )
        chars.append(form if len(form) == 1 else char)
        offsets.append(at)
    return "".join(chars), offsets


def _rank(kind: str) -> int:
    if kind.startswith("own:"):
        return 0
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)
