"""Experiments in the admin: defined, started, read, stopped and adopted by those who may, and nothing of them for others."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Iterator

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from memories.admin.experiments_form import offered
from memories.admin.experiments_words import CORE_SAYS, MEASURES, Line
from memories.core.experiments import WHY_NOT, ArmNumbers, compare
from memories.core.intervals import Sample
from memories.models import Experiment, PolicyVersion
from memories.services.experiments.create_experiment import create_experiment
from memories.services.experiments.start_experiment import start_experiment
from memories.services.policies import forget_cached, policy_of, set_policy
from memoryhub.common.charts import Span, spans
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession
from tests.support.people import House

pytestmark = pytest.mark.django_db

LIST, NEW = "admin:memories_experiment_changelist", "admin:memories_experiment_new"
VERBS = ("start", "stop", "adopt", "discard")
GIVEN = {
    "name": "Fewer memories",
    "hypothesis": "Three are enough.",
    "share": "40",
    "rule_1": "recall.k",
    "value_1": "3",
}


@pytest.fixture(autouse=True)
def _uncached() -> Iterator[None]:
    forget_cached()
    yield
    forget_cached()


def text_of(answer: HttpResponse) -> str:
    return html.unescape(answer.content.decode())


def page_of(row: Experiment, verb: str = "change") -> str:
    return reverse(f"admin:memories_experiment_{verb}", args=[row.pk])


def draft(house: House, **overrides: object) -> Experiment:
    return create_experiment(
        actor=house.actor("admin"),
        name="Wolpertinger trial",
        hypothesis="It hops.",
        overrides=overrides or {"recall.k": 3},
    )


def running(house: House) -> Experiment:
    return start_experiment(actor=house.actor("admin"), experiment_id=draft(house).pk)


def stored(house: House) -> list[Experiment]:
    with tenant_transaction(house.id):
        return list(Experiment.objects.order_by("id"))


def fill(house: House, row: Experiment, arm: str, outcomes: dict[str, int]) -> None:
    with tenant_transaction(house.id):
        ChatSession.objects.bulk_create(
            ChatSession(
                tenant_id=house.id, subject_id=house.subjects["user"], experiment_id=row.pk, policy_variant=arm,
                outcome=outcome, started_at=row.started_at, last_activity_at=row.started_at,
            )
            for outcome, many in outcomes.items()
            for _ in range(many)
        )  # fmt: skip


def row_of(page: str, measure: str) -> str:
    found = re.search(rf'<tr id="measure-{measure}".*?</tr>', page, re.S)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def test_an_admin_defines_starts_and_stops_one(acme: House) -> None:
    admin = acme.client("admin")
    assert "Define an experiment" in text_of(admin.get(reverse(LIST)))
    assert "recall.k: " in text_of(admin.get(reverse(NEW)))
    answer = admin.post(reverse(NEW), GIVEN, follow=True)
    (row,) = stored(acme)
    assert answer.redirect_chain == [(page_of(row), 302)]
    page = text_of(answer)
    assert "The draft is saved" in page and "Arm B takes 40 %" in page and "Three are enough." in page
    assert (row.overrides, row.share, row.state) == ({"recall.k": 3}, 0.4, "draft")
    assert page_of(row, "start") in page and page_of(row, "stop") not in page
    assert "each new session belongs to one of the arms" in text_of(admin.get(page_of(row, "start")))
    page = text_of(admin.post(page_of(row, "start"), follow=True))
    assert "Arm A is version 0 of the policy" in page and "0 sessions in A, 0 in B." in page
    assert "too early to say anything" in page
    page = text_of(admin.post(page_of(row, "stop"), {"note": "Enough."}, follow=True))
    assert "It is stopped" in page and "Enough." in page and "Stopped" in page
    assert [one.state for one in stored(acme)] == ["stopped"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "This field is required."),
        ({"share": "3"}, "greater than or equal to 5"),
        ({"rule_1": "", "value_1": ""}, "change at least one rule in arm B"),
        ({"rule_1": ""}, "choose one of the list"),
        ({"rule_1": "no.rule"}, "choose one of the list"),
        ({"rule_1": "pii.action.phone", "value_1": "mask"}, "how sensitive content is treated"),
        ({"rule_1": "sweep.floor", "value_1": "0.1"}, "works on the whole tenant at once"),
        ({"value_1": "x"}, "must be a number"),
        ({"value_1": "900"}, "must lie in the range: 1 to 100"),
        ({"value_1": "6"}, "has this value already"),
        ({"value_1": "90"}, "must not be above recall.candidates"),
        ({"rule_2": "recall.k", "value_2": "4"}, "this rule stands in another row already"),
        ({"hypothesis": "a\x00b"}, "Null characters are not allowed"),
    ],
)
def test_what_does_not_fit_is_told_at_its_field(acme: House, changes: dict[str, str], said: str) -> None:
    answer = acme.client("admin").post(reverse(NEW), {**GIVEN, **changes})
    page = text_of(answer)
    assert answer.status_code == 200 and said in page
    assert page.index("errorlist") < page.index(said) < page.index("</fieldset>")
    assert not stored(acme)


def test_a_rule_that_is_at_odds_with_another_is_told_above_the_fields(acme: House) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"recall.k": 30})
    answer = acme.client("admin").post(
        reverse(NEW), {**GIVEN, "rule_1": "recall.candidates", "value_1": "20"}
    )
    assert "recall.k" in text_of(answer).split("<fieldset")[0] and not stored(acme)


def test_two_do_not_run_at_once(acme: House) -> None:
    running(acme)
    second = draft(acme)
    page = text_of(acme.client("admin").post(page_of(second, "start")))
    assert "another experiment is running" in page
    assert sorted(one.state for one in stored(acme)) == ["draft", "running"]


def test_the_numbers_are_told_with_their_intervals_and_in_words(acme: House) -> None:
    row = running(acme)
    fill(acme, row, "a", {"done": 48, "failed": 12, "reworked": 20, "": 20})
    fill(acme, row, "b", {"done": 56, "failed": 7, "reworked": 7, "": 20})
    page = text_of(acme.client("operator").get(page_of(row)))
    assert "100 sessions in A, 90 in B." in page and "too early to say anything" not in page
    # Wilson's and Newcombe's numbers of 48/80 and 56/70.
    done = row_of(page, "completion")
    assert "60.0 % (49.0 – 70.0)" in done and "80.0 % (69.2 – 87.7)" in done
    assert "B completes more: +5.2 to +33.4 points" in done
    assert "B is reworked less often: −" in row_of(page, "rework")
    assert "not told apart yet" in row_of(page, "with_outcome")
    assert "too early: 0 sessions of 30" in row_of(page, "tokens")
    assert '<svg viewBox="0 0 640 132"' in page
    chinese = acme.client("operator").get(page_of(row), headers={"accept-language": "zh-hans"})
    assert "+5.2" in chinese.content.decode()


def test_adopting_makes_a_version_and_says_so(acme: House) -> None:
    row, admin = running(acme), acme.client("admin")
    asked = text_of(admin.get(page_of(row, "adopt")))
    assert "recall.k" in asked and "Adopt B for every session" in asked
    expected = re.search(r'name="expected" value="(\d+)"', asked)
    assert expected is not None and expected[1] == "0"
    page = text_of(admin.post(page_of(row, "adopt"), {"expected": "0", "note": ""}, follow=True))
    assert "B is adopted: it is version 1 of the policy." in page
    with tenant_transaction(acme.id):
        version = PolicyVersion.objects.get()
    assert (
        version.overrides == {"recall.k": 3}
        and version.note == "Adopted from the experiment “Wolpertinger trial”"
    )
    forget_cached()
    assert policy_of(acme.id)[0].integer("recall.k") == 3
    assert "href" not in row_buttons(text_of(admin.get(page_of(row))))


def row_buttons(page: str) -> str:
    return "".join(re.findall(r'<a class="button" href="[^"]*/(?:start|stop|adopt|discard)/"', page))


def test_an_adoption_over_a_policy_that_was_saved_meanwhile_is_refused(acme: House) -> None:
    row, admin = running(acme), acme.client("admin")
    set_policy(actor=acme.actor("admin"), overrides={"window.rounds": 5})
    answer = admin.post(page_of(row, "adopt"), {"expected": "0"})
    assert "the policy is at version 1, not 0" in text_of(answer)
    page = text_of(admin.get(page_of(row)))
    assert "It was stopped when version 1 of the policy was saved" in page


def test_saving_a_policy_says_before_that_it_stops_the_experiment(acme: House) -> None:
    admin = acme.client("admin")
    draft_of_policy = {"draft": '{"overrides": {"window.rounds": 5}, "custom": {}}', "expected": "0"}
    before = text_of(admin.post("/admin/policy/", {**draft_of_policy, "action": "preview"}))
    assert "Wolpertinger trial" not in before
    row = running(acme)
    page = text_of(admin.post("/admin/policy/", {**draft_of_policy, "action": "preview"}))
    assert "Saving stops the experiment" in page and page_of(row) in page


def test_a_draft_is_discarded(acme: House) -> None:
    row = draft(acme)
    answer = acme.client("admin").post(page_of(row, "discard"), follow=True)
    assert "The draft is gone." in text_of(answer) and not stored(acme)


def test_operators_read_but_decide_nothing(acme: House) -> None:
    row, operator = running(acme), acme.client("operator")
    listed = text_of(operator.get(reverse(LIST)))
    assert "Wolpertinger trial" in listed and reverse(NEW) not in listed
    page = text_of(operator.get(page_of(row)))
    assert "It hops." in page and row_buttons(page) == ""
    for url in (reverse(NEW), *(page_of(row, verb) for verb in VERBS)):
        assert operator.get(url).status_code == operator.post(url).status_code == 403
    assert operator.post(page_of(row)).status_code == 405
    assert [one.state for one in stored(acme)] == ["running"]


def test_nobody_else_learns_of_it(acme: House, globex: House) -> None:
    row = running(acme)
    for client in (globex.client("operator"), globex.client("admin")):
        assert "Wolpertinger" not in text_of(client.get(reverse(LIST)))
        assert client.get(page_of(row)).status_code in {302, 404}
    for verb in VERBS:
        assert globex.client("admin").get(page_of(row, verb)).status_code == 404
        assert globex.client("admin").post(page_of(row, verb), {"expected": "0"}).status_code == 404
    assert "Wolpertinger" not in text_of(globex.client("admin").get(reverse(NEW)))
    for url in (reverse(LIST), reverse(NEW), page_of(row), page_of(row, "stop")):
        assert acme.client("user").get(url).status_code == 302
    assert acme.client("admin").get(page_of(row).replace(str(row.pk), str(uuid.uuid4()))).status_code == 404
    assert [one.state for one in stored(acme)] == ["running"]


def test_pages_take_as_many_queries_with_many_sessions_as_with_few(acme: House) -> None:
    row, client = running(acme), acme.client("operator")
    client.get(page_of(row))

    def count(url: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url).status_code == 200
        return len(queries)

    few = count(page_of(row)), count(reverse(LIST))
    fill(acme, row, "a", {"done": 300})
    fill(acme, row, "b", {"done": 300})
    assert (count(page_of(row)), count(reverse(LIST))) == few
    assert max(few) <= 20, few


def test_means_are_told_in_their_unit_and_a_minus_is_a_minus() -> None:
    a = ArmNumbers(tokens=Sample(40, 1500.0, 400.0))
    b = ArmNumbers(tokens=Sample(40, 1300.0, 400.0))
    line = next(Line(one) for one in compare(a, b) if one.name == "tokens")
    assert line.difference == "−209 to −191 tokens" and line.verdict == "B reads less: −209 to −191 tokens"
    assert line.a == "1,500 (1,494 – 1,506)" and line.mark == "better"


def test_every_measure_and_reason_has_words() -> None:
    assert set(MEASURES) == {one.name for one in compare(ArmNumbers(), ArmNumbers())}
    with translation.override("en"):  # As the core says it, whatever language a page was asked for in before.
        said = {str(one) for one in CORE_SAYS}
    assert {reason for _, reason in WHY_NOT} <= said
    assert all(rules for _, rules in offered())


def test_intervals_stand_around_a_zero_in_the_middle() -> None:
    drawn = spans("Points", [Span("one <b>", -10, 5, 20, "told"), Span("two", 0, 0, 0, "none")])
    assert 'x1="320.0" x2="320.0"' in drawn and "one &lt;b&gt;" in drawn
    # 20 is as far as it reaches: 312 of 320 units.
    assert 'x1="164.0" x2="632.0"' in drawn and 'cx="398.0"' in drawn
