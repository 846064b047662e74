"""The budget in a browser: an admin sets it, an operator sees it run out, and the chat goes on without the model."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, expect

from memories.core.budget import Spent, Use, month_of, months_until
from memories.services.set_budget import set_budget
from memories.store import usage
from memoryhub.common.db import tenant_transaction
from tests.e2e.conftest import PHONE, OpenPage, finished_answers, say, screenshot
from tests.e2e.test_everybody import serious
from tests.support.model_server import ModelServer
from tests.support.people import House
from tests.support.site import Site, SiteDatabase

PATH = "/admin/budget/"


def spend(house: House) -> None:
    """A year of growing use, and 850,000 tokens in this month."""
    *before, this = months_until(month_of(timezone.now()), 12)
    with tenant_transaction(house.id):
        for number, month in enumerate(before, start=3):
            usage.add(month, Use.ANSWER, Spent(40_000 * number, 6_000 * number, 50 * number))
            usage.add(month, Use.LEARNING, Spent(9_000 * number, 1_000 * number, 30 * number))
        usage.add(this, Use.ANSWER, Spent(600_000, 90_000, 820, 3))
        usage.add(this, Use.LEARNING, Spent(110_000, 12_000, 540))
        usage.add(this, Use.DIGEST, Spent(35_000, 3_000, 31))


def fits_its_width(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_an_admin_sets_the_limit_and_an_operator_is_warned(
    site: Site, house: House, database: SiteDatabase, django_db_blocker: Any, open_page: OpenPage
) -> None:
    with django_db_blocker.unblock(), database.in_use():
        spend(house)
    page = open_page(site, PATH, house=house, who="admin", language="zh-hans", size=PHONE)
    expect(page.locator("#budget-level")).to_have_text("未设上限。")
    page.get_by_label("每月 token 上限").fill("-5")
    page.get_by_label("每百万输入 token 的价格").fill("2.5")
    page.get_by_label("每百万输出 token 的价格").fill("10")
    page.get_by_label("原因").fill("与财务商定")
    page.get_by_role("button", name="保存").click()
    expect(page.locator(".errorlist")).to_be_visible()
    assert fits_its_width(page) and serious(page) == []
    page.get_by_label("每月 token 上限").fill("1000000")
    page.get_by_role("button", name="保存").click()
    expect(page.get_by_text("已保存为第 1 版。")).to_be_visible()
    expect(page.locator("#budget-level")).to_contain_text("85%")
    assert fits_its_width(page)

    desk = open_page(site, "/admin/", house=house, who="operator")
    row = desk.locator("#work-queue tr", has_text="Model tokens of this month are nearly spent")
    row.get_by_role("link").first.click()
    expect(desk.locator("#budget-level")).to_contain_text("(85%)")
    expect(desk.locator("#model-tokens tfoot")).to_contain_text("2.91")
    expect(desk.locator(".chart rect")).to_have_count(12)
    expect(desk.locator("[name=tokens_month]")).to_have_count(0)
    assert serious(desk) == []
    screenshot(desk, "operators-budget")
    desk.goto(f"{site.url}/admin/health/")
    expect(desk.locator("#budget-level")).to_contain_text("(85%)")


def test_when_the_month_is_spent_the_chat_goes_on_without_the_model(
    site_with_model: Site,
    model: ModelServer,
    house: House,
    database: SiteDatabase,
    django_db_blocker: Any,
    open_page: OpenPage,
) -> None:
    with django_db_blocker.unblock(), database.in_use():
        spend(house)
        set_budget(actor=house.actor("admin"), tokens_month=850_000, price_prompt=0, price_completion=0)
    asked = len(model.requests)
    page = open_page(site_with_model, house=house, who="user")
    say(page, "Remember: the contract number of this project is KX-7731.")
    expect(finished_answers(page)).to_have_count(1)
    answer = finished_answers(page).last
    expect(answer).to_contain_text("KX-7731")
    expect(answer).to_contain_text("model tokens for this month are spent")
    expect(answer).to_contain_text("An admin of your organisation can raise the limit.")
    assert len(model.requests) == asked
    assert serious(page) == []
    desk = open_page(site_with_model, "/admin/", house=house, who="operator")
    row = desk.locator("#work-queue tr.urgent", has_text="Model tokens of this month are spent")
    expect(row).to_have_count(1)
