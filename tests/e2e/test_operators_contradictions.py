"""Contradictions and sweeps in a browser: settled and undone, many in one way; a sweep planned, started and paused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import expect

from memories.models import Contradiction, Evidence, Memory, SweepRun
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.e2e.conftest import PHONE, OpenPage, screenshot
from tests.e2e.test_everybody import serious
from tests.support.people import House
from tests.support.site import Site, SiteDatabase

CONTRADICTIONS, SWEEPS = "/admin/memories/contradiction/", "/admin/memories/sweeprun/"


def said(house: House, content: str, days: int, **fields: Any) -> Memory:
    at = timezone.now() - timedelta(days=days)
    memory: Memory = Memory.objects.create(
        subject_id=house.subjects["user"], content=content, fingerprint=uuid7().bytes, said_at=at,
        created_at=at, updated_at=at, kind="fact", **fields,
    )  # fmt: skip
    Evidence.objects.create(memory=memory, quote=content, role="user", said_at=at, created_at=at)
    return memory


def disputed(house: House, *pairs: tuple[str, str]) -> None:
    with tenant_transaction(house.id):
        for older, newer in pairs:
            Contradiction.objects.create(
                subject_id=house.subjects["user"], older=said(house, older, 20), newer=said(house, newer, 2),
                rule="slot.unclear", opened_at=timezone.now() - timedelta(days=2),
            )  # fmt: skip


def test_one_is_settled_and_undone_and_two_are_settled_in_one_way(
    site: Site, house: House, open_page: OpenPage, database: SiteDatabase
) -> None:
    with database.in_use():
        disputed(
            house,
            ("My sister lives in Leeds.", "My sister lives in Bristol."),
            ("The rent is 900 a month.", "The rent is 950 a month."),
        )
    page = open_page(site, "/admin/", house=house, who="operator")
    page.get_by_role("link", name="Open contradictions").click()
    page.locator("#result_list tbody a").first.click()
    expect(page.get_by_role("heading", name="The older one")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 1100})
    screenshot(page, "operators-contradictions")
    assert serious(page) == []
    page.get_by_label("Keep the older one").check()
    page.get_by_label("Reason").fill("asked the person")
    page.get_by_role("button", name="Settle it").click()
    expect(page.get_by_text("Settled: the older one was kept.")).to_be_visible()
    page.get_by_role("link", name="Undo the decision").click()
    page.get_by_role("button", name="Undo it").click()
    expect(page.get_by_text("It is open again")).to_be_visible()

    page.goto(f"{site.url}{CONTRADICTIONS}?state__exact=open")
    page.locator("#action-toggle").check()
    page.get_by_label("Action:").select_option("settle_chosen")
    page.get_by_role("button", name="Run").or_(page.get_by_role("button", name="Go")).click()
    expect(page.get_by_text("The rent is 950 a month.")).to_be_visible()
    page.get_by_label("Keep both").check()
    page.get_by_role("button", name="Settle all of them").click()
    expect(page.get_by_text("2 contradictions were settled.")).to_be_visible()


def test_a_sweep_is_planned_started_and_paused_on_a_phone_in_chinese(
    site: Site, house: House, open_page: OpenPage, database: SiteDatabase
) -> None:
    with database.in_use(), tenant_transaction(house.id):
        for number in range(3):
            said(house, f"门禁码是 {number}45", 9, expires_at=timezone.now() - timedelta(days=1))
        for days, took in ((3, 4), (2, 9), (1, 2)):
            at = timezone.now() - timedelta(days=days)
            SweepRun.objects.create(
                state="done", now=at, started_at=at, finished_at=at,
                counts={"rules": {"sweep.ttl": {"fact": took}}, "examined": 40},
            )  # fmt: skip
    page = open_page(site, SWEEPS, house=house, who="operator", language="zh-hans", size=PHONE)
    page.get_by_role("link", name="现在清理会带走什么").click()
    expect(page.get_by_text("门禁码是 045")).to_be_visible()
    assert serious(page) == []
    page.get_by_label("请输入“清理”").fill("清理")
    page.get_by_role("button", name="立即清理").click()
    expect(page.get_by_text("已交由后台执行")).to_be_visible()
    page.get_by_role("button", name="暂停清理").click()
    expect(page.get_by_role("button", name="恢复清理")).to_be_visible()
    assert serious(page) == []

    desk = open_page(site, SWEEPS, house=house, who="operator")
    expect(desk.get_by_role("figure", name="What each run took")).to_be_visible()
    screenshot(desk, "operators-sweeps")
