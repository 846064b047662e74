"""The suite `updates` on a set of our own, and what its scores mean."""

from __future__ import annotations

import pytest

from memories.evaluation.datasets import Question
from memories.evaluation.suites import CannotMeasure, SuiteOptions
from sessions_app.evaluation.updates import run, scores
from tests.sessions_app.evaluation.conftest import Folder

SAID = [
    ("t0", "1", "2024-05-06T09:00", "我妹妹的办公室在三楼。"),
    ("t1", "1", "2024-05-06T09:01", "今天有点困"),
    ("t2", "1", "2024-05-06T09:02", "晚上想吃面"),
    ("u0", "2", "2024-05-07T09:00", "我妹妹的办公室换到九楼了。"),
]


def question(**fields: object) -> Question:
    return Question("q", "?", "update", (frozenset({"new"}),), stale=frozenset({"old"}), **fields)  # type: ignore[arg-type]


def test_scores_tell_first_from_later_and_old_from_new() -> None:
    good = scores(["new", "a", "b"], question())
    assert (good["fresh@1"], good["stale@5"], good["fresh_before_stale"], good["R@10"]) == (1, 0, 1, 1)
    both = scores(["a", "new", "old"], question())
    assert (both["fresh@1"], both["stale@5"], both["fresh_before_stale"]) == (0, 1, 1)
    bad = scores(["old", "new"], question())
    assert (bad["fresh@1"], bad["stale@5"], bad["fresh_before_stale"]) == (0, 1, 0)
    late = scores(["new", "a", "b", "c", "d", "old"], question())
    assert late["stale@5"] == 0
    assert scores([], question()) == {"fresh@1": 0, "R@10": 0, "stale@5": 0, "fresh_before_stale": 0}


def test_a_question_without_a_known_turn_is_left_out_of_what_needs_it() -> None:
    unknown = scores(["a"], Question("q", "?", "update", (), stale=frozenset({"a"})))
    assert unknown == {"fresh@1": 0, "stale@5": 1}
    assert set(scores(["a"], Question("q", "?", "update", (frozenset({"a"}),)))) == {"fresh@1", "R@10"}


@pytest.mark.django_db
def test_the_suite_measures_the_pipeline_beside_plain_search(folder: Folder) -> None:
    asked = {"question": "我妹妹的办公室在几楼?", "category": "update", "evidence": ["u0"], "stale": ["t0"]}
    folder.conversation("update_synth_zh", SAID, [asked, {**asked, "category": "reaffirm"}])
    result = run(SuiteOptions(data=folder.path))
    assert result.metrics["update_synth_zh.R@10"] == 100.0
    assert {"update_synth_zh.fresh@1", "update_synth_zh.stale@5", "update_synth_zh.fresh@1.dense"} <= set(
        result.metrics
    )
    info = result.info["update_synth_zh.updates"]
    assert (info["questions"], info["conversations"]) == (1, 1)
    assert result.info["update_synth_zh.updates.failed_jobs"] == 0
    # Plain search cannot know what was replaced: among four turns the old one is always among the first five.
    assert result.metrics["update_synth_zh.stale@5.dense"] == 100.0
    failed = result.metrics["update_synth_zh.fresh@1"] < 100 or result.metrics["update_synth_zh.stale@5"] > 0
    assert bool(result.failures) is failed


@pytest.mark.django_db
def test_other_splits_are_read_and_a_set_without_updates_cannot_be_measured(folder: Folder) -> None:
    asked = {"question": "几楼?", "category": "reaffirm", "evidence": ["u0"]}
    folder.conversation("update_synth_zh", SAID, [asked])
    with pytest.raises(CannotMeasure, match="no question about an update"):
        run(SuiteOptions(data=folder.path))
    with pytest.raises(CannotMeasure, match="holds none of"):
        run(SuiteOptions(data=folder.path, split="test"))
