"""Members and keys in a browser: an admin is asked before rights change, and sees a key once; in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, OpenPage, screenshot
from tests.e2e.test_everybody import serious
from tests.support.people import House
from tests.support.site import Site


def choose(page: Page, email: str, action: str) -> None:
    """Tick a member of the list and start an action."""
    page.get_by_role("row").filter(has_text=email).get_by_role("checkbox").check()
    page.locator("select[name=action]").select_option(action)
    page.locator("button[name=index]").click()


@pytest.mark.parametrize(
    ("language", "size", "asked", "once"),
    [
        ("en", DESKTOP, "Their open connections close at once", "This is shown once"),
        ("zh-hans", PHONE, "已打开的连接会立即断开", "仅显示这一次"),
    ],
)
def test_an_admin_decides_about_members_and_keys(
    site: Site,
    house: House,
    open_page: OpenPage,
    language: str,
    size: tuple[int, int],
    asked: str,
    once: str,
) -> None:
    path, email = "/admin/accounts/membership/", house.people["user"].email
    page = open_page(site, path, house=house, who="admin", language=language, size=size)
    choose(page, email, "deactivate")
    expect(page.get_by_text(asked)).to_be_visible()
    assert serious(page) == []
    if language == "en":
        screenshot(page, "operators-members")
    page.locator(".submit-row input[type=submit]").click()
    expect(page.locator(".messagelist .success")).to_be_visible()
    choose(page, email, "reactivate")
    page.locator(".submit-row input[type=submit]").click()
    expect(page.locator(".messagelist .success")).to_be_visible()

    page.goto(f"{site.url}/admin/accounts/apikey/add/")
    page.locator("#id_name").fill("ci")
    page.locator("#id_scopes").select_option("read")
    page.locator("input[name=_save]").click()
    expect(page.get_by_text(once)).to_be_visible()
    assert page.locator("input.secret").input_value().startswith("mh_")
    assert serious(page) == []
    page.goto(f"{site.url}/admin/accounts/apikey/")
    expect(page.get_by_text("ci", exact=True)).to_be_visible()
    assert page.locator(".messagelist").count() == 0 and "mh_" not in page.content()
