"""The suite `forgetting`: a leak is a forgotten turn, or its words in something that nothing else explains."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from accounts.actor import system_actor
from memories.evaluation.datasets import Question
from memories.evaluation.metrics import source_turns
from memories.evaluation.suites import SuiteOptions
from memories.services.recall import RecallItem
from sessions_app.evaluation.forgetting import leaks, run
from sessions_app.evaluation.posting import Answer, Posted
from tests.sessions_app.evaluation.conftest import Folder

TURNS = {name: uuid.uuid4() for name in ("old", "other", "request")}
TEXTS = {"old": "我的幸运数字是八百", "other": "门票要八百", "request": "忘掉我的幸运数字"}
ASKED = Question("q", "?", "forget", (), forgotten=frozenset({"old"}), request="request", old_answer="八百")


def item(text: str, *sources: str) -> RecallItem:
    return RecallItem(
        id=uuid.uuid4(),
        item_kind="memory",
        kind="fact",
        text=text,
        said_at=datetime(2024, 5, 6, tzinfo=UTC),
        speaker="",
        role="user",
        source="user",
        importance=0.5,
        pinned=False,
        strength=1.0,
        score=0.5,
        parts={},
        session_id=None,
        source_ids=[TURNS[name] for name in sources],
        contradicted=False,
        confidence=1.0,
    )


def judged(*items: RecallItem) -> tuple[bool, bool]:
    ids = {value: key for key, value in TURNS.items()}
    posted = Posted(system_actor(uuid.uuid4()), uuid.uuid4(), uuid.uuid4(), datetime.now(UTC), ids)
    return leaks(Answer(list(items), source_turns(items, ids)), posted, ASKED, TEXTS)


def test_a_forgotten_turn_leaks_whatever_its_words_are_now() -> None:
    assert judged(item("[forgotten]", "old")) == (True, False)


def test_the_old_value_leaks_without_its_turn() -> None:
    assert judged(item("幸运数字:八百")) == (False, True)
    assert judged(item("忘掉幸运数字八百", "request")) == (False, True)


def test_the_same_words_said_of_something_else_are_no_leak() -> None:
    assert judged(item("门票要八百", "other"), item("忘掉我的幸运数字", "request")) == (False, False)
    assert judged(item("[2024-05-06] 门票要八百。今天下雨。")) == (False, False)
    assert judged(item("[2024-05-06] 门票要八百。幸运数字是八百。")) == (False, True)
    assert judged() == (False, False)


def test_only_the_first_ten_count() -> None:
    fillers = [item(f"filler {at}", "other") for at in range(10)]
    assert judged(*fillers, item("幸运数字:八百")) == (False, False)


@pytest.mark.django_db
def test_the_suite_plays_the_conversation_with_and_without_the_requests(folder: Folder) -> None:
    said = [
        ("t0", "1", "2024-05-06T09:00", "我的幸运数字是八百。"),
        ("t1", "1", "2024-05-06T09:01", "我住在杭州。"),
        ("u0", "2", "2024-05-07T09:00", "把我的幸运数字忘掉吧。"),
    ]
    asked = [
        {
            "question": "我的幸运数字是什么?",
            "category": "forget",
            "evidence": [],
            "answerable": False,
            "forgotten": ["t0"],
            "request": "u0",
            "old_answer": "八百",
        },
        {"question": "我住在哪里?", "category": "reaffirm", "evidence": ["t1"]},
    ]
    folder.conversation("update_synth_zh", said, asked)
    options = SuiteOptions(data=folder.path)
    result = run(options)
    assert result.metrics["update_synth_zh.forget.leak@10"] in {0.0, 100.0}
    assert result.metrics["update_synth_zh.forget.leak@10.dense"] == 100.0
    assert result.metrics["update_synth_zh.others.R@10.without_requests"] == 100.0
    assert result.metrics["update_synth_zh.others.R@10.delta"] == 0.0
    left_out = sorted(len(posted.ids) for posted in options.shared.values())
    assert left_out == [2, 3]
