"""The question at the end of a long message; a message that asks as a whole has none."""

from __future__ import annotations

import pytest

from memories.core.questions.focus import focus


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (
            "What a week. The neighbours are painting the fence. When does the plumber come to the cellar?",
            "When does the plumber come to the cellar?",
        ),
        ("今天风真大。院子里的落叶扫不完。上次说的水管工几点到地下室？", "上次说的水管工几点到地下室？"),
    ],
)
def test_the_last_sentence_asks(message: str, asked: str) -> None:
    assert focus(message) == asked


@pytest.mark.parametrize(
    "message",
    [
        "",
        "When does the plumber come?",
        "The fence is new. When does the plumber come to the cellar?",
        "What a week. When does the plumber come? The cellar is wet.",
        "The fence is new. The cellar is wet. What do you think?",
        "围栏是新的。地下室很潮。你怎么看？",
        "那个写着“先关水阀。再开门。等水管工。”的便条放在什么地方？",
    ],
)
def test_a_message_that_asks_as_a_whole_has_no_focus(message: str) -> None:
    assert focus(message) == ""
