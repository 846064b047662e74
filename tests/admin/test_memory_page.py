"""The memory page of the operators, and the reveal: what they show, what they ask for, and what they leave behind."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.contrib.admin import site
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry
from memories.admin.memory_page import marked
from memories.admin.memory_strength import strength_of
from memories.core.policy import Policy
from memories.core.text.word_diff import word_diff
from memories.models import Contradiction, Evidence, Memory, MemoryVersion, RecallTrace, Reveal
from memories.services.edit import edit
from memories.services.recall import recall
from memories.services.reveal import own_reveals, reveal
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound, PermissionDenied
from sessions_app.models import ChatSession, Digest, Turn
from tests.admin.test_masking import mask_all, staff_in
from tests.memories.services.helpers import keep, say
from tests.support.factories import make_memory
from tests.support.people import House

pytestmark = pytest.mark.django_db

CLEAR = "The code of the shed is 4471, 北门"


def page_of(house: House, pk: uuid.UUID | None, who: str = "operator", verb: str = "change") -> str:
    answer = house.client(who).get(reverse(f"admin:memories_memory_{verb}", args=[pk]))
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def sealed(house: House) -> Memory:
    with tenant_transaction(house.id):
        return make_memory(house.subjects["user"], "[sensitive]", kind="sensitive", content_encrypted=CLEAR)


def test_the_page_tells_history_reason_recalls_and_strength(acme: House) -> None:
    user, subject = acme.actor(), acme.subjects["user"]
    [said] = say(user, subject, "Remember that my contract number is KX-4410.")
    assert said.memory_id is not None
    edit(actor=user, memory_id=said.memory_id, content="My contract number is <b>KX-9920</b>.")
    recall(actor=user, subject_id=subject, query="which number has the contract?")
    page = page_of(acme, said.memory_id)
    assert "<del>" in page and "<ins>" in page and "&lt;" in page and "<b>KX" not in page
    assert "which number has the contract?" in page
    assert page.count('class="floor"') == 1 and "a sweep archives it after" in page
    with tenant_transaction(acme.id):
        memory = Memory.objects.get(pk=said.memory_id)
        quote = memory.evidence.get()
        assert AuditEntry.objects.filter(changes__contains=[{"action": "admin.read"}]).exists()
    assert memory.rule in page
    assert quote.quote.rstrip(".") in page
    assert reverse("admin:sessions_app_turn_change", args=[quote.turn_id]) in page
    assert reverse("admin:memories_memory_reveal", args=[memory.pk]) in page


def test_a_page_compares_ten_versions_and_leads_to_the_older_ones(acme: House) -> None:
    with tenant_transaction(acme.id):
        memory = make_memory(acme.subjects["user"], "text 25")
        MemoryVersion.objects.bulk_create(
            MemoryVersion(
                memory=memory, number=n, change="edited", content=f"text {n}", state={}, actor_kind="user", at=timezone.now()
            )
            for n in range(1, 26)
        )  # fmt: skip
    url: str | None = reverse("admin:memories_memory_change", args=[memory.pk])
    seen: list[int] = []
    while url:
        page = acme.client("operator").get(url)
        shown = [one["row"].number for one in page.context["versions"]]
        assert len(shown) <= 10
        seen += shown
        older = page.context["older_versions"]
        assert (older is not None) == (f"?before={older}#" in page.content.decode())
        url = f"{page.request['PATH_INFO']}?before={older}" if older else None
    assert seen == list(range(25, 0, -1))
    for odd in ("x", "-1", "9" * 30, "0"):
        assert acme.client("operator").get(f"{page.request['PATH_INFO']}?before={odd}").status_code == 200


def test_a_masked_page_shows_no_word(acme: House) -> None:
    user, subject = acme.actor(), acme.subjects["user"]
    [said] = say(user, subject, "Remember that my contract number is KX-4410.")
    assert said.memory_id is not None
    edit(actor=user, memory_id=said.memory_id, content="My contract number is KX-9920.")
    recall(actor=user, subject_id=subject, query="which number has the contract?")
    mask_all(acme)
    page = page_of(acme, said.memory_id)
    assert "KX-" not in page and "contract" not in page
    assert "••••" in page


def test_the_page_needs_a_bounded_number_of_queries(acme: House) -> None:
    user, subject = acme.actor(), acme.subjects["user"]
    small = keep(user, subject, "green tea in the morning").memory_id
    large = keep(user, subject, "the contract number is KX-0").memory_id
    assert small and large
    for number in range(1, 60):
        edit(actor=user, memory_id=large, content=f"the contract number is KX-{number}")
    with tenant_transaction(acme.id):
        considered = [{"id": str(large), "score": 0.5, "scores": {"similarity": 0.7}, "used": True}]
        at = Memory.objects.get(pk=large).created_at
        RecallTrace.objects.bulk_create(
            RecallTrace(
                subject_id=subject, query=f"q{n}", considered=considered, at=at + timedelta(minutes=n)
            )
            for n in range(40)
        )
    counts = []
    for pk in (small, large):
        page_of(acme, pk)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page = page_of(acme, pk)
        counts.append(len(queries))
    assert page.count('<li value="') == 10
    assert page.count("similarity 0.70") == 20
    assert "q39" in page and "q19" not in page
    assert counts[1] <= counts[0] + 1, "the names of those who changed it"
    assert counts[1] <= 32


def test_the_page_and_its_forms_are_the_tenants_own(acme: House, globex: House) -> None:
    memory = sealed(acme)
    for verb in ("change", "reveal", "pin"):
        url = reverse(f"admin:memories_memory_{verb}", args=[memory.pk])
        client = globex.client("admin")
        assert client.get(url).status_code == 404, verb
        posted = client.post(url, {"reason": "curious"})
        assert posted.status_code in {404, 405}, verb
        assert CLEAR not in posted.content.decode()
        assert acme.client("user").get(url).status_code == 302
    with tenant_transaction(acme.id):
        assert not Reveal.objects.exists()


def test_a_reveal_shows_the_clear_text_once_and_says_so_to_the_subject(acme: House) -> None:
    memory = sealed(acme)
    assert CLEAR not in page_of(acme, memory.pk) + page_of(acme, memory.pk, verb="reveal")
    url = reverse("admin:memories_memory_reveal", args=[memory.pk])
    answer = acme.client("operator").post(url, {"reason": "she asked why the door stays shut"})
    assert answer.status_code == 200
    assert CLEAR in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert CLEAR not in page_of(acme, memory.pk)
    assert "why the door stays shut" in acme.client("user").get(reverse("memories")).content.decode()
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.get(action="memory.revealed")
        assert "door" not in str(entry.changes)
        assert entry.changes[0]["subject_id"] == str(memory.subject_id)


@pytest.mark.parametrize(
    "reason", ["", "  ", "x" * 201, "my password is hunter2-XyZ-99."], ids=["none", "blank", "long", "secret"]
)
def test_a_reveal_without_a_usable_reason_shows_and_keeps_nothing(acme: House, reason: str) -> None:
    memory = sealed(acme)
    answer = acme.client("operator").post(
        reverse("admin:memories_memory_reveal", args=[memory.pk]), {"reason": reason}
    )
    assert answer.context["form"].errors["reason"]
    assert CLEAR not in answer.content.decode()
    with tenant_transaction(acme.id):
        assert not Reveal.objects.exists()
        assert not AuditEntry.objects.filter(action="memory.revealed").exists()
    with pytest.raises(Invalid):
        reveal(actor=acme.actor("operator"), memory_id=memory.pk, reason=reason)


def test_only_the_tenants_operators_reveal(acme: House, globex: House) -> None:
    memory = sealed(acme)
    url = reverse("admin:memories_memory_reveal", args=[memory.pk])
    client = staff_in(acme)
    assert client.get(url).status_code == client.post(url, {"reason": "maintenance"}).status_code == 403
    with pytest.raises(PermissionDenied):
        reveal(actor=acme.actor("user"), memory_id=memory.pk, reason="mine")
    with pytest.raises(NotFound):
        reveal(actor=globex.actor("operator"), memory_id=memory.pk, reason="theirs")


def test_others_do_not_see_who_read_a_memory_and_staff_no_reason(acme: House) -> None:
    memory = sealed(acme)
    reveal(actor=acme.actor("operator"), memory_id=memory.pk, reason="a complaint about the door")
    assert own_reveals(actor=acme.actor("other"), memory_ids=[memory.pk]) == {}
    [mine] = own_reveals(actor=acme.actor("user"), memory_ids=[memory.pk])[memory.pk]
    assert mine.reason == "a complaint about the door"
    assert "complaint" in page_of(acme, memory.pk)
    staff = staff_in(acme).get(reverse("admin:memories_memory_change", args=[memory.pk]))
    assert staff.status_code == 200 and "complaint" not in staff.content.decode()


def test_the_page_leads_to_digests_successors_and_contradictions(acme: House) -> None:
    subject, now = acme.subjects["user"], timezone.now()
    with tenant_transaction(acme.id):
        newer = make_memory(subject, "the code is 2")
        older = make_memory(subject, "the code is 1", status="superseded", superseded_by=newer)
        summary = make_memory(subject, "codes were changed", kind="digest")
        split = Contradiction.objects.create(subject_id=subject, older=older, newer=newer, opened_at=now)
        session = ChatSession.objects.create(subject_id=subject, started_at=now, last_activity_at=now)
        digest = Digest.objects.create(
            session=session, memory=summary, first_seq=1, last_seq=4, method="extract", created_at=now
        )
        turn = Turn.objects.create(
            session=session, seq=1, role="user", content="x", said_at=now, created_at=now, digest=digest
        )
        Evidence.objects.create(memory=newer, turn_id=turn.pk, role="user", said_at=now, created_at=now)
    page = page_of(acme, newer.pk)
    for name, pk in (
        ("memories_memory_change", older.pk),
        ("memories_memory_change", summary.pk),
        ("memories_contradiction_change", split.pk),
    ):
        assert reverse(f"admin:{name}", args=[pk]) in page
    assert "Digest of turns 1 to 4" in page
    assert reverse("admin:memories_memory_change", args=[newer.pk]) in page_of(acme, older.pk)
    assert reverse("admin:sessions_app_digest_change", args=[digest.pk]) in page_of(acme, summary.pk)


def test_an_admin_pins_and_an_operator_is_not_offered_it(acme: House) -> None:
    pk = keep(acme.actor(), acme.subjects["user"], "green tea in the morning").memory_id
    url = reverse("admin:memories_memory_pin", args=[pk])
    assert url not in page_of(acme, pk)
    assert acme.client("operator").post(url, {"pinned": "True"}).status_code == 403
    assert url in page_of(acme, pk, "admin")
    assert acme.client("admin").post(url, {"pinned": "True"}).status_code == 302
    with tenant_transaction(acme.id):
        assert Memory.objects.get(pk=pk).pinned
    assert "it is pinned" in page_of(acme, pk)


def test_the_curve_meets_the_floor_when_the_sweep_is_due(acme: House) -> None:
    with tenant_transaction(acme.id):
        memory = make_memory(acme.subjects["user"], "x", kind="fact")
    told = strength_of(memory, Policy.default(), memory.created_at, [])
    assert told.now == pytest.approx(1.0)
    assert told.sweep_at is not None
    later = strength_of(memory, Policy.default(), told.sweep_at, [])
    assert later.now == pytest.approx(told.floor, rel=1e-3)
    memory.pinned = True
    assert strength_of(memory, Policy.default(), memory.created_at, []).sweep_at is None


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("my cat is black", "my cat is white", ["black"], ["white"]),
        ("我喜欢红茶", "我喜欢绿茶", ["红"], ["绿"]),
        ("", "new", [], ["new"]),
        ("same", "same", [], []),
    ],
)
def test_a_diff_names_the_words_and_gives_both_texts_back(
    old: str, new: str, gone: list[str], come: list[str]
) -> None:
    pieces = word_diff(old, new)
    assert [piece.text for piece in pieces if piece.op == "del"] == gone
    assert [piece.text for piece in pieces if piece.op == "ins"] == come
    assert "".join(piece.text for piece in pieces if piece.op != "ins") == old
    assert "".join(piece.text for piece in pieces if piece.op != "del") == new
    assert "<script>" not in marked(old, "<script>")


def test_rules_are_still_laid_down_in_the_place_of_a_memory(acme: House) -> None:
    assert site._registry[Memory].has_add_permission
    assert (
        'name="content"' in acme.client("operator").get(reverse("admin:memories_memory_add")).content.decode()
    )
