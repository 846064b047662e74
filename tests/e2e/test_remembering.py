"""What was said in one chat answers a question in another, days later, with the memory beside the answer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, OpenPage, finished_answers, say, screenshot
from tests.support.people import PASSWORD, House
from tests.support.site import Site, SiteDatabase

SCRIPTS = {
    "zh-hans": ("记一下,这个项目的合同编号是 KX-7731", "合同编号是多少", "记住了", "您", "新对话"),
    "en": (
        "Please remember: the contract number of this project is KX-7731",
        "What is the contract number?",
        "Remembered",
        "you",
        "New chat",
    ),
}


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_a_contract_number_is_known_three_days_later(
    site: Site, database: SiteDatabase, house: House, open_page: OpenPage, language: str
) -> None:
    told, asked, remembered, speaker, new_chat = SCRIPTS[language]
    page = open_page(site, house=house, language=language)
    screenshot(page, f"new-chat-{language}")
    say(page, told)
    expect(page.locator(".turn.user .outcomes")).to_contain_text(remembered, timeout=30_000)
    expect(finished_answers(page)).to_have_count(1, timeout=30_000)

    database.let_time_pass(house, timedelta(days=3))
    page.reload()
    page.get_by_role("button", name=new_chat, exact=True).click()
    expect(page.locator("[data-welcome]")).to_be_visible()
    say(page, asked)

    answer = finished_answers(page)
    expect(answer).to_have_count(1, timeout=30_000)
    expect(answer.locator(".markdown")).to_contain_text("KX-7731")
    cite = answer.locator("a.cite").first
    expect(cite).to_be_visible()
    cite.click()
    item = answer.locator(".used-item.cited").first
    expect(item).to_be_focused()
    expect(item.locator(".text")).to_contain_text("KX-7731")
    expect(item).to_contain_text(speaker)
    expect(page.locator("[data-below]")).to_be_hidden()
    screenshot(page, f"remembered-{language}")

    item.locator("a", has_text="出处" if language == "zh-hans" else "Where it was said").click()
    expect(page.locator(".turn:target .said")).to_have_text(told)


def test_signing_in_through_the_page_and_out_again(site: Site, house: House, open_page: OpenPage) -> None:
    page = open_page(site, "/")
    page.get_by_label("E-mail").or_(page.locator("[name=login]")).first.fill(house.user_of().email)
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="What shall I remember?")).to_be_visible()
    page.locator("details[data-menu] summary").first.click()
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{site.url}/memories/")
    expect(page.locator("[name=password]")).to_be_visible()


def test_the_language_is_switched_for_the_whole_page(site: Site, house: House, open_page: OpenPage) -> None:
    page = open_page(site, house=house)
    page.locator("details[data-menu] summary").first.click()
    page.get_by_role("button", name="中文").click()
    expect(
        page.get_by_role("heading", name="想让我记住什么?").or_(page.locator("[data-welcome] h2"))
    ).to_have_text("想让我记住什么？")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")


def _tell(page: Page, text: str) -> None:
    before = finished_answers(page).count()
    say(page, text)
    expect(finished_answers(page)).to_have_count(before + 1, timeout=30_000)


def test_memories_are_searched_corrected_pinned_forgotten_and_brought_back(
    site: Site, house: House, open_page: OpenPage
) -> None:
    page = open_page(site, house=house)
    _tell(page, "Please remember: I am allergic to peanuts")
    _tell(page, "Please remember: my favourite tea is oolong")
    page.get_by_role("link", name="Memories").click()
    items = page.locator(".memory:visible")
    expect(items).to_have_count(2)
    tea = items.filter(has_text="oolong")

    tea.get_by_role("button", name="Pin").click()
    expect(items.first).to_contain_text("oolong")
    expect(items.first).to_contain_text("pinned")
    screenshot(page, "memories-en")

    page.get_by_role("searchbox", name="Search memories").fill("PEANUTS")
    page.get_by_role("button", name="Search").click()
    expect(items).to_have_count(1)
    items.first.locator("summary").click()
    items.first.get_by_label("Text").fill("I am allergic to peanuts and to sesame")
    items.first.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="The memory is changed.")).to_be_visible()
    expect(items.first).to_contain_text("sesame")

    items.first.get_by_role("button", name="Forget").click()
    expect(items).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(items).to_have_count(1)
    items.first.get_by_role("button", name="Forget").click()
    expect(items).to_have_count(0)
    page.goto(f"{site.url}/memories/?gone=1")
    items.filter(has_text="sesame").first.get_by_role("button", name="Bring back").click()
    expect(page.locator(".toast")).to_have_text("It is remembered again.")
    page.goto(f"{site.url}/memories/")
    expect(items).to_have_count(2)


def test_a_forgotten_memory_disappears_from_an_open_chat(
    site: Site, house: House, open_page: OpenPage
) -> None:
    page = open_page(site, house=house)
    _tell(page, "Please remember: my locker is number 4417")
    _tell(page, "What is my locker number?")
    page.locator("[data-used] summary").last.click()
    item = page.locator(".used-item[data-memory]").filter(has_text="4417").last
    item.get_by_role("button", name="Forget").click()
    gone = page.locator(".used-item.gone").last
    expect(gone.locator(".text")).to_have_text("Forgotten")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".used-item[data-memory]").last).to_contain_text("4417")


def test_the_memory_page_works_without_scripts(site: Site, house: House, open_page: OpenPage) -> None:
    chat = open_page(site, house=house)
    _tell(chat, "Please remember: my bicycle is green")
    page = open_page(site, "/memories/", house=house, java_script_enabled=False)
    page.get_by_role("button", name="Pin").click()
    expect(page.locator(".memory")).to_contain_text("pinned")
    page.get_by_role("button", name="Forget").click()
    expect(page.locator(".memory")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".memory")).to_have_count(1)
    page.locator(".memory summary").click()
    page.get_by_label("Text").fill("my bicycle is red")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".memory .text")).to_have_text("my bicycle is red")


def test_two_editors_of_one_memory_are_told_of_each_other(
    site: Site, house: House, open_page: OpenPage
) -> None:
    chat = open_page(site, house=house)
    _tell(chat, "Please remember: my desk is on floor 3")
    first = open_page(site, "/memories/", context=chat.context)
    second = open_page(site, "/memories/", context=chat.context)
    for page, floor in ((first, 4), (second, 5)):
        page.locator(".memory summary").click()
        page.locator(".memory").get_by_label("Text").fill(f"my desk is on floor {floor}")
        page.locator(".memory").get_by_role("button", name="Save").click()
    expect(second.get_by_role("alert")).to_contain_text("changed meanwhile")
    expect(second.locator(".current-text")).to_have_text("my desk is on floor 4")
    second.get_by_role("button", name="Save").click()
    expect(second.locator(".memory .text")).to_have_text("my desk is on floor 5")


def test_phones_show_everything_without_scrolling_sideways(
    site: Site, house: House, open_page: OpenPage
) -> None:
    page = open_page(site, house=house, size=PHONE, dark=True, language="zh-hans", has_touch=True)
    _tell(page, "记一下:例会是每周三上午十点")
    _tell(page, "https://example.com/" + "a-word-that-does-not-end-" * 12)
    _tell(page, "例会是什么时候?")
    page.locator("[data-used] summary").last.click()
    screenshot(page, "phone-dark-zh-hans")
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 720})
        for path in (page.url, f"{site.url}/memories/", f"{site.url}/"):
            page.goto(path)
            page.wait_for_load_state()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, path)
