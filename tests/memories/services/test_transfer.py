"""Export and import: an exact round trip, what is forgotten stays so, and nothing of it crosses a tenant by itself."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest

from accounts.actor import Actor, system_actor
from accounts.models import AuditEntry, Subject, Tenant
from memories.core.transfer.ids import moved_into
from memories.models import Contradiction, Embedding, Memory, MemoryVersion
from memories.ports import FixedClock
from memories.services.edit import edit
from memories.services.forget_by_words import forget_by_words
from memories.services.jobs import run_due
from memories.services.merge_memories import merge_memories, unmerge
from memories.services.pin import pin
from memories.services.policies import forget_cached, set_policy
from memories.services.recall import recall
from memories.services.redact import redact
from memories.services.resolve import resolve
from memories.services.transfer import take_in
from memories.services.transfer.export import export_lines
from memories.services.transfer.take_in import Report, import_lines
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, NotFound, PermissionDenied
from tests.memories.services.helpers import current, keep, say
from tests.support.people import House

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


@pytest.fixture
def fresh(db: None) -> Tenant:
    """A tenant with nobody in it."""
    tenant: Tenant = Tenant.objects.create(slug="fresh", name="Fresh")
    return tenant


@pytest.fixture
def lived(acme: House, clock: FixedClock) -> House:
    """A store in which all of it happened: updates, confirmations, merges, contradictions of each end, pins and edits."""
    me, whose = acme.actor(), acme.subjects["user"]
    for text in (
        "I live in Hangzhou.",
        "我叫李雷，我在青岛工作。",
        "My sister Ann lives in Leeds.",
        "I have a cat named Tofu.",
    ):
        say(me, whose, text)
        clock.advance(minutes=5)
    say(me, whose, "I moved to Shanghai.")
    clock.advance(minutes=5)
    notes = [keep(me, whose, f"The {word} is in the attic", tags=["house"], metadata={"room": n}) for n, word in
             enumerate(("oboe", "kayak", "lamp"))]  # fmt: skip
    edit(actor=me, memory_id=notes[0].memory_id, content="The oboe is in the cellar")
    pin(actor=me, memory_id=notes[1].memory_id, pinned=True)
    merge_memories(actor=me, survivor_id=notes[1].memory_id, merged_ids=[notes[2].memory_id])
    keep(me, whose, "Never answer in tables", kind="constraint", key="tables")
    for at, resolution in enumerate(("keep_both", "keep_new", "")):
        older, newer = (keep(me, whose, f"Box {at} holds {what}") for what in ("nails", "screws"))
        with tenant_transaction(acme.id):
            row = Contradiction.objects.create(
                subject_id=whose, older_id=older.memory_id, newer_id=newer.memory_id, rule="test",
                opened_at=clock.now(),
            )  # fmt: skip
        if resolution:
            resolve(actor=me, contradiction_id=row.pk, resolution=resolution)
    keep(acme.actor("other"), acme.subjects["other"], "另一个人的便条：周五交报告")
    return acme


def of(tenant_id: uuid.UUID) -> Actor:
    return system_actor(tenant_id)


def exported(tenant_id: uuid.UUID, subject_id: uuid.UUID | None = None) -> list[str]:
    return list(export_lines(actor=of(tenant_id), subject_id=subject_id))


def taken(tenant_id: uuid.UUID, lines: list[str], **options: Any) -> Report:
    return import_lines(actor=of(tenant_id), source=lines, **options)


def test_what_is_exported_taken_in_elsewhere_and_exported_again_is_the_same_to_the_byte(
    lived: House, fresh: Tenant
) -> None:
    before = exported(lived.id)
    report = taken(fresh.pk, before)
    assert report.complete and not report.told
    assert report.counts == {"stored": json.loads(before[-1])["memories"]}
    after = exported(fresh.pk)
    ids = {json.loads(line)["id"] for line in before[1:-1] if '"id"' in line}
    for line in before[1:-1]:
        for name in ("versions", "evidence", "facts"):
            ids |= {part["id"] for part in json.loads(line).get(name, ())}
    move = moved_into(fresh.pk)
    expected = [
        UUID.sub(lambda one: str(move(uuid.UUID(one[0]))) if one[0] in ids else one[0], line)
        for line in before[1:-1]
    ]
    assert after[1:-1] == expected
    kinds = [json.loads(line)["type"] for line in before]
    assert kinds.count("contradiction") == 3 and kinds.count("memory") > 12 and kinds.count("subject") >= 2


def test_a_second_import_of_the_same_adds_nothing_and_one_that_was_broken_off_goes_on(
    lived: House, fresh: Tenant
) -> None:
    lines = exported(lived.id)
    with patch.object(take_in, "BATCH", 3):

        def broken() -> Iterator[str]:
            yield from lines[:9]
            raise ConnectionError

        with pytest.raises(ConnectionError):
            import_lines(actor=of(fresh.pk), source=broken())
        begun = count(fresh.pk)
        assert 0 < begun < json.loads(lines[-1])["memories"]
        report = taken(fresh.pk, lines)
    assert report.counts["known"] == begun
    assert exported(fresh.pk)[1:-1] == [*again(lines, fresh.pk)]
    assert taken(fresh.pk, lines).counts == {"known": json.loads(lines[-1])["memories"]}


def again(lines: list[str], tenant_id: uuid.UUID) -> list[str]:
    """What a whole import of these lines gives when it is exported: of another tenant in which nothing broke."""
    other: Tenant = Tenant.objects.create(slug=f"t{tenant_id.hex[:8]}", name="Other")
    taken(other.pk, lines)
    there, here = moved_into(other.pk), moved_into(tenant_id)
    return [
        UUID.sub(lambda one: _swapped(one[0], there, here, lines), line) for line in exported(other.pk)[1:-1]
    ]


def _swapped(one: str, there: Any, here: Any, lines: list[str]) -> str:
    back = str(there(uuid.UUID(one)))
    return str(here(uuid.UUID(back))) if any(back in line for line in lines) else one


def count(tenant_id: uuid.UUID) -> int:
    with tenant_transaction(tenant_id):
        return Memory.objects.count()


def test_what_is_taken_in_is_recalled_and_its_versions_and_merges_work_on(
    lived: House, fresh: Tenant
) -> None:
    taken(fresh.pk, exported(lived.id))
    run_due(fresh.pk)
    external = str(lived.user_of().pk)
    with tenant_transaction(fresh.pk):
        whose = Subject.objects.get(external_id=external).pk
        merged = Memory.objects.get(status="merged")
        assert Embedding.objects.filter(subject_id=whose).count() > 10
    found = recall(actor=of(fresh.pk), subject_id=whose, query="Where do I live?", trace=False)
    assert "Shanghai" in found.items[0].text
    assert unmerge(actor=of(fresh.pk), memory_id=merged.pk).status == "current"
    found = recall(actor=of(fresh.pk), subject_id=whose, query="Where is the lamp?", trace=False)
    assert "lamp" in found.items[0].text


def test_a_dry_run_says_the_same_and_changes_nothing(lived: House, fresh: Tenant) -> None:
    lines = exported(lived.id)
    seen = taken(fresh.pk, lines, dry_run=True)
    assert count(fresh.pk) == 0
    assert taken(fresh.pk, lines).counts == seen.counts


def test_what_was_forgotten_or_redacted_here_does_not_come_back_with_an_export(
    acme: House, clock: FixedClock
) -> None:
    me, whose = acme.actor(), acme.subjects["user"]
    say(me, whose, "My phone number is 13800138000.")
    say(me, whose, "The project is called QX-7731.")
    keep(me, whose, "The kayak is in the garage")
    lines = exported(acme.id, whose)
    clock.advance(hours=1)
    forget_by_words(actor=me, subject_id=whose, text="forget my phone number")
    redact(
        actor=acme.actor("operator", "admin"), subject_id=whose, words=["QX-7731"], reason="because", confirmation="redact"
    )  # fmt: skip
    run_due(acme.id)
    for line in exported(acme.id, whose):
        assert "13800138000" not in line and "QX-7731" not in line
    with tenant_transaction(acme.id):
        Memory.objects.filter(content__contains="kayak").delete()
    report = taken(acme.id, lines)
    assert [code for _, code, _ in report.told].count("forgotten") == 2
    texts = " ".join(memory.content for memory in current(me, whose))
    assert "13800138000" not in texts and "QX-7731" not in texts and "kayak" in texts


def test_texts_are_screened_by_the_policy_of_where_they_go(acme: House, fresh: Tenant) -> None:
    me, whose = acme.actor(), acme.subjects["user"]
    say(me, whose, "My phone number is 13800138000.")
    keep(me, whose, "Ring 13900139000 about the boat")
    lines = exported(acme.id, whose)
    set_policy(actor=of(fresh.pk), overrides={"pii.action.phone": "mask"})
    forget_cached()
    assert taken(fresh.pk, lines).complete
    dump = "".join(exported(fresh.pk))
    assert "13800138000" not in dump and "13900139000" not in dump and "••8000" in dump
    set_policy(actor=of(fresh.pk), overrides={"pii.action.phone": "block"})
    forget_cached()
    other: Tenant = Tenant.objects.create(slug="other", name="Other")
    set_policy(actor=of(other.pk), overrides={"pii.action.phone": "block"})
    forget_cached()
    assert taken(other.pk, lines).counts["blocked_sensitive"] == 2
    assert count(other.pk) == 0


def test_another_value_than_the_one_that_is_current_here_is_a_contradiction_not_a_second_truth(
    acme: House, globex: House, clock: FixedClock
) -> None:
    say(acme.actor(), acme.subjects["user"], "I live in Hangzhou.")
    lines = exported(acme.id, acme.subjects["user"])
    clock.advance(days=1)
    say(globex.actor(), globex.subjects["user"], "I live in Shanghai.")
    import_lines(actor=globex.actor(), source=lines, into=globex.subjects["user"])
    with tenant_transaction(globex.id):
        [row] = Contradiction.objects.all()
        assert {row.older.content, row.newer.content} == {"I live in Hangzhou", "I live in Shanghai"}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"kind": "gossip"}, "invalid"),
        ({"content": ""}, "invalid"),
        ({"content": "a\0b"}, "invalid"),
        ({"said_at": "yesterday"}, "invalid"),
        ({"said_at": "2026-01-01T00:00:00"}, "invalid"),
        ({"importance": 7}, "invalid"),
        ({"id": "1"}, "invalid"),
        ({"facts": [{}]}, "invalid"),
        ({"versions": "none"}, "invalid"),
        ({"metadata": {"a": "\ud800"}}, "invalid"),
        ({"hits": 10**12}, "invalid"),
        ({"type": "poem"}, "invalid"),
    ],
)
def test_a_line_that_does_not_fit_is_named_and_the_others_are_taken(
    acme: House, fresh: Tenant, change: dict[str, Any], code: str
) -> None:
    for word in ("oboe", "kayak"):
        keep(acme.actor(), acme.subjects["user"], f"The {word} is in the attic")
    lines = exported(acme.id, acme.subjects["user"])
    lines[2] = json.dumps({**json.loads(lines[2]), **change}) + "\n"
    report = taken(fresh.pk, lines)
    assert report.told[0][:2] == (3, code)
    assert report.counts["stored"] == 1 and not report.complete


@pytest.mark.parametrize("text", ["", "{}", "[1]", "not json", '{"type":"header","format":"mem0","version":1}',
                                  '{"type":"header","format":"memoryhub","version":99}'])  # fmt: skip
def test_what_is_no_export_is_refused_and_changes_nothing(fresh: Tenant, text: str) -> None:
    with pytest.raises(Invalid):
        taken(fresh.pk, [text + "\n"])
    assert count(fresh.pk) == 0


def test_a_file_that_ends_early_says_so(lived: House, fresh: Tenant) -> None:
    report = taken(fresh.pk, exported(lived.id)[:-1])
    assert not report.complete and report.counts["incomplete"] == 1


def test_ids_are_kept_on_demand_where_they_are_free(lived: House, fresh: Tenant) -> None:
    lines = exported(lived.id)
    with pytest.raises(Conflict):
        taken(fresh.pk, lines, keep_ids=True)
    assert count(fresh.pk) == 0


def test_who_may_and_whose(acme: House, globex: House, fresh: Tenant) -> None:
    keep(acme.actor(), acme.subjects["user"], "The oboe is in the attic")
    for actor, whose in (
        (acme.actor("other"), acme.subjects["user"]),
        (globex.actor("admin"), acme.subjects["user"]),
        (of(fresh.pk), acme.subjects["user"]),
    ):
        with pytest.raises(NotFound):
            export_lines(actor=actor, subject_id=whose)
    for who in ("user", "operator"):
        with pytest.raises(PermissionDenied):
            export_lines(actor=acme.actor(who))
    lines = list(export_lines(actor=acme.actor(), subject_id=acme.subjects["user"]))
    with pytest.raises(NotFound):
        import_lines(actor=globex.actor(), source=lines, into=globex.subjects["other"])
    with pytest.raises(PermissionDenied):
        import_lines(actor=globex.actor(), source=lines)
    assert not any("oboe" in line for line in exported(globex.id))
    list(export_lines(actor=acme.actor("admin"), subject_id=acme.subjects["user"]))
    with tenant_transaction(acme.id):
        noted = [
            entry
            for entry in AuditEntry.objects.filter(action="memory.exported")
            if entry.actor_id == str(acme.user_of("admin").pk)
        ]
        told = [change["subject_id"] for entry in noted for change in entry.changes]
    assert str(acme.subjects["user"]) in told


def test_what_is_sealed_waits_or_is_gone_stays_out_and_is_counted(acme: House) -> None:
    me, whose = acme.actor(), acme.subjects["user"]
    set_policy(actor=of(acme.id), overrides={"pii.action.phone": "encrypt"})
    forget_cached()
    say(me, whose, "My phone number is 13800138000.")
    keep(me, whose, "The oboe is in the attic")
    lines = exported(acme.id, whose)
    assert json.loads(lines[-1])["left_out"] >= 1
    assert "13800138000" not in "".join(lines)
    with tenant_transaction(acme.id):
        assert MemoryVersion.objects.filter(content_encrypted__isnull=False).exists()
