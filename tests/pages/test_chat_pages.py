"""The chat's pages: one's own sessions and nobody else's, and nothing that a strict policy would forbid."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import ChatSession
from sessions_app.services.get_turns import get_session
from sessions_app.services.open_session import open_session
from sessions_app.services.record_turn import record_turn
from tests.support.people import House

pytestmark = pytest.mark.django_db


def opened(house: House, title: str = "") -> ChatSession:
    actor = house.actor()
    assert actor.subject_id is not None
    return open_session(actor=actor, subject_id=actor.subject_id, title=title)


def test_without_signing_in_every_page_leads_to_the_sign_in(acme: House, client: Client) -> None:
    session = opened(acme)
    for url in ("/", f"/c/{session.pk}/", "/c/", "/memories/"):
        response = client.get(url)
        assert response.status_code == 302
        assert response["location"].startswith("/accounts/login/")


@pytest.mark.parametrize("who", ["other", "operator", "admin"])
def test_a_conversation_is_its_persons_alone(acme: House, who: str) -> None:
    session = opened(acme)
    turn = record_turn(actor=acme.actor(), session_id=session.pk, role="user", content="Hello there").turn
    client = acme.client(who)
    for name, key in (("conversation", session.pk), ("earlier", session.pk), ("turn_source", turn.pk)):
        assert client.get(reverse(name, args=[key])).status_code == 404
    for name in ("rename_session", "end_session"):
        assert client.post(reverse(name, args=[session.pk]), {"title": "x"}).status_code == 404
    assert client.post(reverse("open_new"), {"leaving": session.pk}).status_code == 404
    assert get_session(actor=acme.actor(), session_id=session.pk).state == "open"


def test_another_tenant_sees_what_it_would_see_of_nothing(acme: House, globex: House) -> None:
    session = opened(acme)
    client = globex.client()
    there, nowhere = client.get(f"/c/{session.pk}/"), client.get(f"/c/{uuid4()}/")
    assert there.status_code == nowhere.status_code == 404
    tokens = re.compile(rb"value=\"[^\"]*\"")
    assert tokens.sub(b"", there.content) == tokens.sub(b"", nowhere.content)


def test_new_chat_ends_the_one_that_is_left(acme: House) -> None:
    session = opened(acme)
    response = acme.client().post(
        reverse("open_new"), {"leaving": session.pk}, headers={"accept": "application/json"}
    )
    assert response.status_code == 201
    left = get_session(actor=acme.actor(), session_id=session.pk)
    assert (left.state, left.ended_reason) == ("ended", "new_chat")
    assert get_session(actor=acme.actor(), session_id=response.json()["id"]).state == "open"


def test_sessions_are_searched_by_title(acme: House) -> None:
    opened(acme, "Budget of the kitchen")
    opened(acme, "去青岛的行程")
    client = acme.client()
    assert b"kitchen" in client.get("/c/", {"q": "KITCHEN"}).content
    assert "青岛" not in client.get("/c/", {"q": "kitchen"}).content.decode()
    assert "青岛" in client.get("/c/", {"q": "青岛"}).content.decode()


def test_what_was_said_is_text_and_never_markup(acme: House) -> None:
    session = opened(acme, "<b>title</b>")
    record_turn(actor=acme.actor(), session_id=session.pk, role="user", content="<script>alert(1)</script>")
    page = acme.client().get(f"/c/{session.pk}/").content.decode()
    assert "<script>alert(1)</script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>title</b>" not in page


def test_earlier_turns_are_a_link_away(acme: House) -> None:
    session = opened(acme)
    for number in range(1, 131):
        record_turn(actor=acme.actor(), session_id=session.pk, role="user", content=f"message {number}.")
    client = acme.client()
    page = client.get(f"/c/{session.pk}/").content.decode()
    assert "message 130." in page
    assert "message 70." not in page
    url = re.search(r'data-url="([^"]+before=\d+)"', page)
    assert url is not None
    middle = client.get(url[1]).content.decode()
    assert "message 70." in middle
    assert "message 71." not in middle
    last = re.search(r'data-url="([^"]+before=\d+)"', middle)
    assert last is not None
    first = client.get(last[1]).content.decode()
    assert "message 1." in first
    assert "data-earlier" not in first


@pytest.mark.parametrize("path", ["/", "/memories/", "/accounts/login/", "/nowhere/"])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_pages_obey_a_strict_policy_and_name_their_language(acme: House, path: str, language: str) -> None:
    client = acme.client()
    if path == "/accounts/login/":
        client.logout()
    client.cookies["django_language"] = language
    response = client.get(path)
    page = response.content.decode()
    policy = response["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert f'<html lang="{language}">' in page
    assert not re.search(r"<style|\sstyle=|\son\w+=\"", page)
    scripts = re.findall(r"<script([^>]*)>", page)
    assert all('src="/static/' in script or "application/json" in script for script in scripts)


def test_a_broken_id_of_the_chat_that_is_left_does_no_harm(acme: House) -> None:
    response = acme.client().post(reverse("open_new"), {"leaving": "not-an-id"})
    assert response.status_code == 302
