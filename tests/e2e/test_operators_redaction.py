"""Redaction in a browser: words are selected in a memory, every place is shown, the word is typed, and the proof is read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, expect

from memories.models import Fact, Memory, MemoryVersion, RecallTrace
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.e2e.conftest import PHONE, OpenPage, screenshot
from tests.e2e.test_everybody import serious
from tests.support.people import House
from tests.support.site import Site, SiteDatabase

VALUE = "QX-7731"


def fill(house: House) -> Memory:
    """A memory of the user with two versions, a fact and three questions about it."""
    at = timezone.now() - timedelta(days=2)
    subject_id = house.subjects["user"]
    with tenant_transaction(house.id):
        memory: Memory = Memory.objects.create(
            subject_id=subject_id, content=f"The contract number is {VALUE}, signed in Ghent.", kind="fact",
            version=2, fingerprint=uuid7().bytes, said_at=at, created_at=at, updated_at=at,
        )  # fmt: skip
        for number in (1, 2):
            MemoryVersion.objects.create(
                memory=memory, number=number, change="created", content=memory.content, state={}, actor_kind="user",
                at=at,
            )  # fmt: skip
        Fact.objects.create(
            memory=memory, subject_id=subject_id, entity="contract", attribute="number", value=VALUE,
            slot_key="contract|number",
        )  # fmt: skip
        for number in range(3):
            RecallTrace.objects.create(subject_id=subject_id, query=f"What is {VALUE}? ({number})", at=at)
    return memory


def fits_its_width(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_an_operator_redacts_words_of_a_memory(
    site: Site, house: House, database: SiteDatabase, django_db_blocker: Any, open_page: OpenPage
) -> None:
    with django_db_blocker.unblock(), database.in_use():
        memory = fill(house)
    page = open_page(site, f"/admin/memories/redaction/memory/{memory.pk}/", house=house, who="operator")
    page.evaluate(
        """(value) => {
            const node = document.querySelector('[data-redact-text]').firstChild;
            const at = node.data.indexOf(value);
            getSelection().setBaseAndExtent(node, at, node, at + value.length);
        }""",
        VALUE,
    )
    page.get_by_role("button", name="Take the selected words").click()
    expect(page.get_by_label("Words to take out")).to_have_value(VALUE)
    assert serious(page) == []
    page.get_by_role("button", name="Show every place").click()
    expect(page.locator("#places")).to_contain_text("versions")
    expect(page.locator("#places")).to_contain_text("traces: questions and contexts")
    page.get_by_label("Reason").fill("The customer asked for it")
    page.get_by_label("Type “redact” to confirm").fill("yes")
    page.get_by_role("button", name="Redact", exact=True).click()
    expect(page.get_by_text("Type the word to confirm.")).to_be_visible()
    assert serious(page) == []
    screenshot(page, "operators-redaction")
    page.get_by_label("Type “redact” to confirm").fill("redact")
    page.get_by_role("button", name="Redact", exact=True).click()
    expect(page.get_by_role("heading", name="No place is left")).to_be_visible()
    assert VALUE not in page.content() and serious(page) == []
    page.goto(f"{site.url}/admin/memories/memory/{memory.pk}/change/")
    expect(page.locator("body")).to_contain_text("[redacted], signed in Ghent.")
    assert VALUE not in page.content()


def test_everywhere_on_a_phone_in_chinese(
    site: Site, house: House, database: SiteDatabase, django_db_blocker: Any, open_page: OpenPage
) -> None:
    with django_db_blocker.unblock(), database.in_use():
        fill(house)
    page = open_page(
        site, "/admin/redact-everywhere/", house=house, who="operator", language="zh-hans", size=PHONE
    )
    assert fits_its_width(page) and serious(page) == []
    page.get_by_label("要删除的文字").fill("不存在的文字")
    page.get_by_label("或者一个模式").fill("a+")
    page.get_by_role("button", name="显示所有位置").click()
    expect(page.get_by_text("请填写要删除的文字，或一个模式。")).to_be_visible()
    page.get_by_label("要删除的文字").fill("")
    page.get_by_label("或者一个模式").fill(r"QX-\d{4}")
    page.get_by_role("button", name="显示所有位置").click()
    expect(page.locator("#places")).to_contain_text("历史版本")
    expect(page.get_by_text(VALUE)).to_be_visible()
    assert fits_its_width(page)
    page.get_by_label("原因").fill("客户要求")
    page.get_by_label("输入“删除”以确认").fill("删除")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="正在进行")).to_be_visible()
    expect(page.locator("progress")).to_have_count(1)
    assert VALUE not in page.content() and fits_its_width(page) and serious(page) == []
