"""The page of the budget, its row on the home and its part of store health: who reads, who sets, and no other tenant's numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from memories.adapters.factory import override
from memories.core.budget import Spent, Use
from memories.models import Experiment, PolicyVersion
from memories.ports import FixedClock
from memories.services.model_usage import charge_alone
from memories.services.policies import forget_cached, set_policy
from memories.services.set_budget import set_budget
from memoryhub.common.db import tenant_transaction
from tests.support.people import House

pytestmark = pytest.mark.django_db

URL = "/admin/budget/"
NUMBERS = {"tokens_month": 2000, "price_prompt": 10, "price_completion": 40, "note": "what we agreed on"}


@pytest.fixture(autouse=True)
def _clock() -> Iterator[None]:
    forget_cached()
    with override(clock=FixedClock(datetime(2026, 3, 10, tzinfo=UTC))):
        yield
    forget_cached()


def limit(house: House, tokens: int, prompt: float = 0, completion: float = 0) -> None:
    set_budget(
        actor=house.actor("admin"), tokens_month=tokens, price_prompt=prompt, price_completion=completion
    )
    forget_cached(house.id)


def page(client: Client, url: str = URL, language: str = "en") -> str:
    answer = client.get(url, headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def cells(shown: str) -> list[list[str]]:
    """The rows of the table of this month."""
    table = shown[shown.index('id="model-tokens"') :]
    rows = re.findall(r"<tr>(.*?)</tr>", table[: table.index("</table>")], re.S)
    return [re.findall(r'<td class="number">\s*(.*?)\s*</td>', row, re.S) for row in rows[1:]]


def versions(house: House) -> list[PolicyVersion]:
    with tenant_transaction(house.id):
        return list(PolicyVersion.objects.order_by("number"))


def test_the_month_is_told_by_use_with_its_cost(acme: House) -> None:
    charge_alone(acme.id, Use.ANSWER, Spent(600, 100, 3, 1))
    charge_alone(acme.id, Use.DIGEST, Spent(200, 50, 1))
    limit(acme, 1000, prompt=1000, completion=10_000)
    shown = page(acme.client("operator"))
    assert cells(shown) == [
        ["3", "600", "100", "700", "1.60", "1"],
        ["0", "0", "0", "0", "0.00", "0"],
        ["1", "200", "50", "250", "0.70", "0"],
        ["4", "800", "150", "950", "2.30", "1"],
    ]
    assert "950 of 1,000 tokens (95%)" in shown and "2026-03: 950 tokens in 4 calls" in shown
    assert "budget-warns" in shown
    health = page(acme.client("operator"), reverse("admin:store_health"))
    assert cells(health) == cells(shown) and f'href="{URL}"' in health


def test_an_admin_sets_it_and_an_operator_only_reads(acme: House) -> None:
    operator, admin = acme.client("operator"), acme.client("admin")
    assert 'name="tokens_month"' not in page(operator)
    assert operator.post(URL, {**NUMBERS, "expected": 0}).status_code == 403
    assert versions(acme) == []
    assert 'name="tokens_month"' in page(admin)
    assert admin.post(URL, {**NUMBERS, "expected": 0}).status_code == 302
    [made] = versions(acme)
    assert made.note == "what we agreed on"
    assert made.overrides == {
        "budget.tokens_month": 2000, "budget.price_prompt": 10.0, "budget.price_completion": 40.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {"tokens_month": -1},
        {"tokens_month": "many"},
        {"tokens_month": 10**13},
        {"price_prompt": "nan"},
        {"price_completion": -0.5},
        {"note": ""},
        {"expected": 7},
    ],
)
def test_bad_input_changes_nothing_and_is_told(acme: House, wrong: dict[str, object]) -> None:
    answer = acme.client("admin").post(URL, {**NUMBERS, "expected": 0, **wrong})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert versions(acme) == []


def test_who_comes_second_loses_no_version(acme: House) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"recall.k": 9})
    answer = acme.client("admin").post(URL, {**NUMBERS, "expected": 0})
    assert "the policy is at version 1, not 0" in answer.content.decode()
    assert len(versions(acme)) == 1


def test_it_says_that_saving_stops_an_experiment(acme: House) -> None:
    assert "An experiment is running" not in page(acme.client("admin"))
    with tenant_transaction(acme.id):
        Experiment.objects.create(
            name="a", hypothesis="b", state="running", created_at=datetime(2026, 3, 1, tzinfo=UTC)
        )
    assert "An experiment is running" in page(acme.client("admin"))


def test_the_home_warns_from_four_fifths_on(acme: House) -> None:
    home, client = reverse("admin:index"), acme.client("operator")
    charge_alone(acme.id, Use.ANSWER, Spent(799, 0, 1))
    assert "Model tokens of this month" not in page(client, home)
    limit(acme, 1000)

    def row() -> str:
        found = re.search(
            r"<tr[^>]*>(?:(?!</tr>).)*Model tokens of this month.*?</tr>", page(client, home), re.S
        )
        assert found is not None
        return found[0]

    assert "done" in row()
    charge_alone(acme.id, Use.DIGEST, Spent(1, 0, 1))
    assert "nearly spent" in row() and "urgent" not in row() and "done" not in row()
    assert f'href="{URL}"' in row()
    charge_alone(acme.id, Use.LEARNING, Spent(0, 200, 1))
    assert "are spent" in row() and "urgent" in row() and "1,000 of 1,000 tokens" in row()


def test_nothing_of_it_shows_in_another_tenant(acme: House, globex: House) -> None:
    charge_alone(acme.id, Use.ANSWER, Spent(77_311, 0, 1))
    limit(acme, 77_300)
    for url in (URL, reverse("admin:index"), reverse("admin:store_health")):
        shown = page(globex.client("operator"), url)
        assert not [number for number in ("77,311", "77311", "77,300", "77300") if number in shown]
    assert cells(page(globex.client("operator")))[-1] == ["0", "0", "0", "0", "–", "0"]
    globex.client("admin").post(URL, {**NUMBERS, "expected": 0})
    assert versions(acme)[-1].overrides == {"budget.tokens_month": 77_300}
    for client in (Client(), acme.client("user"), globex.client("user")):
        assert client.get(URL).status_code == 302


def test_it_reads_in_chinese(acme: House) -> None:
    charge_alone(acme.id, Use.ANSWER, Spent(900, 100, 3, 1))
    limit(acme, 1000)
    shown = page(acme.client("admin"), language="zh-hans")
    assert "本月用量已用完" in shown and "从消息中学习" in shown and "每月 token 上限" in shown
