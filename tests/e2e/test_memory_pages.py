"""The pages of what one's memory asks, of who one is, and of forgetting: by keyboard alone, on a desk and on a phone, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.test_everybody import serious
from tests.support.people import House
from tests.support.site import Site


@dataclass(frozen=True)
class Told:
    """What somebody says in a language, and what the pages then say."""

    language: str
    size: tuple[int, int]
    dark: bool
    older: str
    newer: str
    keep_later: str
    decided: str
    undo: str
    rule_field: str
    rule: str
    add: str
    remove: str
    holds_no_more: str
    forget_field: str
    vain: str
    request: str
    forget: str
    yes: str
    forgotten: str
    bring_back: str
    brought_back: str
    nothing: str


EN = Told(
    "en", DESKTOP, False,
    "Odile's phone number is 0200411", "Odile's phone number is 0200422", "Keep the later one", "What you decided", "Undo",
    "New rule", "Never answer with tables", "Add", "Remove", "The rule holds no more",
    "What is to be forgotten?", "forget my phone number", "forget everything about me", "Forget", "Yes, forget it", "forgotten", "Bring it back", "brought back",
    "nothing was stored of it",
)  # fmt: skip
ZH = Told(
    "zh-hans", PHONE, True,
    "秦岚的电话是0200411", "秦岚的电话是0200422", "保留较晚的", "您做过的决定", "撤销",
    "新规矩", "回答不要用表格", "添加", "删除", "不再生效",
    "要忘记什么？", "忘掉我的手机号", "忘掉所有关于我的事", "忘记", "是，忘记", "已忘记", "恢复", "已恢复",
    "没有存过",
)  # fmt: skip


def _tab_to(page: Page, wanted: Locator, *, most: int = 60) -> None:
    """Press Tab until the wanted element has the focus; an AssertionError when no press brings it there."""
    expect(wanted).to_be_visible()
    for _ in range(most):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the keyboard does not reach it")


def _press(page: Page, name: str, *, within: Locator | None = None) -> None:
    button = (within or page.get_by_role("main")).get_by_role("button", name=name, exact=True).first
    _tab_to(page, button)
    page.keyboard.press("Enter")


def _keep(page: Page, site: Site, text: str) -> None:
    """Over REST, as the person who is signed in."""
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    answer = page.request.post(
        f"{site.url}/api/v1/memories/",
        data={"content": text},
        headers={"X-CSRFToken": token, "Referer": site.url},
    )
    assert answer.ok, answer.text()


def _usable(page: Page) -> None:
    """Nothing serious for assistive technology, and nothing beside the screen."""
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("told", [EN, ZH], ids=["en-desk", "zh-phone"])
def test_a_contradiction_is_settled_and_opened_again_by_keyboard(
    site: Site, house: House, open_page: OpenPage, told: Told
) -> None:
    page = open_page(
        site, "/memories/questions/", house=house, language=told.language, size=told.size, dark=told.dark
    )
    _usable(page)
    _keep(page, site, told.older)
    _keep(page, site, told.newer)
    page.reload()
    expect(page.get_by_role("main")).to_contain_text(told.newer)
    _usable(page)
    _press(page, told.keep_later)
    decided = page.get_by_role("region", name=told.decided)
    expect(decided).to_contain_text(told.newer)
    _usable(page)
    _press(page, told.undo, within=decided)
    expect(page.get_by_role("button", name=told.keep_later)).to_be_visible()


@pytest.mark.parametrize("told", [EN, ZH], ids=["en-desk", "zh-phone"])
def test_a_rule_is_laid_down_and_taken_back_by_keyboard(
    site: Site, house: House, open_page: OpenPage, told: Told
) -> None:
    page = open_page(
        site, "/memories/about/", house=house, language=told.language, size=told.size, dark=told.dark
    )
    _tab_to(page, page.get_by_role("textbox", name=told.rule_field))
    page.keyboard.insert_text(told.rule)
    _press(page, told.add)
    rules = page.get_by_role("main").get_by_role("listitem").filter(has_text=told.rule)
    expect(rules).to_have_count(1)
    _usable(page)
    _press(page, told.remove)
    expect(page.get_by_role("main")).to_contain_text(told.holds_no_more)
    expect(rules).to_have_count(0)


@pytest.mark.parametrize("told", [EN, ZH], ids=["en-desk", "zh-phone"])
def test_forgetting_is_asked_confirmed_and_undone_by_keyboard(
    site: Site, house: House, open_page: OpenPage, told: Told
) -> None:
    page = open_page(
        site, "/memories/forgetting/", house=house, language=told.language, size=told.size, dark=told.dark
    )

    def ask(request: str) -> None:
        _tab_to(page, page.get_by_role("textbox", name=told.forget_field))
        page.keyboard.insert_text(request)
        _press(page, told.forget)

    requests = page.get_by_role("region").nth(1).get_by_role("listitem")
    ask(told.vain)
    expect(requests.first).to_contain_text(told.nothing)
    _keep(page, site, told.older)
    ask(told.request)
    expect(requests.first.get_by_role("button", name=told.yes)).to_be_visible()
    _usable(page)
    _press(page, told.yes)
    expect(requests.first).to_contain_text(told.forgotten)
    _press(page, told.bring_back)
    expect(requests.first).to_contain_text(told.brought_back)
    _usable(page)
