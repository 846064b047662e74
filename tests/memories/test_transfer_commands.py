"""The two commands: a packed file there and back, a dry run, and one line for what goes wrong."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Tenant
from memories.services.remember import remember
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(acme: House, tmp_path: Path) -> Path:
    actor = acme.actor()
    for word in ("oboe", "kayak"):
        remember(
            actor=actor, subject_id=acme.subjects["user"], content=f"The {word} is in the attic", infer=False
        )
    path = tmp_path / "acme.jsonl.gz"
    call_command("export_memories", tenant="acme", out=str(path), stderr=StringIO())
    return path


def test_a_packed_file_there_and_back(file: Path) -> None:
    Tenant.objects.create(slug="fresh", name="Fresh")
    assert not file.with_name(file.name + ".part").exists()
    with gzip.open(file, "rt") as lines:
        assert json.loads(next(lines))["format"] == "memoryhub"
    for options, known in (({"dry_run": True}, "stored"), ({}, "stored"), ({}, "known")):
        out, told = StringIO(), StringIO()
        call_command("import_memories", str(file), tenant="fresh", stdout=out, stderr=told, **options)
        report = json.loads(out.getvalue())
        assert (report[known], report["complete"], report["dry_run"]) == (2, True, bool(options))


def test_what_goes_wrong_is_one_line(file: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl.gz"
    torn.write_bytes(file.read_bytes()[:-20])
    plain = tmp_path / "plain.jsonl"
    plain.write_bytes(b"\xff\xfe")
    other = tmp_path / "other.jsonl"
    other.write_text("{}\n")
    for arguments in (
        ["import_memories", str(torn), "--tenant", "acme"],
        ["import_memories", str(plain), "--tenant", "acme"],
        ["import_memories", str(other), "--tenant", "acme"],
        ["import_memories", str(tmp_path / "none.jsonl"), "--tenant", "acme"],
        ["import_memories", str(file), "--tenant", "nobody"],
        ["export_memories", "--tenant", "acme", "--subject", "nobody", "--out", str(tmp_path / "x")],
        ["export_memories", "--tenant", "acme", "--out", str(tmp_path / "none" / "x")],
    ):
        with pytest.raises(CommandError) as problem:
            call_command(*arguments, stdout=StringIO(), stderr=StringIO())
        assert "\n" not in str(problem.value) and len(str(problem.value)) > 10
