"""Pages for everybody: by keyboard alone, with assistive technology, with another language, size or colour scheme."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, OpenPage, finished_answers, say
from tests.support.people import House
from tests.support.site import Site


def serious(page: Page) -> list[str]:
    """What assistive technology cannot work with on the page as it stands."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html']}"
        for each in found
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]


@pytest.mark.parametrize(("language", "dark"), [("en", False), ("zh-hans", True)])
def test_no_page_has_a_serious_accessibility_issue(
    site: Site, house: House, open_page: OpenPage, language: str, dark: bool
) -> None:
    page = open_page(site, house=house, language=language, dark=dark)
    assert serious(page) == []
    say(page, "记住:我喜欢喝茶" if language == "zh-hans" else "Please remember: I like tea")
    expect(finished_answers(page)).to_have_count(1, timeout=30_000)
    used = page.locator("[data-used] summary")
    if used.count():
        used.last.click()
    assert serious(page) == []
    page.locator("details[data-menu] summary").first.click()
    assert serious(page) == []
    for path in ("/memories/", "/memories/?q=nothing-fits", "/nowhere/"):
        page.goto(f"{site.url}{path}")
        assert serious(page) == [], path
    stranger = open_page(site, "/accounts/login/", language=language, dark=dark)
    assert serious(stranger) == []
    stranger.locator("[name=login]").fill("nobody@example.org")
    stranger.locator("[name=password]").fill("not it")
    stranger.keyboard.press("Enter")
    expect(stranger.get_by_role("alert")).to_be_visible()
    assert serious(stranger) == []


def test_a_chat_by_keyboard_alone(site: Site, house: House, open_page: OpenPage) -> None:
    page = open_page(site, "/memories/", house=house)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()

    page.goto(site.url)
    expect(page.get_by_role("textbox", name="Your message")).to_be_focused()
    page.keyboard.type("Please remember: the door code changes on Fridays")
    page.keyboard.press("Enter")
    expect(finished_answers(page)).to_have_count(1, timeout=30_000)

    menu = page.locator("details[data-menu] summary").last
    menu.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Rename")).to_be_focused()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Title")).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.type("Door codes")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Door codes")).to_be_visible()
    expect(page.locator(".session-title").first).to_have_text("Door codes")


def test_the_drawer_of_a_phone_takes_and_gives_back_the_focus(
    site: Site, house: House, open_page: OpenPage
) -> None:
    page = open_page(site, house=house, size=PHONE)
    opener = page.get_by_role("button", name="Show the list of chats")
    opener.click()
    expect(page.locator("#sessions")).to_be_focused()
    expect(page.get_by_role("searchbox", name="Search chats by title")).to_be_visible()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    expect(page.get_by_role("searchbox", name="Search chats by title")).to_be_hidden()


def test_chats_are_found_by_title_and_end_when_told(site: Site, house: House, open_page: OpenPage) -> None:
    page = open_page(site, house=house)
    for text in ("Trip to the mountains", "Budget of the kitchen"):
        say(page, text)
        expect(finished_answers(page)).to_have_count(1, timeout=30_000)
        page.get_by_role("button", name="New chat", exact=True).click()
        expect(page.locator("[data-welcome]")).to_be_visible()
    page.get_by_role("searchbox", name="Search chats by title").fill("kitchen")
    links = page.locator("[data-session]")
    expect(links).to_have_count(1)
    links.first.click()
    # "New chat" ended it: what is written here starts another one.
    expect(page.locator("[data-ended]")).to_be_visible()
    ended = page.url
    say(page, "And the bathroom?")
    page.wait_for_url(lambda url: url != ended)
    expect(finished_answers(page)).to_have_count(1, timeout=30_000)
    expect(page.locator("[data-ended]")).to_be_hidden()


def test_reduced_motion_stops_what_moves(site: Site, house: House, open_page: OpenPage) -> None:
    page = open_page(site, house=house, reduced_motion="reduce")
    assert (
        page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--quick').trim()")
        == "0ms"
    )


def test_signing_out_elsewhere_is_said_and_leads_back(site: Site, house: House, open_page: OpenPage) -> None:
    page = open_page(site, house=house)
    say(page, "Hello there")
    expect(finished_answers(page)).to_have_count(1, timeout=30_000)
    other = open_page(site, "/memories/", context=page.context)
    other.locator("details[data-menu] summary").first.click()
    other.get_by_role("button", name="Sign out").click()
    problem = page.locator("[data-problem]")
    expect(problem).to_contain_text("You are signed out")
    problem.get_by_role("link", name="Sign in").click()
    expect(page.locator("[name=password]")).to_be_visible()
