"""The policy's editor: what does not fit stands at its field, nothing is saved before its preview, and nobody else's change is lost."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import AuditEntry, User
from memories.adapters.factory import get_clock
from memories.admin.policies_form import parsed
from memories.admin.policies_words import GROUPS, group_of
from memories.core.policy import RULES
from memories.models import Memory, PolicyVersion, RecallTrace
from memories.services import policies
from memories.services.policies import set_policy
from memories.services.recall import recall
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import keep
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db

URL = "/admin/policy/"


@pytest.fixture(autouse=True)
def _uncached() -> Any:
    policies.forget_cached()
    yield
    policies.forget_cached()


@pytest.fixture
def acme(db: None) -> House:
    return make_house("acme")


@pytest.fixture
def globex(db: None) -> House:
    return make_house("globex")


def text_of(answer: HttpResponse) -> str:
    return html.unescape(answer.content.decode())


def fields_of(answer: HttpResponse) -> dict[str, str]:
    """What the form of the page would send, as a browser does."""
    page = answer.content.decode()
    found: dict[str, str] = {}
    for tag in re.findall(r"<input\b[^>]*>", page):
        kind, name = re.search(r'type="(\w+)"', tag), re.search(r'name="([^"]+)"', tag)
        if name is None or kind is None or kind[1] == "submit" or name[1] == "csrfmiddlewaretoken":
            continue
        if kind[1] == "checkbox" and "checked" not in tag:
            continue
        value = re.search(r'value="([^"]*)"', tag)
        found[name[1]] = html.unescape(value[1]) if value else "on" if kind[1] == "checkbox" else ""
    for name, body in re.findall(r'<select name="([^"]+)"(.*?)</select>', page, re.S):
        chosen = re.search(r'<option value="([^"]*)"\s+selected', body)
        found[name] = chosen[1] if chosen else ""
    return found


def send(house: House, action: str, answer: HttpResponse, who: str = "admin", **changes: str) -> HttpResponse:
    data = {
        **fields_of(answer),
        "action": action,
        **{key.replace("__", "."): value for key, value in changes.items()},
    }
    sent: Any = house.client(who).post(URL, data)
    return sent


def versions(house: House) -> list[PolicyVersion]:
    with tenant_transaction(house.id):
        return list(PolicyVersion.objects.order_by("number"))


def test_every_rule_has_its_place_and_its_words_in_both_languages(acme: House) -> None:
    page = text_of(acme.client("operator").get(URL))
    for key, rule in RULES.items():
        assert f'name="rule.{key}"' in page and rule.reason in page, key
        assert group_of(key) is not GROUPS[-1], f"{key}: name it in a group"
    untold = []
    with translation.override("zh-hans"):
        for rule in RULES.values():
            untold += [text for text in (rule.reason, rule.unit) if translation.gettext(text) == text]
    assert sorted(set(untold) - {"0..1"}) == []


def test_a_search_and_the_filter_leave_what_is_meant(acme: House) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"recall.k": 9})
    client = acme.client("operator")
    page = text_of(client.get(URL, {"q": "sweep floor"}))
    assert re.findall(r'name="rule\.([^"]+)"', page) == ["sweep.floor"]
    assert "group-own" not in page
    page = text_of(client.get(URL, {"changed": "1"}))
    assert re.findall(r'name="rule\.([^"]+)"', page) == ["recall.k"]
    assert "No rule fits" in text_of(client.get(URL, {"q": "<script>"}))


def test_a_change_is_previewed_then_saved_with_a_reason(acme: House) -> None:
    client = acme.client("admin")
    edit = client.get(URL)
    preview = send(acme, "preview", edit, rule__recall__k="9", **{"rule.pii.action.phone": "mask"})
    page = text_of(preview)
    assert "Save as version 1" in page and "recall.k" in page and "pii.action.phone" in page
    assert "Holds for what is said from now on" in page
    assert versions(acme) == []
    refused = send(acme, "save", preview)
    assert "This field is required" in text_of(refused) and versions(acme) == []
    saved = send(acme, "save", refused, note="fewer is too few")
    assert saved.status_code == 302
    (row,) = versions(acme)
    assert (row.number, row.overrides, row.note) == (
        1,
        {"pii.action.phone": "mask", "recall.k": 9},
        "fewer is too few",
    )
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.order_by("-seq").first()
        assert entry is not None and entry.action == "policy.set"
    listed = text_of(client.get(reverse("admin:memories_policyversion_versions")))
    assert [word for word in ("fewer is too few", "acme admin", "recall.k") if word not in listed] == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"recall.k": "0"}, ["recall.k"]),
        ({"recall.k": "six"}, ["recall.k"]),
        ({"recall.k": "6.5"}, ["recall.k"]),
        ({"sweep.floor": "nan", "half_life.fact": "-1"}, ["half_life.fact", "sweep.floor"]),
        ({"pii.action.phone": "shred"}, ["pii.action.phone"]),
        ({"recall.k": "90"}, ["recall.k"]),
        ({"recall.candidates": "5"}, ["recall.candidates"]),
        ({f"recall.weight.{name}": "0" for name in ("similarity", "strength", "recency", "importance", "credibility")},
         ["recall.weight.similarity"]),
    ],
    ids=["range", "word", "whole", "two at once", "choice", "above another", "below another", "all weights 0"],
)  # fmt: skip
def test_what_does_not_fit_stands_at_its_field(acme: House, fields: dict[str, str], said: list[str]) -> None:
    edit = acme.client("admin").get(URL)
    answer = send(acme, "preview", edit, **{f"rule.{key}": value for key, value in fields.items()})
    page = text_of(answer)
    assert sorted(re.findall(r'id="error_rule\.([^"]+)"', page)) == said
    assert "Save as version" not in page
    for key, value in fields.items():
        assert fields_of(answer).get(f"rule.{key}") in {value, ""}
    assert versions(acme) == []


def test_a_draft_survives_a_search_and_a_field_can_go_back_to_its_default(acme: House) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"sweep.floor": 0.1})
    client = acme.client("admin")
    shown = send(acme, "show", client.get(URL), q="window", **{"rule.recall.k": "9"})
    assert "rule.recall.k" not in fields_of(shown)
    whole = send(acme, "show", shown, q="", **{"rule.window.rounds": "12"})
    sent = fields_of(whole)
    assert (sent["rule.recall.k"], sent["rule.window.rounds"], sent["rule.sweep.floor"]) == ("9", "12", "0.1")
    back = send(acme, "", whole, reset="sweep.floor")
    assert fields_of(back)["rule.sweep.floor"] == ""
    send(acme, "save", send(acme, "preview", back), note="tidied")
    assert versions(acme)[-1].overrides == {"recall.k": 9, "window.rounds": 12}


def test_a_preset_fills_the_form_and_saves_nothing(acme: House) -> None:
    client = acme.client("admin")
    filled = client.get(URL, {"preset": "balanced"})
    sent = fields_of(filled)
    assert [sent[f"rule.recall.weight.{name}"] for name in ("similarity", "strength", "importance", "recency")] == [
        "0.55", "0.3", "0.15", "0",
    ]  # fmt: skip
    assert fields_of(client.get(URL, {"preset": "task"}))["rule.window.rounds"] == "10"
    assert client.get(URL, {"preset": "no such"}).status_code == 200
    assert versions(acme) == []


def test_a_second_tab_is_told_and_may_take_its_changes_over(acme: House) -> None:
    client = acme.client("admin")
    preview = send(acme, "preview", client.get(URL), **{"rule.recall.k": "9"})
    set_policy(actor=acme.actor("admin"), overrides={"sweep.floor": 0.1})
    conflict = send(acme, "save", preview, note="mine")
    page = text_of(conflict)
    assert "Somebody saved version 1" in page and "Save as version" not in page
    assert [row.overrides for row in versions(acme)] == [{"sweep.floor": 0.1}]
    edit = send(acme, "rebase", conflict)
    assert (fields_of(edit)["rule.recall.k"], fields_of(edit)["rule.sweep.floor"]) == ("9", "0.1")
    assert send(acme, "save", send(acme, "preview", edit), note="mine").status_code == 302
    assert versions(acme)[-1].overrides == {"recall.k": 9, "sweep.floor": 0.1}


def test_an_operator_may_look_and_preview_but_not_save(acme: House) -> None:
    preview = send(acme, "preview", acme.client("operator").get(URL), "operator", **{"rule.recall.k": "9"})
    assert "recall.k" in text_of(preview) and "Save as version" not in text_of(preview)
    assert send(acme, "save", preview, "operator", note="let me").status_code == 403
    set_policy(actor=acme.actor("admin"), overrides={"recall.k": 9})
    revert = reverse("admin:memories_policyversion_revert", args=[0])
    assert "Save as version" not in text_of(acme.client("operator").get(revert))
    assert acme.client("operator").post(revert, {"note": "let me", "expected": "1"}).status_code == 403
    assert len(versions(acme)) == 1


def test_own_patterns_and_fields_are_rows(acme: House) -> None:
    client = acme.client("admin")
    edit = client.get(URL)
    bad = send(acme, "preview", edit, **{"patterns-0-name": "badge", "patterns-0-pattern": "(B+)+"})
    assert "Save as version" not in text_of(bad) and fields_of(bad)["patterns-0-pattern"] == "(B+)+"
    good = send(
        acme, "preview", bad,
        **{"patterns-0-pattern": "B-[0-9]{4}", "fields-0-name": "room", "fields-0-labels": "room, 房间"},
    )  # fmt: skip
    assert "own:badge" in text_of(good) and "own:room" in text_of(good)
    send(acme, "save", good, note="our badges")
    stored = versions(acme)[-1].custom
    assert stored["patterns"][0]["pattern"] == "B-[0-9]{4}" and stored["fields"][0]["labels"] == [
        "room",
        "房间",
    ]
    again = client.get(URL)
    gone = send(acme, "preview", again, **{"patterns-0-DELETE": "on"})
    send(acme, "save", gone, note="no badges")
    assert versions(acme)[-1].custom["patterns"] == []


def test_the_preview_counts_and_links_and_masks(acme: House, django_assert_max_num_queries: Any) -> None:
    make_recalls(acme, 12)
    changes = {"rule.recall.weight.strength": "0.4", "rule.half_life.fact": "1"}
    edit = acme.client("operator").get(URL)
    # Who asks, the site's own, the policies, the traces, two counts, and one entry of the audit.
    with django_assert_max_num_queries(45):
        preview = send(acme, "preview", edit, "operator", **changes)
    page = text_of(preview)
    assert "in 0 of 12 recalls, other memories stand among the first 6" in page
    assert "another memory comes first: 12" in page
    assert page.count("/admin/memories/recalltrace/") >= 10
    assert "what is the code of the garden" in page
    assert "half_life.fact" in page and "on nothing that a trace holds" in page
    set_policy(actor=acme.actor("admin"), overrides={"operators.contents": "masked"})
    policies.forget_cached()
    masked = send(acme, "preview", acme.client("operator").get(URL), "operator", **changes)
    assert "what is the code of the garden" not in text_of(masked) and "another" in text_of(masked)


def test_platform_staff_try_changes_and_read_no_question(acme: House) -> None:
    make_recalls(acme, 1)
    staff = Client()
    staff.force_login(
        User.objects.create_superuser("staff@platform.example", "x"),
        backend="allauth.account.auth_backends.AuthenticationBackend",
    )
    staff.post("/tenant/", {"tenant": acme.id})
    sent = {**fields_of(staff.get(URL)), "rule.recall.weight.strength": "0.4"}
    page = text_of(staff.post(URL, {**sent, "action": "preview"}))
    assert "another memory comes first: 1" in page and "the garden" not in page
    assert staff.post(URL, {**sent, "action": "save", "note": "x"}).status_code == 403
    assert versions(acme) == []


def make_recalls(house: House, count: int) -> None:
    parts = [{"similarity": 0.8, "strength": 0.2}, {"similarity": 0.6, "strength": 0.7}]
    considered = [
        {"id": str(uuid7()), "item_kind": "memory", "score": score, "scores": scores, "used": True}
        for score, scores in zip((0.48, 0.47), parts, strict=True)
    ]
    with tenant_transaction(house.id):
        RecallTrace.objects.bulk_create(
            RecallTrace(
                subject_id=house.subjects["user"],
                query=f"what is the code of the garden {at}",
                considered=considered,
                at=get_clock().now(),
            )
            for at in range(count)
        )


def test_going_back_shows_what_it_does_and_makes_a_new_version(acme: House) -> None:
    admin = acme.actor("admin")
    set_policy(actor=admin, overrides={"recall.k": 9})
    set_policy(actor=admin, overrides={"recall.k": 9, "sweep.floor": 0.1})
    client = acme.client("admin")
    url = reverse("admin:memories_policyversion_revert", args=[1])
    page = client.get(url)
    assert "sweep.floor" in text_of(page) and "Save as version 3" in text_of(page)
    stale = client.post(url, {"note": "back", "expected": "1"})
    assert "version 2, not 1" in text_of(stale) and len(versions(acme)) == 2
    assert stale.context["form"]["expected"].value() == 2, "what is shown now can be saved"
    assert client.post(url, {"note": "", "expected": "2"}).status_code == 200
    assert client.post(url, {"note": "back", "expected": "2"}).status_code == 302
    assert (versions(acme)[-1].number, versions(acme)[-1].overrides) == (3, {"recall.k": 9})
    for number in (9, 10**30):
        assert client.get(reverse("admin:memories_policyversion_revert", args=[number])).status_code == 404


def test_another_tenant_sees_nothing_of_it(acme: House, globex: House) -> None:
    set_policy(
        actor=acme.actor("admin"), overrides={"recall.k": 97, "recall.candidates": 999}, note="ACME-NOTE"
    )
    make_recalls(acme, 3)
    with tenant_transaction(acme.id):
        at = get_clock().now()
        Memory.objects.create(
            subject_id=acme.subjects["user"], content="x", kind="fact", fingerprint=b"x", said_at=at, created_at=at,
            updated_at=at, expires_at=at,
        )  # fmt: skip
    for who in ("operator", "admin"):
        client = globex.client(who)
        page = text_of(client.get(URL)) + text_of(
            client.get(reverse("admin:memories_policyversion_versions"))
        )
        page += text_of(send(globex, "preview", client.get(URL), who, **{"rule.sweep.floor": "0.5"}))
        assert "ACME" not in page and "acme" not in page
        assert 'value="999"' not in page and "97" not in re.findall(r"<(?:ins|del)>([^<]*)<", page)
        assert "There are no traces of recalls yet" in page and "Nothing of 0 memories" in page
        assert client.get(reverse("admin:memories_policyversion_revert", args=[1])).status_code == 404
        assert client.post(reverse("admin:memories_policyversion_revert", args=[1]), {}).status_code in {
            403,
            404,
        }
    for house in (acme, globex):
        for url in (URL, reverse("admin:memories_policyversion_versions")):
            assert house.client("user").get(url).status_code == 302
            assert house.client("user").post(url, {"action": "save"}).status_code == 302


def test_a_page_takes_few_queries(acme: House, django_assert_max_num_queries: Any) -> None:
    for at in range(25):
        set_policy(actor=acme.actor("admin"), overrides={"recall.k": 5 + at % 3})
    client = acme.client("operator")
    with django_assert_max_num_queries(14):
        assert client.get(URL).status_code == 200
    with django_assert_max_num_queries(18):
        page = text_of(client.get(reverse("admin:memories_policyversion_versions")))
    assert page.count('id="version-') == 20 and "?before=6" in page
    assert 'id="version-0"' in text_of(
        client.get(reverse("admin:memories_policyversion_versions"), {"before": "6"})
    )


@pytest.mark.parametrize(
    "draft", ["", "[]", "{}", json.dumps({"overrides": {"recall.k": 0}, "custom": {}}), "[" * 9999]
)
def test_a_draft_that_the_page_never_wrote_is_refused(acme: House, draft: str) -> None:
    answer = acme.client("admin").post(URL, {"action": "save", "draft": draft, "expected": "0", "note": "x"})
    assert answer.status_code == 400
    assert versions(acme) == []


def test_a_number_of_a_version_that_is_none_is_no_error_of_ours(acme: House) -> None:
    answer = send(acme, "save", acme.client("admin").get(URL), expected="9" * 5_000, note="x")
    assert answer.status_code == 200 and versions(acme) == []


def test_a_recall_under_a_rule_that_is_gone_from_the_table_does_not_stop_the_preview(acme: House) -> None:
    with tenant_transaction(acme.id):
        for number, overrides in ((1, {"recall.gone": 3}), (2, {})):
            PolicyVersion.objects.create(
                number=number, overrides=overrides, custom={}, created_at=get_clock().now()
            )
    keep(acme.actor(), acme.subjects["user"], "My dog is called Rex.")
    recall(actor=acme.actor(), subject_id=acme.subjects["user"], query="dog")
    with tenant_transaction(acme.id):
        RecallTrace.objects.update(policy_version=1)
    answer = send(acme, "preview", acme.client("operator").get(URL), who="operator", rule__recall__k="7")
    assert answer.status_code == 200


def test_a_number_is_written_in_digits(acme: House) -> None:
    rule = RULES["recall.k"]
    for odd in ("1_0", "１２", "0x8", "1e", "nan", "", " 9"):
        assert parsed(rule, odd)[0] is None, odd
    assert [parsed(rule, text)[0] for text in ("9", "9.0", "+9", "9e0")] == [9] * 4


def test_a_note_is_screened_before_it_is_kept(acme: House) -> None:
    note = "asked for by the holder of card 4111 1111 1111 1111"
    made = set_policy(actor=acme.actor("admin"), overrides={"recall.k": 9}, note=note)
    assert "4111" not in made.note and made.note.startswith("asked for by the holder of card")
