"""What somebody takes along from elsewhere: kept, learnt from, the same once or twice, and screened as if it were said here."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memories.models import Memory
from memories.ports import FixedClock
from memories.services.jobs import run_due
from memories.services.policies import forget_cached, set_policy
from memories.services.transfer.take_in import Report
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound
from sessions_app.models import ChatSession, Turn
from sessions_app.services.import_foreign import import_foreign
from tests.support.people import House

pytestmark = pytest.mark.django_db


def chat(clock: FixedClock) -> str:
    at = clock.now() - timedelta(days=30)
    said = [("user", "I live in Hangzhou."), ("assistant", "Good to know."), ("user", "My phone number is 13800138000."),
            ("user", "I moved to Shanghai."), ("user", "Thanks!")]  # fmt: skip
    rows = [
        {"role": role, "content": text, "created_at": (at + timedelta(minutes=n)).isoformat()}
        for n, (role, text) in enumerate(said)
    ]
    return json.dumps([{"id": "c1", "title": "Moving", "messages": rows}])


def taken(house: House, text: str, **options: bool) -> Report:
    report = import_foreign(actor=house.actor(), subject_id=house.subjects["user"], text=text, **options)
    run_due(house.id)
    return report


def contents(house: House) -> list[str]:
    with tenant_transaction(house.id):
        rows = Memory.objects.of(house.subjects["user"]).current().order_by("said_at")
        return [row.content for row in rows]


def test_a_conversation_is_learnt_from_as_it_was_said(acme: House, clock: FixedClock) -> None:
    assert taken(acme, chat(clock)).counts == {"conversations": 1, "turns": 5}
    with tenant_transaction(acme.id):
        session = ChatSession.objects.get()
        assert (session.title, session.state) == ("Moving", "ended")
        [home] = Memory.objects.of(acme.subjects["user"]).current().filter(content__contains="Shanghai")
        assert clock.now() - home.said_at > timedelta(days=29)
        assert Memory.objects.filter(content__contains="Hangzhou", status="superseded").exists()
        before = Turn.objects.count(), Memory.objects.count()
    assert taken(acme, chat(clock)).counts == {"conversations": 1, "known": 5}
    with tenant_transaction(acme.id):
        assert (Turn.objects.count(), Memory.objects.count()) == before


def test_a_dry_run_stores_nothing_and_tells_what_would_be_and_why_not(acme: House, clock: FixedClock) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"pii.action.phone": "block"})
    forget_cached()
    kept = json.dumps(
        {"results": [{"memory": "Likes green tea"}, {"memory": ""}, {"memory": "Ring 13900139000"}]}
    )
    for text in (kept, chat(clock)):
        report = taken(acme, text, dry_run=True)
        assert report.counts["stored"] >= 1 and report.counts["blocked_sensitive"] == 1
        assert any(code == "blocked_sensitive" for _, code, _ in report.told)
    assert contents(acme) == []
    with tenant_transaction(acme.id):
        assert not ChatSession.objects.exists()
    report = taken(acme, kept)
    assert report.counts == {"stored": 1, "invalid": 1, "blocked_sensitive": 1}
    assert contents(acme) == ["Likes green tea"]
    assert taken(acme, kept).counts == {"duplicate": 1, "invalid": 1, "blocked_sensitive": 1}


def test_nobody_takes_in_for_another_and_what_is_not_understood_changes_nothing(
    acme: House, globex: House
) -> None:
    for actor in (acme.actor("other"), globex.actor("admin")):
        with pytest.raises(NotFound):
            import_foreign(actor=actor, subject_id=acme.subjects["user"], text="- likes tea")
    with pytest.raises(Invalid) as problem:
        taken(acme, '[{"memory": "likes tea"}, {"poem": 1}]')
    assert "entry 2" in problem.value.fields["file"]
    assert contents(acme) == []


def test_the_command_tells_counts_and_one_line_for_what_goes_wrong(acme: House, tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_text("- likes tea\n- lives in Leeds\n", encoding="utf-8")
    out = StringIO()
    call_command("import_chats", str(path), tenant="acme", subject="alex@x.example", stdout=out)
    assert json.loads(out.getvalue()) == {"dry_run": False, "stored": 2}
    path.write_bytes(b"\xff")
    for arguments in ([str(path)], [str(tmp_path / "none")]):
        with pytest.raises(CommandError) as problem:
            call_command("import_chats", *arguments, tenant="acme", subject="alex@x.example")
        assert "\n" not in str(problem.value)
