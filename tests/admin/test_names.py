"""The admin speaks the reader's language down to the names of lists, columns and states."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.admin_names import NAMES
from memories.models import SweepRun
from memoryhub.common.db import tenant_transaction
from tests.support.factories import NOW
from tests.support.people import House

pytestmark = pytest.mark.django_db


def test_lists_columns_and_states_are_chinese_for_who_reads_chinese(acme: House) -> None:
    with tenant_transaction(acme.id):
        SweepRun.objects.create(now=NOW, started_at=NOW, state="done")
    url = reverse("admin:memories_sweeprun_changelist")
    chinese = acme.client("operator").get(url, headers={"accept-language": "zh-hans"}).content.decode()
    assert "清理记录" in chinese and "已完成" in chinese and "开始时间" in chinese
    assert "weep run" not in chinese and "Started at" not in chinese
    english = acme.client("operator").get(url, headers={"accept-language": "en"}).content.decode()
    assert "sweep run" in english and "Started at" in english and "清理" not in english


def test_every_name_is_known_as_it_was_written() -> None:
    assert {"sweep run", "sweep runs", "started at", "Done", "Memory"} <= NAMES
