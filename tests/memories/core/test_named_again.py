"""Whoever was named with a relation and is then called by the bare name is named once in what is kept, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction.engine import extract

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def contents(text: str) -> list[tuple[str, str]]:
    return [(one.subject, one.content) for one in extract(text, role="user", speaker="", said_at=AT, tz=UTC)]


@pytest.mark.parametrize(
    ("text", "key", "content"),
    [
        ("My boss Ann lives in Porto. Ann plays chess.", "user:boss:Ann", "My boss Ann plays chess"),
        ("My sister Eva works at Nokia. Eva likes tea.", "user:sister:Eva", "My sister Eva likes tea"),
        ("My boss Ann lives in Porto. She plays chess.", "user:boss:Ann", "My boss Ann plays chess"),
        ("我同事王芳住在苏州。王芳喜欢喝茶。", "user:colleague:王芳", "我同事王芳喜欢喝茶"),
        ("我哥哥赵磊在银行上班。赵磊喜欢爬山。", "user:brother:赵磊", "我哥哥赵磊喜欢爬山"),
    ],
)
def test_the_bare_name_takes_no_second_one_in_front(text: str, key: str, content: str) -> None:
    subject, found = contents(text)[-1]
    assert found == content
    assert subject.endswith(key.rpartition(":")[2])
