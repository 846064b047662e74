"""The policy in a browser: an operator tries a change, an admin saves it, a second tab loses no update, and a version comes back."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, expect

from memories.models import Memory, RecallTrace
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.e2e.conftest import PHONE, OpenPage, screenshot
from tests.e2e.test_everybody import serious
from tests.support.people import House
from tests.support.site import Site, SiteDatabase

PATH = "/admin/policy/"


def fill_house(house: House) -> None:
    """Twelve facts, five days old, and three recalls that another weight of strength turns round."""
    at = timezone.now() - timedelta(days=5)
    parts = [{"similarity": 0.8, "strength": 0.2}, {"similarity": 0.6, "strength": 0.7}]
    considered = [
        {"id": str(uuid.uuid4()), "item_kind": "memory", "score": score, "scores": scores, "used": True}
        for score, scores in zip((0.48, 0.47), parts, strict=True)
    ]
    subject_id = house.subjects["user"]
    with tenant_transaction(house.id):
        Memory.objects.bulk_create(
            Memory(
                subject_id=subject_id, content=f"The greenhouse has {one} windows.", kind="fact", importance=0.3,
                strength=1.0, fingerprint=uuid7().bytes, said_at=at, created_at=at, updated_at=at,
            )
            for one in range(12)
        )  # fmt: skip
        RecallTrace.objects.bulk_create(
            RecallTrace(subject_id=subject_id, query=f"How many windows has it? ({one})", considered=considered, at=at)
            for one in range(3)
        )  # fmt: skip


def fits_its_width(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_an_operator_tries_a_change_and_only_an_admin_saves_it(
    site: Site, house: House, database: SiteDatabase, django_db_blocker: Any, open_page: OpenPage
) -> None:
    with django_db_blocker.unblock(), database.in_use():
        fill_house(house)
    page = open_page(site, PATH, house=house, who="operator")
    expect(page.get_by_text("The defaults of the table are in force.")).to_be_visible()
    page.get_by_label("Search rules").fill("half-life")
    page.get_by_label("Search rules").fill("half_life.fact")
    page.keyboard.press("Enter")
    field = page.get_by_label("half_life.fact")
    expect(page.locator(".policy-rule")).to_have_count(1)
    field.fill("0")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("must lie in the range: 0.01 to 36500 days")).to_be_visible()
    page.get_by_label("half_life.fact").fill("1")
    page.get_by_label("Search rules").fill("weight strength")
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_label("recall.weight.strength").fill("0.4")
    page.get_by_role("button", name="Preview").click()

    expect(page.locator("#sweep-before")).to_have_text("0")
    expect(page.locator("#sweep-after")).to_have_text("12")
    expect(page.get_by_text("another memory comes first: 3")).to_be_visible()
    expect(page.locator("#preview-recalls tbody tr")).to_have_count(3)
    expect(page.locator("#preview-recalls .policy-unsaved code")).to_have_text("half_life.fact")
    expect(page.get_by_role("button", name="Save as version 1")).to_have_count(0)
    assert serious(page) == []
    screenshot(page, "operators-policy-preview")


def test_an_admin_saves_loses_no_other_change_and_goes_back(
    site: Site, house: House, open_page: OpenPage
) -> None:
    page = open_page(site, PATH, house=house, who="admin", language="zh-hans", size=PHONE)
    second = open_page(site, PATH, context=page.context)
    for tab, key, value in ((page, "recall.k", "9"), (second, "sweep.floor", "0.1")):
        tab.get_by_label(key).fill(value)
        tab.get_by_role("button", name="预览").click()
    assert fits_its_width(page)
    page.get_by_label("原因").fill("六条不够")
    page.get_by_role("button", name="保存为第 1 版").click()
    expect(page.get_by_text("已保存为第 1 版。")).to_be_visible()
    expect(page.locator("#version-1")).to_contain_text("六条不够")

    second.get_by_label("原因").fill("归档太晚")
    second.get_by_role("button", name="保存为第 1 版").click()
    expect(second.get_by_text("您从第 0 版开始编辑，其间有人保存了第 1 版。")).to_be_visible()
    second.get_by_role("button", name="把我的改动套用到第 1 版").click()
    expect(second.get_by_label("recall.k")).to_have_value("9")
    expect(second.get_by_label("sweep.floor")).to_have_value("0.1")
    assert fits_its_width(second)
    second.get_by_role("button", name="预览").click()
    second.get_by_label("原因").fill("归档太晚")
    second.get_by_role("button", name="保存为第 2 版").click()

    second.get_by_role("link", name="预览恢复到第 1 版").click()
    expect(second.locator("#preview-changes")).to_contain_text("sweep.floor")
    second.get_by_label("原因").fill("还是原来的好")
    second.get_by_role("button", name="保存为第 3 版").click()
    expect(second.locator("#version-3")).to_contain_text("还是原来的好")
    assert fits_its_width(second) and serious(second) == []

    desk = open_page(site, f"{PATH}?preset=balanced", house=house, who="admin", language="zh-hans")
    expect(desk.get_by_label("recall.weight.importance")).to_have_value("0.15")
    expect(desk.get_by_text("有尚未保存的改动")).to_be_visible()
    assert serious(desk) == []
    desk.locator("#group-weights").scroll_into_view_if_needed()
    screenshot(desk, "operators-policy")
