"""When a statement holds, happens and stops being useful."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache

from memories.core.times.parsing import TimeSpan, is_recurring, parse_times

_STATE = re.compile(
    r"在(?:出差|休假|度假|请假|住院|外地|国外|家办公|加班|隔离|培训|开会)|出差|休假|不在(?:公司|家|办公室)|住(?:在)?酒店|没空|有空|忙|暂时|临时|先用|先住|借住"
    r"|\b(?:out of office|on (?:a )?(?:business trip|vacation|leave|holiday)|travell?ing|away|off work|working from home|busy|unavailable|available|sick|temporarily|for now|in town|staying (?:at|with|in))\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"仅限|只限|只在|只有|限于|\bonly\b|just (?:for )?(?:today|tonight|this)", re.IGNORECASE)
_UNTIL = re.compile(
    r"(?:直到|截至|截止到?|(?<![改迟期后前挪整延换搬移动定升降])到)\s*$|\b(?:until|till|through|thru|up to)\s*$",
    re.IGNORECASE,
)
_UNTIL_AFTER = re.compile(r"^\s*(?:为止|之前有效|前有效|到期|截止有效)")
_NEAR = 20
"""Characters beside a time in which a word bounds it."""


@dataclass(frozen=True, slots=True)
class Times:
    """The intervals of a text, whether it speaks of a habit, and when what it says runs out."""

    spans: tuple[TimeSpan, ...]
    recurring: bool
    expires_at: datetime | None

    @property
    def last_end(self) -> datetime | None:
        """The end of the last interval."""
        return max((span.end for span in self.spans), default=None)

    def outside(self, text: str, value: str | None) -> TimeSpan | None:
        """The first interval that is not a part of the value."""
        at = text.rfind(value) if value else -1
        for span in self.spans:
            if at < 0 or span.finish <= at or span.begin >= at + len(value or ""):
                return span
        return None


@lru_cache(maxsize=1024)
def read_times(text: str, said_at: datetime, tz: tzinfo) -> Times:
    """The times of a text said at `said_at`.

    `expires_at` is the end of the interval when the text says that something holds only then: "until Friday", "today only", or a
    passing state ("本周在出差"). A date alone does not make a statement temporary.
    """
    spans = tuple(parse_times(text, said_at, tz))
    expires: datetime | None = None
    only, passing = _ONLY.search(text) is not None, _STATE.search(text) is not None
    for span in spans:
        before = text[max(0, span.begin - _NEAR) : span.begin]
        after = text[span.finish : span.finish + _NEAR]
        until = (
            _UNTIL.search(before)
            or _UNTIL_AFTER.match(after)
            or re.match(r"(?:until|till)\b", span.span, re.IGNORECASE)
        )
        current = span.start <= said_at or only
        if span.end > said_at and (until or only or (passing and (current or span.start > said_at))):
            expires = span.end if expires is None else max(expires, span.end)
    return Times(spans, is_recurring(text), expires)
