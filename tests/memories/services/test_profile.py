"""The profile: what is current about a person, by attribute, with its source; nothing of what is gone, over or private."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse

from memories.core.profile import ProfileFact, assemble, line
from memories.core.text.tokens import count
from memories.services import profile as profile_service
from memories.services.forget import forget
from memories.services.learn import learn
from memories.services.profile import as_profile, get_profile, profile_rows
from memoryhub.common.db import tenant_transaction
from tests.support.factories import NOW
from tests.support.people import House

pytestmark = pytest.mark.django_db


def teach(house: House, text: str, days: int = 0, **fields: object) -> None:
    actor = house.actor()
    assert actor.subject_id is not None
    given = {"turn_id": None, "session_id": None, **fields}
    learn(
        actor=actor, subject_id=actor.subject_id, text=text, role="user", speaker="",
        said_at=NOW + timedelta(days=days), **given,  # type: ignore[arg-type]
    )  # fmt: skip


def shown(house: House, language: str = "en") -> dict[str, list[str]]:
    actor = house.actor()
    assert actor.subject_id is not None
    profile = get_profile(
        actor=actor,
        subject_id=actor.subject_id,
        language="zh" if language == "zh" else "en",
        now=NOW + timedelta(days=30),
    )
    return {
        entry.label: [value.value for value in entry.values]
        for group in profile.groups
        for entry in group.entries
    }


@pytest.mark.parametrize(
    ("language", "texts", "expected"),
    [
        (
            "en",
            [
                "My name is Robin Falk.",
                "I live in Lisbon.",
                "I'm allergic to walnuts.",
                "I work at Nordwind.",
            ],
            {"name": "Robin Falk", "home": "Lisbon", "allergies": "walnuts", "employer": "Nordwind"},
        ),
        (
            "zh",
            ["我叫陆一鸣。", "我住在青岛。", "我对核桃过敏。"],
            {"名字": "陆一鸣", "住址": "青岛", "过敏": "核桃"},
        ),
    ],
)
def test_current_facts_are_grouped_under_labels_in_the_readers_language(
    acme: House, language: str, texts: list[str], expected: dict[str, str]
) -> None:
    for at, text in enumerate(texts):
        teach(acme, text, days=at)
    found = shown(acme, language)
    assert {label: values[0] for label, values in found.items() if label in expected} == expected


def test_a_later_value_replaces_the_earlier_one_and_forgetting_takes_it_out(acme: House) -> None:
    teach(acme, "I live in Lisbon.")
    teach(acme, "I moved to Porto.", days=3)
    assert shown(acme)["home"] == ["Porto"]
    actor = acme.actor()
    assert actor.subject_id is not None
    profile = get_profile(actor=actor, subject_id=actor.subject_id, now=NOW + timedelta(days=30))
    (memory_id,) = {
        v.memory_id for g in profile.groups for e in g.entries if e.attribute == "home" for v in e.values
    }
    forget(actor=actor, memory_id=memory_id)
    assert "home" not in shown(acme)


def test_what_was_said_for_one_session_is_not_in_it(acme: House) -> None:
    teach(acme, "For this conversation, my name is Captain.", session_id=uuid.uuid4())
    assert shown(acme) == {}


def test_the_line_tells_who_it_is_however_much_was_said_since(
    acme: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profile_service, "MAX_FACTS", 2)
    teach(acme, "My name is Robin Falk.")
    for at, thing in enumerate(("walnuts", "sailing", "chess"), start=1):
        teach(acme, f"I like {thing}.", days=at)
    actor = acme.actor()
    assert actor.subject_id is not None
    with tenant_transaction(actor.tenant_id):
        found = as_profile(*profile_rows(actor.subject_id, NOW + timedelta(days=30), for_line=True))
    assert line(assemble(found, "en"), "en", 60, count) == "name: Robin Falk"


def test_a_relatives_facts_stand_under_the_relation(acme: House) -> None:
    teach(acme, "我妻子叫林晚秋。")
    assert shown(acme, "zh").get("妻子") or shown(acme, "zh").get("老婆") == ["林晚秋"]


def fact(attribute: str, value: str, **fields: object) -> ProfileFact:
    return ProfileFact("user", attribute, value, uuid.uuid4(), NOW, **fields)  # type: ignore[arg-type]


def test_contradicted_values_stand_both_and_marked_and_not_in_the_line() -> None:
    groups = assemble(
        [
            fact("home", "Lisbon", contradicted=True),
            fact("home", "Porto", contradicted=True),
            fact("name", "Robin"),
        ],
        "en",
    )
    (home,) = [entry for group in groups for entry in group.entries if entry.attribute == "home"]
    assert {(value.value, value.contradicted) for value in home.values} == {("Lisbon", True), ("Porto", True)}
    assert line(groups, "en", 60, count) == "name: Robin"


def test_the_line_stays_within_its_tokens_with_any_values() -> None:
    groups = assemble(
        [
            fact("name", "阿" * 200),
            fact("home", "👩‍👩‍👧 " * 40),
            fact("occupation", "pilot"),
            fact("allergy", "x" * 900),
        ],
        "zh",
    )
    for cap in (0, 1, 5, 20, 60):
        assert count(line(groups, "zh", cap, count)) <= cap
    assert line(groups, "zh", 20, count) == "职业：pilot"


def test_rest_gives_the_profile_and_refuses_strangers(acme: House, globex: House) -> None:
    teach(acme, "My name is Robin Falk.")
    url = reverse("api_profile")
    body = acme.client().get(url).json()
    assert body["groups"][0]["entries"][0]["values"][0]["value"] == "Robin Falk"
    by_id = reverse("api_subject_profile", args=[acme.subjects["user"]])
    assert acme.client("operator").get(by_id).status_code == 200
    assert acme.client("other").get(by_id).status_code == 404
    assert globex.client("operator").get(by_id).status_code == 404
    assert acme.client().get(url + "?language=fr").status_code == 400
