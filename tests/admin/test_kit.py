"""What the operators' pages share: the home, who may open a page, how a refusal is told, and charts."""

from __future__ import annotations

import itertools
import re

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

from accounts.models import Subject
from accounts.operator_pages import PAGES, add_problem
from memoryhub.common.charts import WIDTH, Mark, bars, curve
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid
from tests.support.factories import make_memory
from tests.support.people import House, make_house


@pytest.fixture
def acme(db: None) -> House:
    return make_house("acme")


def test_the_home_lists_work_and_pages(acme: House) -> None:
    page = acme.client("operator").get(reverse("admin:index")).content.decode()
    assert 'id="work-queue"' in page


@pytest.mark.django_db
def test_no_page_of_the_operators_opens_for_others(acme: House) -> None:
    for page in PAGES:
        url = reverse(f"admin:{page.name}")
        assert acme.client("admin").get(url).status_code == 200, url
        for client in (Client(), acme.client("user")):
            assert client.get(url).status_code == 302, url


def test_a_refusal_stands_at_the_field_that_it_names() -> None:
    class Named(forms.Form):
        reason = forms.CharField()

    form = Named({"reason": "x"})
    assert form.is_valid()
    add_problem(form, Invalid("bad", fields={"reason": "too short", "other": "unknown"}))
    assert form.errors == {"reason": ["too short"]}
    form = Named({"reason": "x"})
    assert form.is_valid()
    add_problem(form, Conflict("it was settled already", hint="Reload."))
    assert form.non_field_errors() == ["it was settled already. Reload."]


def test_charts_tell_their_numbers_and_escape_what_they_show() -> None:
    chart = bars("a & b", [Mark("<b>", 3, "3 of <b>", "/there/"), Mark("c", 0, "none")])
    assert chart.count("<rect") == 2
    assert "<b>" not in chart
    assert chart.count('href="/there/"') == 2
    assert 'role="group"' in chart
    assert 'role="img"' in bars("a", [Mark("b", 1, "1 of b")])
    assert "style=" not in chart and "<script" not in chart
    drawn = curve("c", [Mark(str(day), 1 / (day + 1), f"day {day}") for day in range(30)], floor=0.05)
    assert drawn.count("<circle") == 30
    assert drawn.count("<text") <= 12
    assert 'class="floor"' in drawn
    broken = curve("c", [Mark(str(n), None if n == 2 else 1.0, f"{n}") for n in range(5)])
    assert (broken.count("<circle"), broken.count("<polyline"), broken.count("<li>")) == (4, 2, 5)


@pytest.mark.parametrize("label", ["November 30", "11-30", "11月30日"])
@pytest.mark.parametrize("number", [1, 2, 8, 31, 91])
def test_no_label_of_a_chart_stands_on_another(label: str, number: int) -> None:
    broad = sum(6 if char.isascii() else 11 for char in label)
    marks = [Mark(label, 1.0, "one")] * number
    for drawn in (bars("c", marks), curve("c", marks)):
        middles = [float(x) for x in re.findall(r'<text x="([0-9.]+)"', drawn)]
        assert middles and min(middles) >= broad / 2 and max(middles) <= WIDTH - broad / 2
        assert all(after - before >= broad for before, after in itertools.pairwise(middles)), middles


def test_an_exact_search_finds_by_id_and_by_person_and_by_nothing_else(acme: House, globex: House) -> None:
    with tenant_transaction(acme.id):
        memory = make_memory(acme.subjects["user"], "the shed is locked")
        make_memory(acme.subjects["other"], "another's")
        person = Subject.objects.get(pk=acme.subjects["user"]).external_id
    url = reverse("admin:memories_memory_changelist")

    def found(house: House, term: str) -> list[object]:
        answer = house.client("operator").get(url, {"q": term})
        assert answer.status_code == 200 and answer.context_data is not None
        return [row.pk for row in answer.context_data["cl"].result_list]

    for term in (str(memory.pk), f" {str(memory.pk).upper()} ", person):
        assert found(acme, term) == [memory.pk], term
        assert found(globex, term) == []
    for term in ("shed", person[:8], "%", "x" * 500, "'"):
        assert found(acme, term) == []
