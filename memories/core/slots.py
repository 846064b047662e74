"""Short-term memory: what a turn leaves in the slots, how long each lives, who goes first, and the summary (R11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from memories.core.extraction import Candidate
from memories.core.extraction.sentences import is_small_talk
from memories.core.importance import importance_of
from memories.core.keyvalues import key_values
from memories.core.kinds import Kind
from memories.core.language import HAN
from memories.core.normalise import canonical
from memories.core.policy import Policy
from memories.core.words import tagged


class SlotKind(StrEnum):
    """What a slot holds; the policy gives each its base TTL."""

    ENTITY = "entity"
    TASK = "task"
    CONCLUSION = "conclusion"


@dataclass(frozen=True, slots=True)
class Slot:
    """One entry: `key` is what a later write of the same thing replaces; `sessions` counts those that brought it up."""

    kind: SlotKind
    key: str
    text: str
    importance: float
    written_at: datetime
    expires_at: datetime
    sessions: int = 1


_TASK = re.compile(
    r"(?:帮我|请你?|正在|我(?:要|想|准备|打算|在)|需要)(?P<what>(?:查|写|做|改|找|订|买|准备|整理|翻译|总结|安排|计划|分析|修|部署|学|比较|选|设计|看|算|去)[^，。！？?]{2,40})"
    r"|\b(?:help me|can you|could you|please|i(?:'m| am) (?:trying to|working on|writing|preparing|looking for)|i (?:want|need) to)\s+(?P<en>[a-z][^.!?\n]{3,80})",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"(?:所以|因此|结论是|看来|原来|说明|最终|总之|由此|也就是说|结果是|发现)(?P<what>[^。！？?]{4,60})"
    r"|\b(?:so|therefore|thus|the conclusion is|it turns out(?: that)?|which means|that means|as a result|in short|i found(?: that)?)\b,?\s+(?P<en>[^.!?\n]{6,120})",
    re.IGNORECASE,
)
_ENTITY_KINDS = frozenset({"name", "title", "code"})
_MAX_ENTITIES = 4
_NOUN = frozenset({"n", "nz", "vn", "ns", "nt", "nr", "nrt", "nrfg", "eng", "l", "i"})


def ttl(policy: Policy, kind: SlotKind, importance: float) -> timedelta:
    """How long a slot lives: base x (0.5 + importance), so 12 to 36 hours for an entity."""
    base = policy.number(f"slots.ttl.{kind.value}_minutes")
    factor = policy.number("slots.importance_base") + min(1.0, max(0.0, importance))
    return timedelta(minutes=base * factor)


def entries(text: str, *, now: datetime, policy: Policy, candidates: Sequence[Candidate] = ()) -> list[Slot]:
    """What a turn leaves: the things it is about, the task in hand, and what was found out; [] for small talk.

    `candidates` are the turn's extracted memories; their subjects are entities and their decisions conclusions.
    """
    if is_small_talk(text):
        return []
    found: dict[str, Slot] = {}

    def put(kind: SlotKind, key: str, words: str, importance: float) -> None:
        name = f"{kind}:{canonical(key)[:80]}"
        if canonical(key) and name not in found:
            found[name] = Slot(
                kind, name, words.strip(), importance, now, now + ttl(policy, kind, importance)
            )

    for entity in _entities(text, candidates):
        put(SlotKind.ENTITY, entity, entity, importance_of(entity, "fact"))
    task = _TASK.search(text)
    if task:
        words = task["what"] or task["en"]
        put(SlotKind.TASK, words, words, importance_of(words, "todo"))
    for candidate in candidates:
        if candidate.kind in {Kind.DECISION, Kind.CONCLUSION}:
            put(SlotKind.CONCLUSION, candidate.content, candidate.content, candidate.importance)
    conclusion = _CONCLUSION.search(text)
    if conclusion:
        words = conclusion["what"] or conclusion["en"]
        put(SlotKind.CONCLUSION, words, words, importance_of(words, "conclusion"))
    return list(found.values())


def _entities(text: str, candidates: Sequence[Candidate]) -> list[str]:
    """Names, titles, codes and subjects, most telling first; else the nouns of what is talked about."""
    names = [value.text for value in key_values(text) if value.kind in _ENTITY_KINDS]
    named = [
        c.subject
        for c in candidates
        if c.subject not in {"user", "assistant", "general"} and ":" not in c.subject
    ]
    found = list(dict.fromkeys(names + named)) or topics(text)
    return found[:_MAX_ENTITIES]


_PLAIN = frozenset(
    [
        "thing",
        "things",
        "way",
        "time",
        "day",
        "days",
        "people",
        "something",
        "anything",
        "everything",
        "question",
        "questions",
        "idea",
        "lot",
        "bit",
        "kind",
        "sort",
        "help",
        "today",
        "tomorrow",
        "yesterday",
        "week",
        "month",
        "year",
        "good",
        "great",
        "nice",
        "new",
        "the",
        "this",
        "that",
        "what",
        "which",
        "how",
        "why",
        "when",
        "where",
        "who",
        "can",
        "could",
        "would",
        "should",
        "will",
        "may",
        "about",
        "with",
        "from",
        "into",
        "your",
        "my",
        "our",
        "their",
        "have",
        "has",
        "had",
        "just",
        "like",
        "want",
        "need",
        "know",
        "think",
        "get",
        "make",
        "take",
        "use",
        "does",
        "did",
        "are",
        "was",
        "were",
        "been",
    ]
)
_ZH_PLAIN = frozenset(
    [
        "东西",
        "事情",
        "时候",
        "问题",
        "意思",
        "样子",
        "地方",
        "方面",
        "情况",
        "东西",
        "人",
        "事",
        "话",
        "天",
        "时间",
        "今天",
        "明天",
        "昨天",
        "建议",
        "办法",
        "方法",
        "感觉",
        "朋友",
        "大家",
    ]
)


def topics(text: str) -> list[str]:
    """The nouns that say what a text is about, in its language; the longest few."""
    found: list[str] = []
    if re.search(f"[{HAN}]", text):
        found = [w for w, tag in tagged(text[:400]) if tag in _NOUN and len(w) > 1 and w not in _ZH_PLAIN]
    else:
        words = re.findall(r"[A-Za-z][A-Za-z'-]{3,}", text)
        found = [word for word in words if word.lower() not in _PLAIN]
    return sorted(dict.fromkeys(found), key=len, reverse=True)[:3]


def live(slots: Iterable[Slot], now: datetime) -> list[Slot]:
    """The slots that have not run out."""
    return [slot for slot in slots if slot.expires_at > now]


def eviction_order(slots: Iterable[Slot]) -> list[Slot]:
    """Who goes first: least important, then oldest."""
    return sorted(slots, key=lambda slot: (slot.importance, slot.written_at, slot.key))


def kept(slots: Iterable[Slot], *, now: datetime, policy: Policy) -> tuple[list[Slot], list[Slot]]:
    """(stay, go): the live slots within the capacity, and everything else."""
    every = list(slots)
    alive = live(every, now)
    over = max(0, len(alive) - policy.integer("slots.capacity"))
    gone = {slot.key for slot in eviction_order(alive)[:over]} | {
        slot.key for slot in every if slot.expires_at <= now
    }
    return [s for s in alive if s.key not in gone], [s for s in every if s.key in gone]


def promoted(slots: Iterable[Slot], policy: Policy) -> list[Slot]:
    """The topics that came up in enough sessions to become long-term memories."""
    return [slot for slot in slots if slot.sessions >= policy.integer("slots.promote_after")]


_LABEL = {
    "zh": {SlotKind.ENTITY: "提到", SlotKind.TASK: "正在", SlotKind.CONCLUSION: "结论"},
    "en": {SlotKind.ENTITY: "About", SlotKind.TASK: "Doing", SlotKind.CONCLUSION: "Found"},
}


def render(
    slots: Iterable[Slot],
    *,
    now: datetime,
    policy: Policy,
    count_tokens: Callable[[str], int],
    language: str = "en",
) -> str:
    """One summary within `slots.render_tokens` tokens: most important and newest first, each whole or not at all."""
    budget = policy.integer("slots.render_tokens")
    labels = _LABEL["zh" if language == "zh" else "en"]
    ranked = sorted(
        live(slots, now), key=lambda slot: (-slot.importance, -slot.written_at.timestamp(), slot.key)
    )
    chosen: list[Slot] = []
    summary = ""
    for slot in ranked:
        attempt = _joined([*chosen, slot], labels, language)
        if count_tokens(attempt) <= budget:
            chosen.append(slot)
            summary = attempt
    return summary


def _joined(slots: Sequence[Slot], labels: dict[SlotKind, str], language: str) -> str:
    comma, stop = ("、", "。") if language == "zh" else ("; ", ". ")
    colon = "：" if language == "zh" else ": "
    parts = []
    for kind in SlotKind:
        words = [slot.text for slot in slots if slot.kind is kind]
        if words:
            parts.append(labels[kind] + colon + comma.join(words))
    return stop.join(parts)
