"""What is said for a while only: "这次聊天里…", "for this conversation", "接下来三轮", "for the next three replies" (R14)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.sentences import Clause
from memories.core.text.sentences import sentences
from memories.core.values.numerals import en_number, zh_number

MAX_TURNS = 200
"""More turns than this are no while but for ever; the words are then left as they are."""

_ZH_CHAT = r"(?:聊天|对话|会话|谈话|交谈)"
_ZH_SESSION = re.compile(
    rf"(?:仅限?|只|就)?(?:在|限于?)?(?:这|本|当前|此)(?:一)?(?:次|场|个|段|轮)?(?:的)?{_ZH_CHAT}(?:里面?|中|内|期间|过程中|结束(?:之?前|以前))(?:先|暂时|都)?"
    rf"|(?:这|本|此)(?:一)?(?:次|场|个|段|轮){_ZH_CHAT}(?:先|暂时|都|就)?(?=[，,：:]|请|叫|称呼|用|只|不要|别|不用|必须|务必|我们|咱们|你)"
    rf"|(?:直到|到)(?:这|本)(?:次|场|个|段){_ZH_CHAT}(?:结束|完)(?:为止)?"
)
_ZH_TURNS = re.compile(
    r"(?:在)?(?:接下来|接着|往后|后面|下面|之后|随后|未来)的?(?P<n>\d{1,3}|[一二两三四五六七八九十百]{1,4})(?:个|次)?(?:轮|回合|条|句|次)(?:的)?"
    rf"(?:{_ZH_CHAT}|消息|回答|回复|答复|提问|问答|话)?(?:里面?|中|内|之内)?(?:先|暂时|都)?"
)
_EN_SESSION = re.compile(
    r"(?:\b(?:just|only)\s+)?\b(?:for|in|during|within|throughout)\s+(?:the\s+rest\s+of\s+|the\s+duration\s+of\s+)?(?:this|our|the\s+current|the\s+present)\s+(?:conversation|chat|session|discussion)(?:\s+only)?\b"
    r"|\b(?:until|till)\s+(?:this\s+(?:conversation|chat|session)\s+(?:ends|is\s+over)|the\s+end\s+of\s+(?:this|our)\s+(?:conversation|chat|session))\b"
    r"|\bas\s+long\s+as\s+(?:this|our)\s+(?:conversation|chat|session)\s+lasts\b",
    re.IGNORECASE,
)
_EN_TURNS = re.compile(
    r"(?:\b(?:just|only)\s+)?\b(?:for|in|during|over)\s+(?:the|my|your|our)\s+(?:next|following|coming)\s+(?P<n>\d{1,3}|[a-z]+(?:[- ][a-z]+)?)\s+"
    r"(?:turns?|rounds?|messages?|replies|reply|answers?|responses?|questions?|exchanges?)\b",
    re.IGNORECASE,
)
# The words of a story about this chat lay nothing down ("in this chat you said ...").
_TELLS = re.compile(
    r"\s*[，,]?\s*(?:你|我)(?:刚才|之前|前面)?(?:说|提|讲|问|聊)(?:过|到|了)|\s*,?\s*(?:you|i|we)\s+(?:said|told|mentioned|talked|discussed|asked)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Passing:
    """text[start:end] says how long a statement holds: `turns` more rounds, or, with None, until the session ends."""

    start: int
    end: int
    turns: int | None


def passing_spans(text: str) -> list[Passing]:
    """The places of a text that say for which while something holds, in order, without overlap."""
    found: list[Passing] = []
    for pattern, counted in (
        (_ZH_TURNS, True),
        (_EN_TURNS, True),
        (_ZH_SESSION, False),
        (_EN_SESSION, False),
    ):
        for match in pattern.finditer(text):
            turns = _number(match["n"]) if counted else None
            if (counted and turns is None) or _TELLS.match(text, match.end()):
                continue
            if all(match.end() <= one.start or match.start() >= one.end for one in found):
                found.append(Passing(match.start(), match.end(), turns))
    return sorted(found, key=lambda one: one.start)


def blanked(text: str, spans: Sequence[Passing]) -> str:
    """The text, as long as before, with these words as spaces: what holds for a while is read like what holds for good."""
    for span in spans:
        text = f"{text[: span.start]}{' ' * (span.end - span.start)}{text[span.end :]}"
    return text


def names_a_while(clauses: Sequence[Clause], spans: Sequence[Passing]) -> bool:
    """Whether one of the places stands in, or right beside, the sentence of these clauses."""
    start = clauses[0].sentence_start
    end = start + len(clauses[0].sentence)
    return any(span.start <= end + 1 and span.end >= start - 3 for span in spans)


def with_end(candidates: Sequence[Candidate], text: str, spans: Sequence[Passing]) -> list[Candidate]:
    """The candidates of a blanked text; those whose sentence holds for a while only say so.

    `text` is the turn as it was said: the quote is taken from it.
    """
    if not spans:
        return list(candidates)
    bounds = sentences(text)
    return [_ended(candidate, text, spans, bounds) for candidate in candidates]


def _ended(
    candidate: Candidate, text: str, spans: Sequence[Passing], bounds: Sequence[tuple[int, int]]
) -> Candidate:
    low, high = next(
        ((low, high) for low, high in bounds if low <= candidate.start < high),
        (candidate.start, candidate.end),
    )
    mine = [span for span in spans if low <= span.start < max(high, candidate.end)]
    if not mine:
        return candidate
    start = candidate.start
    while start < candidate.end and text[start] in " ,，、:：;；":
        start += 1
    # "Call me Ann for today": the words that say how long stand behind what was read, and belong to it.
    end = max(
        (span.end for span in mine if not text[candidate.end : span.start].strip()), default=candidate.end
    )
    end = max(end, candidate.end)
    turns = min((span.turns for span in mine if span.turns is not None), default=None)
    return replace(
        candidate,
        content=re.sub(r"[ \t]{2,}", " ", candidate.content).strip(),
        quote=text[start:end],
        start=start,
        end=end,
        expires_after_turns=turns,
        expires_with_session=turns is None,
    )


def _number(words: str) -> int | None:
    """1 to MAX_TURNS, or None for what is no such number."""
    if words.isdecimal():
        number: float | None = float(words)
    else:
        number = en_number(words) if words.isascii() else zh_number(words)
    return int(number) if number is not None and 1 <= number <= MAX_TURNS else None
