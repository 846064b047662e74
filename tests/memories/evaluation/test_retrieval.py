"""The retrieval suite from files to metrics, on a small set of our own, through the real services."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memories.adapters import factory
from memories.evaluation import report, retrieval
from memories.evaluation.ablation import COMPONENTS
from memories.evaluation.retrieval import run
from memories.evaluation.suites import SUITES, CannotMeasure, SuiteOptions, SuiteResult, register
from memories.management.commands import evaluate
from memories.services import embedding_space, policies
from memories.services.recall import recall
from memories.services.recall_result import RecallResult
from tests.memories.services.conftest import WordEmbedder

TURNS = [
    ("user", "下周三要去苏州参加陶艺展"),
    ("assistant", "好的,祝您旅途愉快"),
    ("user", "我把备用钥匙放在蓝色的花盆下面"),
    ("user", "the spare tyre is in the red shed"),
    ("assistant", "Noted."),
    ("user", "the beekeeper comes on Friday"),
]
QUESTIONS = [
    ("备用钥匙放在哪里", ["t2"], True),
    ("where is the spare tyre", ["t3"], True),
    ("什么时候去苏州的陶艺展", ["t0"], True),
    ("how much was the ransom", [], False),
]


@pytest.fixture(autouse=True)
def _words() -> Iterator[None]:
    embedding_space.forget_cached()
    policies.forget_cached()
    with factory.override(embedder=WordEmbedder()):
        yield
    embedding_space.forget_cached()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "memdaily_pool_zh"
    folder.mkdir()
    turns = [
        {
            "id": f"t{at}",
            "session": f"d{at // 3}",
            "time": "2024-05-02T10:00",
            "speaker": speaker,
            "text": text,
        }
        for at, (speaker, text) in enumerate(TURNS)
    ]
    (folder / "dev.conv.jsonl").write_text(json.dumps({"conv_id": "c", "turns": turns}))
    rows = [
        {
            "conv_id": "c",
            "qid": str(at),
            "question": text,
            "evidence": evidence,
            "answerable": answerable,
            "category": "x",
        }
        for at, (text, evidence, answerable) in enumerate(QUESTIONS)
    ]
    (folder / "dev.q.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return tmp_path


@pytest.mark.django_db
def test_the_suite_scores_recall_beside_the_baselines(data: Path) -> None:
    result = run(SuiteOptions(data=data))
    assert result.metrics["memdaily_pool_zh.R@10"] == 100.0
    assert result.metrics["memdaily_pool_zh.R@10.bm25"] == 100.0
    assert {"memdaily_pool_zh.all@10.rrf", "memdaily_pool_zh.nDCG@10.dense"} <= set(result.metrics)
    assert result.metrics["memdaily_pool_zh.abstention.auroc"] == 100.0
    assert result.info["memdaily_pool_zh.questions"] == 3


@pytest.mark.django_db
def test_each_component_is_left_out_in_turn_by_the_policy(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, float]] = []

    def spy(**given: Any) -> RecallResult:
        policy, _ = policies.policy_of(given["actor"].tenant_id)
        asked.append({key: policy.number(key) for off in COMPONENTS.values() for key in off})
        return recall(**given)

    monkeypatch.setattr(retrieval, "recall", spy)
    result = run(SuiteOptions(data=data, ablate=True))
    for component, off in COMPONENTS.items():
        assert {"R@10", "nDCG@10"} <= result.info[f"memdaily_pool_zh.earned.{component}"].keys()
        assert any(all(seen[key] == value for key, value in off.items()) for seen in asked), component
    assert {"bias", "whole"} <= result.info["abstention.fitted"].keys()
    assert result.info["memdaily_pool_zh.R@10.memoryhub.interval"] == [100.0, 100.0]
    assert result.metrics["memdaily_pool_zh.R@10.pgvector"] == 100.0


def test_a_folder_without_the_sets_cannot_be_measured(tmp_path: Path) -> None:
    with pytest.raises(CannotMeasure, match="holds none of"):
        run(SuiteOptions(data=tmp_path))
    with pytest.raises(CannotMeasure, match="--data"):
        run(SuiteOptions())


def test_the_command_refuses_a_suite_that_does_not_exist() -> None:
    with pytest.raises(CommandError, match="no such suite: typing"):
        call_command("evaluate", "typing")


def test_the_suites_of_both_apps_are_registered() -> None:
    assert {"retrieval", "retention"} <= set(SUITES)
    with pytest.raises(ValueError, match="already"):
        register("retrieval", lambda options: SuiteResult())


def test_json_holds_metrics_and_info_and_no_number_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "out" / "result.json"
    report.write_json(path, {"one": SuiteResult(metrics={"a.R@10": 50.0}, info={"n": 3})})
    assert json.loads(path.read_text()) == {"metrics": {"a.R@10": 50.0}, "info": {"n": 3}}
    with pytest.raises(CannotMeasure, match=r"a\.R@10"):
        report.write_json(path, {"one": SuiteResult(metrics={"a.R@10": float("nan")})})


def test_the_table_is_aligned() -> None:
    result = SuiteResult(columns=("ours", "bm25"), table=[("set.R@10", ("71.0", "5.5")), ("set", ("1.0",))])
    assert report.table("retrieval", result).splitlines() == [
        "retrieval  ours  bm25",
        "---------------------",
        "set.R@10   71.0   5.5",
        "set         1.0",
    ]


def test_the_command_keeps_what_was_measured_and_fails_for_what_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is not what this is about: the suites here need none."""

    def lacking(options: SuiteOptions) -> SuiteResult:
        raise CannotMeasure("its set is not there")

    monkeypatch.setattr(evaluate, "throw_away_database", nullcontext)
    monkeypatch.setitem(SUITES, "lacking", lacking)
    monkeypatch.setitem(SUITES, "there", lambda options: SuiteResult(metrics={"there.x": 1.0}))
    path = tmp_path / "result.json"
    with pytest.raises(CommandError, match="lacking: its set is not there"):
        call_command("evaluate", "lacking", "there", json=path)
    assert json.loads(path.read_text())["metrics"] == {"there.x": 1.0}
