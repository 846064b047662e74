"""Platform staff who choose an organisation and leave it again, and failed work that is tried again, in a browser."""

from __future__ import annotations

import re
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import AuditEntry, User
from memories.models import Job
from memoryhub.common.db import tenant_transaction
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.test_everybody import serious
from tests.support.people import House
from tests.support.site import Site, SiteDatabase


def failed(house: House, number: int) -> None:
    """So many turns that could not be learnt from."""
    now = timezone.now()
    with tenant_transaction(house.id):
        Job.objects.bulk_create(
            Job(
                kind="learn_turn", key=str(at), state="failed", attempts=8, error_code="ModelUnavailable", run_after=now,
                created_at=now, finished_at=now - timedelta(hours=2),
            )
            for at in range(number)
        )  # fmt: skip


def test_staff_choose_an_organisation_see_where_they_are_and_leave_it(
    site: Site, house: House, open_page: OpenPage, database: SiteDatabase
) -> None:
    with database.in_use():
        person = User.objects.create_superuser(f"staff@{house.tenant.slug}.platform.example", "x")
    staff = House(house.tenant, {"staff": person}, {})
    page = open_page(site, "/admin/", house=staff, who="staff", size=PHONE)
    page.get_by_role("button", name=house.tenant.name, exact=True).click()
    banner = page.get_by_role("complementary", name="Whose organisation this is")
    expect(banner).to_contain_text(f"You are in {house.tenant.name}")
    assert serious(page) == []
    page.goto(f"{site.url}/admin/memories/job/")
    expect(banner).to_be_visible()
    banner.get_by_role("button", name=f"Leave {house.tenant.name}").click()
    expect(page.get_by_role("heading", name="Choose an organisation")).to_be_visible()
    page.goto(f"{site.url}/admin/")
    expect(page).to_have_url(re.compile("/tenant/"))
    with database.in_use(), tenant_transaction(house.id):
        done = AuditEntry.objects.filter(actor_id=str(person.pk)).order_by("seq")
        assert list(done.values_list("action", flat=True)) == ["staff.entered", "staff.left"]


def test_failed_work_is_tried_again_two_hundred_at_once(
    site: Site, house: House, open_page: OpenPage, database: SiteDatabase
) -> None:
    with database.in_use():
        failed(house, 203)
    page = open_page(site, "/admin/", house=house, who="operator", language="zh-hans")
    page.get_by_role("link", name="未能学习的轮次").click()
    page.locator("#action-toggle").click()
    page.get_by_text(re.compile("选中所有|选中全部")).click()
    page.locator("select[name=action]").select_option("try_again")
    page.get_by_role("button", name="执行").click()
    expect(page.locator("#more")).to_contain_text("200")
    expect(page.locator("#jobs tbody tr")).to_have_count(200)
    assert serious(page) == []
    page.get_by_role("button", name="重试").click()
    expect(page.get_by_text(re.compile("200 个任务"))).to_be_visible()
    with database.in_use(), tenant_transaction(house.id):
        assert Job.objects.filter(state="failed").count() == 3
