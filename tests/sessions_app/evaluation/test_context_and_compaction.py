"""The suites `context` and `compaction` count evidence where its words stand, and only there."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.text.tokens import count
from memories.evaluation.datasets import Question, SaidTurn
from memories.evaluation.suites import CannotMeasure, SuiteOptions
from sessions_app.evaluation import compaction, context
from sessions_app.evaluation.evidence import share_standing, stands
from tests.sessions_app.evaluation.conftest import Folder

SAID = [
    ("t0", "1", "2024-05-06T09:00", "我把备用钥匙交给了楼下的魏姐。"),
    ("t1", "1", "2024-05-06T09:01", "今天的天气真不错。"),
    ("t2", "2", "2024-05-07T09:00", "早上跑了一会儿步。"),
    ("t3", "2", "2024-05-07T09:01", "合同编号是 QF-2093。"),
]
ASKED = [
    {"question": "备用钥匙在谁那里？", "answer": "魏姐", "evidence": ["t0"], "category": "simple"},
    {"question": "合同编号是多少？", "answer": "QF-2093", "evidence": ["t3"], "category": "simple"},
]
TURN = "Marta sold the blue kayak to her neighbour Olin for ninety crowns."


@pytest.mark.parametrize(
    ("answer", "text", "found"),
    [
        ("", "Marta sold the kayak, the blue one, to neighbour Olin; ninety crowns.", True),
        ("", "Marta has a neighbour called Olin.", False),
        ("ninety crowns", "She got ninety crowns.", True),
        ("a canoe", "She had a canoe.", False),
        ("nine", "There were nine of them.", False),
        ("", "", False),
    ],
)
def test_evidence_stands_by_its_answer_or_by_most_of_its_words(answer: str, text: str, found: bool) -> None:
    assert stands(TURN, answer, text) is found


def test_any_turn_of_a_group_counts_and_groups_count_alike() -> None:
    turns = {"a": "The red door squeaks.", "b": "That red door squeaks loudly.", "c": "Olin fixed the fence."}
    question = Question("q", "?", "simple", (frozenset({"a", "b"}), frozenset({"c"})))
    assert share_standing(question, turns, dict.fromkeys(turns, "The red door squeaks.")) == 0.5
    texts = {"a": "", "b": "red door squeaks loudly", "c": "Olin fixed a fence"}
    assert share_standing(question, turns, texts) == 1.0


@pytest.mark.django_db
def test_a_context_holds_what_was_said_long_before_the_window(folder: Folder) -> None:
    small_talk = [
        (f"x{at}", "3", "2024-05-08T09:00", f"第{at}天照常上班，没什么特别的事。" * 3) for at in range(90)
    ]
    folder.conversation("memdaily_pool_zh", [*SAID, *small_talk], ASKED)
    result = context.run(SuiteOptions(data=folder.path))
    assert result.metrics["context.memdaily_pool_zh"] == 100.0
    assert result.metrics["context.memdaily_pool_zh.window"] == 0.0
    assert result.metrics["context.memdaily_pool_zh.tokens"] <= context.BUDGET
    assert result.info["context.memdaily_pool_zh.questions"] == 2
    assert result.failures == []


def test_plain_packing_stops_at_the_budget() -> None:
    text, tokens = context.plain("Who?", ["one two three"] * 100, budget=100)
    assert 80 < tokens <= 100
    assert text.splitlines() == ["one two three"] * len(text.splitlines())


@pytest.mark.django_db
def test_compaction_is_scored_in_the_digest_of_the_turns_own_span(folder: Folder) -> None:
    folder.conversation("memdaily_pool_zh", SAID, ASKED)
    result = compaction.run(SuiteOptions(data=folder.path))
    assert result.metrics["compaction.memdaily_pool_zh"] == 100.0
    assert result.metrics["compaction.memdaily_pool_zh.held"] >= 50.0
    assert result.metrics["compaction.memdaily_pool_zh.lead.tokens"] <= 0.25
    assert all(row["suite"] == "compaction" and row["digests"] for row in result.failures)


def test_a_span_is_a_part_of_one_session_within_the_window() -> None:
    at = datetime(2024, 5, 6, tzinfo=UTC)
    turns = [
        SaidTurn(str(n), "1" if n < 5 else "2", at, "user", f"Walk number {n} was fine.") for n in range(8)
    ]
    most = 2 * count(turns[0].text)
    parts = [[turn.id for turn in part] for part in compaction.spans(turns, most)]
    assert parts == [["0", "1"], ["2", "3"], ["4"], ["5", "6"], ["7"]]


def test_a_set_that_is_asked_for_must_be_there(folder: Folder) -> None:
    for suite in (context, compaction):
        with pytest.raises(CannotMeasure, match="locomo"):
            suite.run(SuiteOptions(data=folder.path, sets=("locomo",)))
