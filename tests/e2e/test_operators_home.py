"""The operators' home, health and audit in a browser: what waits, how the store does, who did what; in both languages."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memories.models import Contradiction, Job, RecallTrace
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage, screenshot
from tests.e2e.test_everybody import serious
from tests.e2e.test_operators_contradictions import disputed
from tests.support.people import House
from tests.support.site import Site, SiteDatabase


def fill(house: House) -> None:
    """Something that waits, something that failed, and two weeks of recalls."""
    disputed(house, ("The rent is 900 a month.", "The rent is 950 a month."))
    now = timezone.now()
    with tenant_transaction(house.id):
        assert Contradiction.objects.exists()
        Job.objects.create(
            kind="compact_session", key="s", state="failed", attempts=8, error_code="ModelUnavailable", run_after=now,
            created_at=now, finished_at=now - timedelta(hours=2),
        )  # fmt: skip
        for day in range(14):
            for number in range(3 + day % 4):
                RecallTrace.objects.create(
                    subject_id=house.subjects["user"], at=now - timedelta(days=day, minutes=number),
                    abstained=number == 0, milliseconds=8 + day, used_tokens=300 + 10 * day,
                    considered=[{"id": str(uuid7()), "used": True, "score": 0.5}],
                )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "size", "words"),
    [
        (
            "en",
            DESKTOP,
            ("What waits for you", "Compactions that failed", "Store health", "Hit rate", "Verify"),
        ),
        ("zh-hans", PHONE, ("等您处理的事项", "失败的压缩", "记忆库健康度", "命中率", "校验")),
    ],
)
def test_an_operators_morning(
    site: Site,
    house: House,
    open_page: OpenPage,
    database: SiteDatabase,
    language: str,
    size: tuple[int, int],
    words: tuple[str, ...],
) -> None:
    with database.in_use():
        fill(house)
    waits, failed, health, hits, verify = words
    page = open_page(site, "/admin/", house=house, who="operator", language=language, size=size)
    expect(page.get_by_text(waits)).to_be_visible()
    assert serious(page) == []
    if language == "en":
        screenshot(page, "operators-home")
    page.get_by_role("link", name=failed).click()
    expect(page.get_by_text("ModelUnavailable")).to_be_visible()

    page.goto(f"{site.url}/admin/")
    page.get_by_role("link", name=health).click()
    expect(page.get_by_role("rowheader", name=hits)).to_be_visible()
    assert serious(page) == []
    if language == "en":
        page.set_viewport_size({"width": 1280, "height": 1600})
        screenshot(page, "operators-health")

    page.goto(f"{site.url}/admin/accounts/auditentry/")
    expect(page.get_by_role("link", name=verify, exact=True)).to_be_visible()
    if language == "en":
        page.set_viewport_size({"width": 1280, "height": 800})
        screenshot(page, "operators-audit")
    page.get_by_role("link", name=verify, exact=True).click()
    assert serious(page) == []
