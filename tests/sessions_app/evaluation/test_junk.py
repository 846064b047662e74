"""The suite `junk` counts what became of turns, and writes a sample with its sources only where it may."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memories.evaluation.report import PROJECT
from memories.evaluation.suites import CannotMeasure, SuiteOptions
from sessions_app.evaluation.junk import run
from tests.sessions_app.evaluation.conftest import Folder

SAID = [
    ("t0", "1", "2024-05-06T09:00", "哈哈"),
    ("t1", "1", "2024-05-06T09:01", "我叫周远,我住在杭州。"),
    ("t2", "1", "2024-05-06T09:02", "嗯嗯,好的"),
    ("t3", "1", "2024-05-06T09:03", "我喜欢喝乌龙茶。"),
]


@pytest.mark.django_db
def test_turns_that_led_to_a_memory_are_counted_by_kind_and_rule(folder: Folder, tmp_path: Path) -> None:
    folder.conversation("memdaily_pool_zh", SAID, [])
    file = tmp_path / "out" / "sample.jsonl"
    result = run(SuiteOptions(data=folder.path, sample=2, sample_file=file))
    info = result.info["junk.memdaily_pool_zh"]
    assert (info["turns"], info["turns_kept"]) == (4, 2)
    assert result.metrics["junk.memdaily_pool_zh.turns_kept"] == 50.0
    assert sum(info["by_kind"].values()) == sum(info["by_rule"].values()) == info["memories"] >= 2
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["number"] for row in rows] == [1, 2]
    texts = {text for _, _, _, text in SAID}
    for row in rows:
        [source] = [turn for turn in row["sources"] if turn["source"]]
        assert source["text"] in texts
        assert row["text"]


@pytest.mark.django_db
def test_the_same_seed_draws_the_same_sample(folder: Folder, tmp_path: Path) -> None:
    folder.conversation("memdaily_pool_zh", SAID, [])
    drawn = []
    for name in ("a", "b"):
        file = tmp_path / name
        run(SuiteOptions(data=folder.path, sample=2, sample_file=file, seed=5))
        drawn.append([json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()])
    assert drawn[0] == drawn[1]


@pytest.mark.django_db
def test_texts_of_the_data_never_go_into_the_project(folder: Folder) -> None:
    folder.conversation("memdaily_pool_zh", SAID, [])
    inside = PROJECT / "docs" / "sample.jsonl"
    with pytest.raises(CannotMeasure, match="outside the project"):
        run(SuiteOptions(data=folder.path, sample=1, sample_file=inside))
    assert not inside.exists()
    with pytest.raises(CannotMeasure, match="--sample-file"):
        run(SuiteOptions(data=folder.path, sample=1))
