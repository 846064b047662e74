"""Streaming in the browser: tabs in step, reload, stop, a server that dies, a line that drops."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage, finished_answers, say, screenshot
from tests.support.model_server import ModelServer, Reply
from tests.support.people import House
from tests.support.site import Site, SiteDatabase

PIECES = ["## Plan\n\n", "- **one** thing\n", "- another\n\n", "```py\nprint(", "1)\n```\n\n", "And `done`."]


@pytest.fixture
def hold() -> Iterator[threading.Event]:
    """Keeps the model waiting in the middle of its answer until set."""
    event = threading.Event()
    yield event
    event.set()


def _start(page: Page, model: ModelServer, hold: threading.Event, text: str = "Make a plan") -> None:
    """Send a message whose answer stands still after its list."""
    model.script(Reply(pieces=PIECES, hold=hold, hold_at=3))
    say(page, text)
    expect(page.locator("[data-state=streaming] .markdown li")).to_have_count(2, timeout=30_000)


def test_the_finished_answer_looks_like_the_streamed_one(
    site_with_model: Site, model: ModelServer, house: House, open_page: OpenPage, hold: threading.Event
) -> None:
    page = open_page(site_with_model, house=house)
    _start(page, model, hold)
    streamed = page.locator("[data-state=streaming] .markdown").inner_html()
    assert "<strong>one</strong>" in streamed
    hold.set()
    expect(finished_answers(page)).to_have_count(1)
    finished = finished_answers(page).locator(".markdown").inner_html()
    assert "".join(streamed.split()) in "".join(finished.split())
    assert '<code class="language-py">print(1)' in finished


def test_two_tabs_stay_in_step(
    site_with_model: Site, model: ModelServer, house: House, open_page: OpenPage, hold: threading.Event
) -> None:
    first = open_page(site_with_model, house=house)
    _start(first, model, hold)
    second = open_page(site_with_model, first.url.removeprefix(site_with_model.url), context=first.context)
    expect(second.locator("[data-state=streaming] .markdown li")).to_have_count(2)
    hold.set()
    for page in (first, second):
        expect(finished_answers(page).locator(".markdown")).to_contain_text("And done.")
    model.script(Reply(pieces=["Second."]))
    say(second, "And now?")
    expect(finished_answers(first)).to_have_count(2)
    expect(first.locator(".turn.user .said").last).to_have_text("And now?")
    assert first.locator(".turns").inner_text() == second.locator(".turns").inner_text()


def test_a_reload_in_the_middle_goes_on_where_it_was(
    site_with_model: Site, model: ModelServer, house: House, open_page: OpenPage, hold: threading.Event
) -> None:
    page = open_page(site_with_model, house=house)
    _start(page, model, hold)
    page.reload()
    expect(page.locator("[data-state=streaming] .markdown li")).to_have_count(2)
    hold.set()
    expect(finished_answers(page).locator(".markdown h4")).to_have_text("Plan")
    expect(finished_answers(page).locator(".markdown")).to_contain_text("And done.")
    assert page.locator(".turn").count() == 2


def test_stop_works_at_once_and_the_answer_can_be_tried_again(
    site_with_model: Site, model: ModelServer, house: House, open_page: OpenPage, hold: threading.Event
) -> None:
    page = open_page(site_with_model, house=house)
    _start(page, model, hold)
    screenshot(page, "streaming-en")
    page.get_by_role("button", name="Stop the answer").click()
    expect(page.locator(".turn.assistant .notice")).to_contain_text("You stopped this answer.")
    expect(finished_answers(page).locator(".markdown li")).to_have_count(2)
    model.script(Reply(pieces=["A better plan."]))
    page.get_by_role("button", name="Try again").click()
    expect(finished_answers(page).locator(".markdown")).to_have_text("A better plan.")
    expect(page.locator(".turn.assistant")).to_have_count(1)


def test_a_message_written_during_an_answer_waits_for_its_turn(
    site_with_model: Site, model: ModelServer, house: House, open_page: OpenPage, hold: threading.Event
) -> None:
    page = open_page(site_with_model, house=house)
    _start(page, model, hold)
    model.script(Reply(pieces=["Second answer."]))
    say(page, "One more thing")
    expect(page.locator(".turn.pending")).to_contain_text("Waiting to be sent")
    hold.set()
    expect(finished_answers(page)).to_have_count(2)
    expect(page.locator(".turn.pending")).to_have_count(0)


def test_what_is_sent_without_a_connection_goes_out_once_later(
    site_with_model: Site, model: ModelServer, house: House, open_page: OpenPage
) -> None:
    page = open_page(site_with_model, house=house)
    model.script(Reply(pieces=["First."]), Reply(pieces=["Later."]))
    say(page, "Hello")
    expect(finished_answers(page)).to_have_count(1, timeout=30_000)
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator("[data-connection]")).to_contain_text("You are offline")
    page.context.set_offline(False)
    page.reload()
    say(page, "Again")
    expect(finished_answers(page)).to_have_count(2)
    expect(page.locator(".turn.user")).to_have_count(2)


def test_a_draft_survives_a_reload(site_with_model: Site, house: House, open_page: OpenPage) -> None:
    page = open_page(site_with_model, house=house)
    field = page.get_by_role("textbox", name="Your message")
    field.fill("not sent yet")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("second line")
    page.reload()
    expect(field).to_have_value("not sent yet\nsecond line")


def test_enter_does_not_send_while_an_input_method_composes(
    site_with_model: Site, house: House, open_page: OpenPage
) -> None:
    page = open_page(site_with_model, house=house, language="zh-hans")
    field = page.locator("#message")
    field.focus()
    client = page.context.new_cdp_session(page)
    client.send("Input.imeSetComposition", {"text": "ni hao", "selectionStart": 6, "selectionEnd": 6})
    field.evaluate(
        "field => field.dispatchEvent(new KeyboardEvent('keydown', "
        "{key: 'Enter', keyCode: 229, isComposing: true, bubbles: true, cancelable: true}))"
    )
    assert page.url == f"{site_with_model.url}/"
    client.send("Input.insertText", {"text": "你好"})
    expect(field).to_have_value("你好")


def test_an_answer_cannot_put_markup_or_scripts_into_the_page(
    site_with_model: Site, model: ModelServer, house: House, open_page: OpenPage, hold: threading.Event
) -> None:
    attack = (
        "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>\n\n"
        "[click](javascript:document.title='owned') ![p](https://example.com/p.png) **bold**"
    )
    page = open_page(site_with_model, house=house)
    model.script(Reply(pieces=[attack, " end"], hold=hold, hold_at=1))
    say(page, f"Repeat: {attack}")
    streaming = page.locator("[data-state=streaming] .markdown")
    expect(streaming.locator("strong")).to_have_text("bold")
    for body in (streaming, finished_answers(page).locator(".markdown")):
        assert body.locator("img, script, a[href^=javascript]").count() == 0
        hold.set()
        expect(finished_answers(page)).to_have_count(1)
    assert page.locator("#turns img, #turns script").count() == 0
    assert page.title() != "owned"


@pytest.fixture
def mortal(
    database: SiteDatabase, tmp_path: Path, model: ModelServer, site_with_model: Site
) -> Iterator[Site]:
    """A site of its own, to be killed."""
    site = Site(database, tmp_path, model_url=site_with_model.model_url)
    site.start()
    yield site
    site.stop()


def test_a_killed_server_leaves_the_beginning_and_a_way_to_go_on(
    mortal: Site,
    database: SiteDatabase,
    model: ModelServer,
    house: House,
    open_page: OpenPage,
    hold: threading.Event,
    django_db_blocker: Any,
) -> None:
    page = open_page(mortal, house=house)
    _start(page, model, hold)
    with django_db_blocker.unblock():
        database.wait_for_text(house, "another")
    mortal.kill()
    expect(page.locator("[data-connection]")).to_contain_text("Reconnecting")
    with django_db_blocker.unblock():
        database.lapse_leases(house)
    mortal.start()
    expect(page.locator(".turn.assistant .notice")).to_contain_text("interrupted", timeout=60_000)
    expect(page.locator(".turn.assistant .markdown li")).to_have_count(2)
    screenshot(page, "interrupted-en")
    model.script(Reply(pieces=["A whole answer."]))
    page.get_by_role("button", name="Try again").click()
    expect(finished_answers(page).locator(".markdown")).to_have_text("A whole answer.", timeout=30_000)
    expect(page.locator(".turn")).to_have_count(2)
