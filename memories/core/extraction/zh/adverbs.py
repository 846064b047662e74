"""What stands between a Chinese noun phrase and its verb, and is no part of the phrase: when, how and by whom it is done."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import lookup
from memories.core.text.words import tagged

_LATELY = re.compile(
    r"(?<=..)(?:最新|刚刚?|终于|正式|临时|又|已经|现在|目前|如今|眼下|最近|近来|后来|突然|这次|一共|总共|大约|暂定|刚才|最后|从?(?:这|下|上|本)?个?(?:周|月|星期|礼拜|学期|年)(?:起|开始)|[昨前今]天|今早|[上这本下]个?(?:周|月|星期|礼拜|学期)|[去今]年|[年月]底|年初|[上中下]旬)被?$"
)
_MANNER = re.compile(
    r"(?:临时|主动|整体|统一|全部|麻烦|全体|集体|全员|已|被|又|刚|由于|也|就|都|双双|一律|这边|那边|每月|每天|每年)$"
)


def bare_head(head: str) -> str:
    """The noun phrase without the adverbs at its end: 公司 of "公司上个月整体", 助理 of "助理暂时"; at least two characters stay."""
    while True:
        late = _LATELY.search(head)
        if late is not None:
            head = head[: late.start()]
            continue
        words = tagged(head)
        word, tag = words[-1] if len(words) > 1 else ("", "")
        if not word or lookup(word) is not None:
            return head  # 截止|日期
        rest = head[: -len(word)]
        odd = tag in {"d", "ad", "t"} or _MANNER.fullmatch(word) is not None
        if not odd or len(rest) < 2 or rest[-1] in "的和与":
            return head
        head = rest
