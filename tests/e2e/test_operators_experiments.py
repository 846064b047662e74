"""Experiments in a browser: an admin defines, starts and adopts one, and an operator reads what it has shown."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from memories.models import Experiment, RecallTrace
from memories.services.experiments.create_experiment import create_experiment
from memories.services.experiments.start_experiment import start_experiment
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession
from tests.e2e.conftest import PHONE, OpenPage, screenshot
from tests.e2e.test_everybody import serious
from tests.support.people import House
from tests.support.site import Site, SiteDatabase

PATH = "/admin/memories/experiment/"


def fill(house: House, row: Experiment) -> None:
    """Sessions as a fortnight may bring them: B completes more, and reads less."""
    subject_id, at = house.subjects["user"], row.started_at
    outcomes = {
        "a": {"done": 48, "failed": 12, "reworked": 20},
        "b": {"done": 56, "failed": 7, "reworked": 7},
    }
    with tenant_transaction(house.id):
        for arm, counts in outcomes.items():
            rows = ChatSession.objects.bulk_create(
                ChatSession(
                    subject_id=subject_id, tenant_id=house.id, experiment_id=row.pk, policy_variant=arm,
                    outcome=outcome, started_at=at, last_activity_at=at,
                )
                for outcome, many in counts.items()
                for _ in range(many)
            )  # fmt: skip
            RecallTrace.objects.bulk_create(
                RecallTrace(
                    tenant_id=house.id, subject_id=subject_id, session_id=one.pk, experiment_id=row.pk, arm=arm,
                    used_tokens=(1500 if arm == "a" else 1100) + number % 7 * 40, abstained=number % 5 == 0,
                    milliseconds=20 + number % 9, at=at,
                )
                for number, one in enumerate(rows)
            )  # fmt: skip


def fits_its_width(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_an_admin_runs_an_experiment_and_adopts_it(
    site: Site, house: House, database: SiteDatabase, django_db_blocker: Any, open_page: OpenPage
) -> None:
    page = open_page(site, PATH, house=house, who="admin", language="zh-hans", size=PHONE)
    page.get_by_role("link", name="定义实验").click()
    page.get_by_label("实验名称").fill("少取几条记忆")
    page.get_by_label("预期", exact=False).first.fill(
        "三条就够，完成率不降，读取的更少。等到每组 70 个会话。"
    )
    page.get_by_label("规则 1").select_option("recall.k")
    page.get_by_label("B 组的值 1").fill("900")
    page.get_by_role("button", name="保存为草稿").click()
    expect(page.get_by_text("超出范围：")).to_be_visible()
    assert fits_its_width(page) and serious(page) == []
    page.get_by_label("B 组的值 1").fill("3")
    page.get_by_role("button", name="保存为草稿").click()
    expect(page.locator("#arms")).to_contain_text("recall.k")
    page.get_by_role("link", name="启动", exact=True).click()
    # By keyboard alone.
    page.get_by_role("button", name="启动实验").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_have_text("进行中")
    expect(page.get_by_text("现在下结论为时过早")).to_be_visible()

    with django_db_blocker.unblock(), database.in_use():
        with tenant_transaction(house.id):
            row = Experiment.objects.get()
        fill(house, row)
    page.reload()
    expect(page.locator("#measure-completion")).to_contain_text("B 的完成率更高：+5.2 至 +33.4 个百分点")
    assert fits_its_width(page) and serious(page) == []
    page.get_by_role("link", name="采用 B").click()
    page.get_by_role("button", name="所有会话都采用 B").click()
    expect(page.locator("#state")).to_have_text("已采用")
    page.get_by_role("link", name="所有版本").click()
    expect(page.locator("#version-1")).to_contain_text("采用自实验“少取几条记忆”")


def test_an_operator_reads_what_it_has_shown(
    site: Site, house: House, database: SiteDatabase, django_db_blocker: Any, open_page: OpenPage
) -> None:
    with django_db_blocker.unblock(), database.in_use():
        admin = house.actor("admin")
        row = create_experiment(
            actor=admin,
            name="Fewer memories",
            hypothesis="Three memories are enough: as much is completed, and less is read. 70 sessions an arm.",
            overrides={"recall.k": 3, "context.depth": 30},
        )
        fill(house, start_experiment(actor=admin, experiment_id=row.pk))
    page = open_page(site, PATH, house=house, who="operator")
    page.get_by_role("link", name="Fewer memories").click()
    expect(page.locator("#counted")).to_contain_text("80 sessions in A, 70 in B.")
    expect(page.locator("#measure-completion")).to_contain_text("B completes more: +5.2 to +33.4 points")
    expect(page.locator("#measure-tokens")).to_contain_text("B reads less: −")
    expect(page.locator("#measure-abstained")).to_contain_text("not told apart yet")
    expect(page.locator("#measure-bad_verdicts")).to_contain_text("too early")
    for name in ("Stop", "Adopt B"):
        expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)
    page.get_by_text("How to read this").click()
    expect(page.get_by_text("In brackets stand 95 % intervals")).to_be_visible()
    assert serious(page) == [] and fits_its_width(page)
    page.get_by_text("How to read this").click()
    page.set_viewport_size({"width": 1280, "height": 1250})
    screenshot(page, "operators-experiments")
