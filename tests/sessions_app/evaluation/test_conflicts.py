"""The suite `conflicts`: pairs are judged by what the pipeline says of the second statement."""

from __future__ import annotations

import pytest

from memories.evaluation.suites import SuiteOptions
from sessions_app.evaluation.conflicts import dialogues, run, statements
from tests.sessions_app.evaluation.conftest import Folder

PAIRS = [
    {"old": "我住在杭州。", "new": "我搬到上海了,现在住在上海。", "conflict": 1},
    {"old": "我住在杭州。", "new": "我喜欢喝乌龙茶。", "conflict": 0},
    {"old": "我住在杭州。", "new": "我还是住在杭州。", "conflict": 0},
]


@pytest.mark.django_db
def test_pairs_are_told_apart_each_with_a_subject_of_its_own(folder: Folder) -> None:
    folder.write("update_synth_zh", "dev.pairs", PAIRS)
    folder.conversation("update_synth_zh", [("t0", "1", "2024-05-06T09:00", "你好")], [])
    result = run(SuiteOptions(data=folder.path))
    assert result.metrics["update_synth_zh.conflict.f1"] == 100.0
    info = result.info["update_synth_zh.conflict.pairs"]
    assert (info["pairs"], info["found"], info["false_alarms"], info["missed"]) == (3, 1, 0, 0)
    assert not result.failures


@pytest.mark.django_db
def test_a_wrong_label_is_counted_and_told(folder: Folder) -> None:
    """The measure can fail: were a harmless pair a contradiction, it would be missed."""
    folder.write("update_synth_zh", "dev.pairs", [PAIRS[0], {**PAIRS[1], "conflict": 1}])
    folder.conversation("update_synth_zh", [("t0", "1", "2024-05-06T09:00", "你好")], [])
    result = run(SuiteOptions(data=folder.path))
    assert result.metrics["update_synth_zh.conflict.f1"] == pytest.approx(66.67)
    assert [row["said"][1] for row in result.failures] == [PAIRS[1]["new"]]


@pytest.mark.django_db
def test_restatements_and_both_sides_are_measured_in_their_conversation(folder: Folder) -> None:
    said = [
        ("t0", "1", "2024-05-06T09:00", "我住在杭州。"),
        ("t1", "1", "2024-05-06T09:01", "我姐姐的生日是五月三号。"),
        ("t2", "1", "2024-05-06T09:02", "我姐姐的生日是六月九号。"),
        ("t3", "2", "2024-05-07T09:01", "我还是住在杭州,没变。"),
    ]
    asked = [
        {
            "question": "我住在哪里?",
            "category": "reaffirm",
            "evidence": ["t3"],
            "evidence_alt": {"t3": ["t0"]},
        },
        {
            "question": "我姐姐的生日是哪天?",
            "category": "contradiction",
            "evidence": ["t2", "t1"],
            "pair": [["t2"], ["t1"]],
        },
    ]
    folder.conversation("update_synth_zh", said, asked)
    result = run(SuiteOptions(data=folder.path))
    assert result.metrics["update_synth_zh.reaffirm.flagged"] == 0.0
    assert result.metrics["update_synth_zh.conflict.both@10"] == 100.0
    assert result.metrics["update_synth_zh.conflict.both@10.dense"] == 100.0


def test_a_dialogue_is_two_people_and_the_second_is_the_user() -> None:
    [pair] = dialogues([{"ctx": ["a", "b", "c", "d"], "label": "contradiction"}])
    assert [turn.role for turn in pair.turns] == ["user"] * 4
    assert [bool(turn.name) for turn in pair.turns] == [True, False, True, False]
    assert pair.conflict
    [other] = statements([{"old": "x", "new": "y", "conflict": 0}])
    assert [turn.text for turn in other.turns] == ["x", "y"]
    assert not other.conflict
