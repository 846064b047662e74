"""The memory page and the tombstones in a browser: read, revealed with a reason, forgotten ones restored and purged."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, expect

from memories.models import Evidence, Fact, Memory, MemoryVersion, RecallTrace, Tombstone
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.e2e.conftest import PHONE, OpenPage, screenshot
from tests.e2e.test_everybody import serious
from tests.support.people import House
from tests.support.site import Site, SiteDatabase

CLEAR = "The code of the shed is 4471"
LIST = "/admin/memories/tombstone/"


def remembered(house: House, content: str, **fields: Any) -> Memory:
    at = timezone.now() - timedelta(days=20)
    memory: Memory = Memory.objects.create(
        subject_id=house.subjects["user"], content=content, fingerprint=uuid7().bytes, said_at=at,
        created_at=at, updated_at=at, **{"kind": "fact", "rule": "gate.structured", **fields},
    )  # fmt: skip
    return memory


def fill(house: House) -> Memory:
    """A memory with two versions, a quote, a fact and three recalls."""
    subject_id = house.subjects["user"]
    with tenant_transaction(house.id):
        memory = remembered(house, "The contract number is KX-9920, signed in Ghent.", version=2, hits=3)
        at = memory.created_at
        for number, text in enumerate(("The contract number is KX-4410.", memory.content), 1):
            MemoryVersion.objects.create(
                memory=memory, number=number, change="edited" if number > 1 else "created", content=text, state={},
                actor_kind="user", actor_id=str(house.user_of("user").pk), rule="gate.structured",
                at=at + timedelta(days=number),
            )  # fmt: skip
        Evidence.objects.create(
            memory=memory, quote="our contract number is KX-4410", role="user", said_at=at, created_at=at,
            turn_id=uuid7(),
        )  # fmt: skip
        Fact.objects.create(
            memory=memory, subject_id=subject_id, entity="contract", attribute="number", value="KX-9920",
            slot_key="contract|number",
        )  # fmt: skip
        for day in range(3):
            considered = {
                "id": str(memory.pk),
                "item_kind": "memory",
                "score": 0.7 - day / 10,
                "used": day < 2,
            }
            RecallTrace.objects.create(
                subject_id=subject_id, query="Which number has the contract?", at=at + timedelta(days=3 + day),
                considered=[{**considered, "scores": {"similarity": 0.81, "strength": 0.4, "recency": 0.1}}],
            )  # fmt: skip
    return memory


def forgotten(house: House, *texts: str) -> None:
    with tenant_transaction(house.id):
        for text in texts:
            memory = remembered(house, text, status="forgotten")
            Tombstone.objects.create(
                memory=memory, subject_id=memory.subject_id, previous_status="current", cause="user",
                actor_kind="user", actor_id=str(house.user_of("user").pk), at=timezone.now(),
                purge_after=timezone.now() + timedelta(days=9),
            )  # fmt: skip


def fits_its_width(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_an_operator_reads_why_a_memory_is_there_and_reveals_a_sensitive_one(
    site: Site, house: House, database: SiteDatabase, django_db_blocker: Any, open_page: OpenPage
) -> None:
    with django_db_blocker.unblock(), database.in_use():
        memory = fill(house)
        with tenant_transaction(house.id):
            sealed = remembered(house, CLEAR, kind="sensitive")
    page = open_page(site, f"/admin/memories/memory/{memory.pk}/change/", house=house, who="operator")
    expect(page.get_by_role("img", name="Strength over time")).to_be_visible()
    expect(page.locator("ins").first).to_be_visible()
    expect(page.locator("tr", has_text="Which number has the contract?")).to_have_count(3)
    assert serious(page) == [] and fits_its_width(page)
    screenshot(page, "operators-memory")
    page.goto(f"{site.url}/admin/memories/memory/{sealed.pk}/change/")
    expect(page.locator("#memory-text + p .masked")).to_be_visible()
    assert CLEAR not in page.content()
    page.get_by_role("link", name="Reveal", exact=True).click()
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".errorlist")).to_be_visible()
    page.get_by_label("Reason").fill("She asked why the door stays shut")
    page.keyboard.press("Enter")
    expect(page.locator("#clear-text")).to_have_text(CLEAR)
    assert serious(page) == []
    screenshot(page, "operators-memory-reveal")
    page.goto(f"{site.url}/admin/memories/memory/{sealed.pk}/change/")
    expect(page.get_by_text("She asked why the door stays shut")).to_be_visible()
    assert CLEAR not in page.content()
    own = open_page(site, "/memories/", house=house, who="user")
    expect(own.locator("[data-reveal]")).to_contain_text("She asked why the door stays shut")


def test_tombstones_come_back_or_go_for_good(
    site: Site, house: House, database: SiteDatabase, django_db_blocker: Any, open_page: OpenPage
) -> None:
    with django_db_blocker.unblock(), database.in_use():
        forgotten(house, "Green tea in the morning", "Coffee at noon", "The code is 1234")
    page = open_page(site, LIST, house=house, who="operator")
    expect(page.get_by_text("can come back for 30 days")).to_be_visible()
    for row in (0, 1):
        page.locator("#result_list .action-checkbox input").nth(row).check()
    page.get_by_label("Action:").select_option(label="Restore")
    page.get_by_role("button", name="Go").click()
    expect(page.locator("#content-main tbody tr")).to_have_count(2)
    assert serious(page) == [] and fits_its_width(page)
    screenshot(page, "operators-tombstones")
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("2 memories were restored.")).to_be_visible()


def test_a_purge_on_a_phone_in_chinese(
    site: Site, house: House, database: SiteDatabase, django_db_blocker: Any, open_page: OpenPage
) -> None:
    with django_db_blocker.unblock(), database.in_use():
        forgotten(house, "早上喝绿茶")
        memory = fill(house)
    page = open_page(site, f"{LIST}?state=open", house=house, who="operator", language="zh-hans", size=PHONE)
    page.locator("#result_list tbody th a").first.click()
    page.get_by_role("link", name="立即彻底清除").click()
    expect(page.get_by_text("早上喝绿茶")).to_be_visible()
    assert fits_its_width(page) and serious(page) == []
    page.get_by_label("输入“清除”").fill("好")
    page.keyboard.press("Enter")
    expect(page.locator(".errorlist")).to_be_visible()
    page.get_by_label("输入“清除”").fill("清除")
    page.keyboard.press("Enter")
    expect(page.get_by_text("已清除 1 条记忆。")).to_be_visible()
    page.goto(f"{site.url}/admin/memories/memory/{memory.pk}/change/")
    expect(page.get_by_role("heading", name="为什么被记住")).to_be_visible()
    assert fits_its_width(page) and serious(page) == []
