"""The benchmark runs at a tiny size, its figures are well-formed, and what it compares is what it says it compares."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from memories.adapters import factory
from memories.benchmark import binary
from memories.benchmark.measure import Timing, interleaved, ratio, shared_of
from memories.benchmark.spread import shares
from memories.benchmark.texts import questions, statements
from memories.benchmark.vectors import mixed
from memories.management.commands import bench
from tests.memories.services.conftest import WordEmbedder


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: Any) -> dict[str, Any]:
    monkeypatch.setattr(bench, "disk_cached_embedder", lambda _: WordEmbedder())
    file = tmp_path / "bench.json"
    with django_db_blocker.unblock():
        call_command(
            "bench", "--items=20,60", "--store=600", "--rounds=5", "--rows=40", f"--json={file}", verbosity=0
        )
    result: dict[str, Any] = json.loads(file.read_text())
    return result


@pytest.mark.slow
def test_every_case_gives_finite_figures_beside_a_floor(report: dict[str, Any]) -> None:
    cases = {line["case"].split(",")[0] for line in report["lines"]}
    assert cases == {"recall", "remember", "import", "sweep", "admin", "context", "compaction"}
    for line in report["lines"]:
        numbers = {name: value for name, value in line.items() if not isinstance(value, str)}
        assert numbers, line
        assert all(math.isfinite(value) and value >= 0 for value in numbers.values()), line
        assert line["floor"], line
    recalls = [line for line in report["lines"] if line["case"] == "recall"]
    assert [line["over"].split(" of ")[0] for line in recalls] == ["20", "60"]
    for line in recalls:
        assert line["p50"] <= line["p95"] <= line["p99"]
        assert line["ratio_p50"] == pytest.approx(line["p50"] / line["floor_p50"], rel=0.05)
        assert line["recall_at_10"] == 1.0  # So few are searched exactly.
    [swept] = [line for line in report["lines"] if line["case"] == "sweep"]
    assert 0 < swept["taken"] < 40
    assert all(size > 0 for size in report["info"]["disk_mb.580"].values())


def test_memories_are_spread_over_tenants_of_which_one_has_a_fifth() -> None:
    for total in (10_000, 1_000_000):
        found = shares(total, 50)
        assert (len(found), sum(found)) == (50, total)
        assert found[0] == pytest.approx(total / 5, rel=0.02) and found == sorted(found, reverse=True)
        assert found[-1] > 0


@pytest.mark.slow
def test_the_operators_pages_are_measured_in_many_tenants_beside_a_smaller_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: Any
) -> None:
    monkeypatch.setattr(bench, "disk_cached_embedder", lambda _: WordEmbedder())
    monkeypatch.setattr(bench, "GROWTH", (600,))
    file = tmp_path / "bench.json"
    with django_db_blocker.unblock():
        call_command("bench", "admin", "--tenants=5", "--store=2000", "--rounds=5", f"--json={file}")
    lines = json.loads(file.read_text())["lines"]
    pages = {line["case"] for line in lines}
    assert {"admin, home, largest tenant", "admin, redactions, smallest tenant"} <= pages
    assert {line["over"] for line in lines} == {"600", "2,000"} and len(lines) == 2 * len(pages)
    small, large = (
        {line["case"]: line for line in lines if line["over"] == over} for over in ("600", "2,000")
    )
    for page in pages:
        assert small[page]["times_first"] == 1
        assert large[page]["times_first"] == pytest.approx(large[page]["p50"] / small[page]["p50"], rel=0.02)
        # A second one where something waits, or is there to be judged, that was not in the smaller store.
        assert large[page]["statements"] <= small[page]["statements"] + 2, page


def test_contenders_are_called_equally_often_and_by_turns() -> None:
    calls: list[str] = []
    timings = interleaved(
        {"one": lambda _: calls.append("one"), "two": lambda _: calls.append("two")}, 4, warm=1
    )
    assert len(timings["one"].milliseconds) == len(timings["two"].milliseconds) == 4
    assert [set(calls[at : at + 2]) for at in range(0, len(calls), 2)] == [{"one", "two"}] * 5
    assert calls[:4] != ["one", "two", "one", "two"], "the same one would always meet a cold cache"


def test_a_ratio_is_of_the_same_percentile() -> None:
    slow, fast = Timing((2.0, 4.0, 40.0)), Timing((1.0, 2.0, 4.0))
    assert ratio(slow, fast, 50) == 2.0
    assert ratio(slow, fast, 100) == 10.0


def test_recall_counts_what_of_the_exact_list_was_found_whatever_else_was() -> None:
    assert shared_of([[1, 2, 9, 8]], [[1, 2, 3, 4]]) == 0.5
    assert shared_of([[], [7]], [[1], [7]]) == 0.5


def test_texts_and_vectors_come_again_with_their_seed() -> None:
    assert statements(6, 3) == statements(6, 3) != statements(6, 4)
    assert len(set(questions(8, 1))) > 4
    bases = np.eye(4, 8, dtype=np.float32)
    one, two = (mixed(bases, np.arange(20), np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(one, two)
    assert np.allclose(np.linalg.norm(one, axis=1), 1, atol=1e-5)


def test_ids_are_version_seven_and_in_order() -> None:
    import uuid

    made = [uuid.UUID(bytes=bytes(one)) for one in binary.ids(50, np.random.default_rng(1)).tolist()]
    assert {(one.version, one.variant) for one in made} == {(7, uuid.RFC_4122)}
    times = [one.int >> 80 for one in made]
    assert times == sorted(times)
    assert len(set(made)) == 50


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "no such case"),
        (["recall", "--items=many"], "whole numbers"),
        (["recall", "--items=1"], "2 and more"),
        (["recall", "--items=500", "--store=100"], "smaller than"),
        (["recall", "--tenants=50"], "admin alone"),
    ],
)
def test_what_cannot_be_measured_is_said(arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("bench", *arguments)


def test_the_embedder_is_left_as_it_was() -> None:
    assert not isinstance(factory._parts.get("embedder"), WordEmbedder)
