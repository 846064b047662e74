"""One's own memories: pages, filters, forms; and nobody else's."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from django.urls import reverse

from memories.services.browse_memories import browse_memories
from memories.services.get_memory import get_memory
from memories.services.pin import pin
from memories.services.remember import remember
from memoryhub.common.errors import Invalid
from tests.support.people import House

pytestmark = pytest.mark.django_db

WORDS = [
    "alpha",
    "bravo",
    "charlie",
    "delta",
    "echo",
    "foxtrot",
    "golf",
    "hotel",
    "india",
    "juliet",
    "kilo",
    "lima",
]


def keep(house: House, content: str, kind: str = "fact") -> UUID:
    actor = house.actor()
    assert actor.subject_id is not None
    outcome = remember(actor=actor, subject_id=actor.subject_id, content=content, kind=kind, infer=False)[0]
    assert outcome.memory_id is not None
    return outcome.memory_id


def texts(page: bytes) -> list[str]:
    return re.findall(r'<p class="text" dir="auto">(.*?)</p>', page.decode())


def test_pages_follow_each_other_without_skipping_or_repeating(acme: House) -> None:
    ids = [keep(acme, f"The {word} room is on floor {number}") for number, word in enumerate(WORDS)]
    pin(actor=acme.actor(), memory_id=ids[4], pinned=True)
    actor = acme.actor()
    assert actor.subject_id is not None
    seen: list[UUID] = []
    cursor, pages = "", 0
    while pages == 0 or cursor:
        page = browse_memories(actor=actor, subject_id=actor.subject_id, limit=5, cursor=cursor)
        seen += [item.memory.pk for item in page.items]
        cursor, pages = page.cursor, pages + 1
    assert pages == 3
    assert seen[0] == ids[4]
    assert seen[1:] == [each for each in reversed(ids) if each != ids[4]]


@pytest.mark.parametrize(
    "cursor", ["x", "1.2026.x", "2.2026-01-01T00:00:00+00:00.0", "0.2026-01-01T00:00:00." + "0" * 32]
)
def test_a_broken_cursor_is_an_error_that_says_what_to_do(acme: House, cursor: str) -> None:
    actor = acme.actor()
    assert actor.subject_id is not None
    with pytest.raises(Invalid):
        browse_memories(actor=actor, subject_id=actor.subject_id, cursor=cursor)
    assert acme.client().get("/memories/", {"cursor": cursor}).status_code == 400


def test_search_and_kind_narrow_the_list(acme: House) -> None:
    keep(acme, "The bicycle stands in the cellar")
    keep(acme, "I prefer to take the bicycle", kind="preference")
    keep(acme, "自行车是绿色的")
    client = acme.client()
    assert len(texts(client.get("/memories/").content)) == 3
    assert len(texts(client.get("/memories/", {"q": "BICYCLE"}).content)) == 2
    assert texts(client.get("/memories/", {"q": "bicycle", "kind": "preference"}).content) == [
        "I prefer to take the bicycle"
    ]
    assert texts(client.get("/memories/", {"q": "绿色"}).content) == ["自行车是绿色的"]
    assert texts(client.get("/memories/", {"q": "100%_\x00"}).content) == []


def test_an_edit_of_an_old_version_shows_both_texts(acme: House) -> None:
    memory_id = keep(acme, "My desk is on floor 3")
    client, url = acme.client(), reverse("edit_memory", args=[memory_id])
    assert (
        client.post(url, {"content": "My desk is on floor 4", "kind": "fact", "version": 1}).status_code
        == 302
    )
    late = client.post(url, {"content": "My desk is on floor 5", "kind": "fact", "version": 1})
    assert late.status_code == 409
    page = late.content.decode()
    assert "My desk is on floor 4" in page
    assert "My desk is on floor 5" in page
    assert get_memory(actor=acme.actor(), memory_id=memory_id).content == "My desk is on floor 4"


@pytest.mark.parametrize("content", ["", "   ", "x" * 2001])
def test_a_text_that_cannot_be_kept_is_refused_with_a_reason(acme: House, content: str) -> None:
    memory_id = keep(acme, "My desk is on floor 3")
    response = acme.client().post(
        reverse("edit_memory", args=[memory_id]), {"content": content, "kind": "fact"}
    )
    assert response.status_code == 409
    assert b"1 to 2000 characters" in response.content


def test_what_a_wide_request_would_take_is_named_before_the_yes(acme: House) -> None:
    keep(acme, "The oboe is in the attic")
    keep(acme, "The kayak is in the garage")
    client = acme.client("user")
    looked = client.post(reverse("forgetting"), {"text": "forget everything about me", "look": "1"})
    assert looked.status_code == 200
    for words in ("What would go", "The oboe is in the attic", "The kayak is in the garage"):
        assert words in looked.content.decode()
    client.post(reverse("forgetting"), {"text": "forget everything about me"})
    waiting = client.get(reverse("forgetting")).content.decode()
    assert "waits for your answer" in waiting
    assert "The oboe is in the attic" in waiting and "The kayak is in the garage" in waiting


def test_forgetting_can_be_undone_from_the_page(acme: House) -> None:
    memory_id = keep(acme, "My locker has the number 12")
    client = acme.client()
    page = client.post(reverse("forget_memory", args=[memory_id]), follow=True)
    assert texts(page.content) == []
    assert reverse("restore_memory", args=[memory_id]).encode() in page.content
    page = client.post(reverse("restore_memory", args=[memory_id]), follow=True)
    assert texts(page.content) == ["My locker has the number 12"]


def test_forms_lead_back_to_where_they_stood_and_nowhere_else(acme: House) -> None:
    memory_id = keep(acme, "My locker has the number 12")
    url = reverse("pin_memory", args=[memory_id])
    back = acme.client().post(url, {"pinned": 1, "next": "/memories/?q=locker"})
    assert back["location"] == "/memories/?q=locker"
    elsewhere = acme.client().post(url, {"pinned": 0, "next": "https://elsewhere.example/"})
    assert elsewhere["location"] == "/memories/"


@pytest.mark.parametrize("who", ["other", "operator", "admin"])
def test_nobody_else_sees_or_changes_a_memory_here(acme: House, who: str) -> None:
    memory_id = keep(acme, "My locker has the number 12")
    client = acme.client(who)
    assert texts(client.get("/memories/").content) == []
    assert client.get(reverse("edit_memory", args=[memory_id])).status_code == 404
    for name in ("edit_memory", "pin_memory", "forget_memory", "restore_memory"):
        assert client.post(reverse(name, args=[memory_id]), {"content": "x", "pinned": 1}).status_code == 404
    assert get_memory(actor=acme.actor(), memory_id=memory_id).version == 1


def test_another_tenant_finds_nothing(acme: House, globex: House) -> None:
    memory_id = keep(acme, "My locker has the number 12")
    assert globex.client().post(reverse("forget_memory", args=[memory_id])).status_code == 404
    assert texts(globex.client().get("/memories/").content) == []
