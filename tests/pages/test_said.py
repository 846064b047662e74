"""What a page says after something was done, with and without a way to undo it."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.contrib.messages import INFO
from django.contrib.messages.storage.base import Message
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import reverse

from memories.services.forget_by_words import forget_by_words
from tests.support.people import House


@pytest.mark.parametrize("only_said", [False, True])
def test_a_message_offers_to_undo_except_on_pages_of_signing_in(only_said: bool) -> None:
    said = [Message(INFO, "The note is forgotten.", extra_tags=str(uuid4()))]
    request = RequestFactory().get("/memories/")
    shown = render_to_string("messages.html", {"messages": said, "only_said": only_said}, request=request)
    assert "The note is forgotten." in shown
    assert ("<form" in shown) is not only_said


@pytest.mark.django_db
def test_a_request_that_found_nothing_shows_no_figure(acme: House) -> None:
    actor = acme.actor()
    assert actor.subject_id is not None
    forget_by_words(actor=actor, subject_id=actor.subject_id, text="Forget my shoe size.")
    page = acme.client().get(reverse("forgetting")).content.decode()
    assert "nothing was stored of it" in page
    assert not re.search(r"\b0 (?:memor|text)", page)
