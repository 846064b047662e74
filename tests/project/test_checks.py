"""Unsafe settings are refused, each with what to do."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections
from pytest_django import Settings

from memoryhub import checks, env

GOOD = "zK8v-4Qm1xT7_wB2nR9cL5yH0dJ6fGsPa3Ue"


@pytest.fixture
def good(settings: Settings) -> Settings:
    settings.DEBUG = False
    for number, name in enumerate(checks.KEYS):
        setattr(settings, name, f"{GOOD}{number}")
    return settings


def test_good_keys_pass(good: Settings) -> None:
    assert checks.check_keys() == []


@pytest.mark.parametrize("name", checks.KEYS)
@pytest.mark.parametrize("value", ["", "short", "django-insecure-0aZ19xWv82uTs73rQp64oNm55lKj46", "x" * 50])
def test_a_missing_weak_or_example_key_is_refused(good: Settings, name: str, value: str) -> None:
    setattr(good, name, value)
    found = checks.check_keys()
    assert [problem.id for problem in found] == ["memoryhub.E001"]
    assert name in found[0].msg
    assert "Make one with" in found[0].hint


def test_a_weak_key_among_rotated_ones_is_refused(good: Settings) -> None:
    good.FIELD_ENCRYPTION_KEY = f"{GOOD}new,{GOOD}old"
    assert checks.check_keys() == []
    good.FIELD_ENCRYPTION_KEY = f"{GOOD}new,old"
    assert [problem.id for problem in checks.check_keys()] == ["memoryhub.E001"]


def test_one_key_for_two_purposes_is_refused(good: Settings) -> None:
    good.AUDIT_KEY = good.SECRET_KEY
    assert [problem.id for problem in checks.check_keys()] == ["memoryhub.E002"]


def test_debug_on_accepts_any_key(good: Settings) -> None:
    good.DEBUG = True
    good.SECRET_KEY = "short"
    assert checks.check_keys() == []


@pytest.mark.django_db
def test_a_wildcard_host_is_refused(good: Settings) -> None:
    good.ALLOWED_HOSTS = ["*"]
    assert [problem.id for problem in checks.check_hosts()] == ["memoryhub.E003"]
    with pytest.raises(ImproperlyConfigured, match="ALLOWED_HOSTS accepts every host"):
        checks.assert_safe_to_serve()


@pytest.mark.django_db
def test_the_app_role_on_the_bundled_server_passes(good: Settings) -> None:
    checks.assert_safe_to_serve()


@pytest.mark.django_db(transaction=True)
def test_a_role_that_owns_the_tables_is_refused(good: Settings) -> None:
    app = {name: connection.settings_dict[name] for name in ("USER", "PASSWORD")}
    owner = env.database("DATABASE_OWNER_URL")
    connection.close()
    connection.settings_dict.update(USER=owner["USER"], PASSWORD=owner["PASSWORD"])
    try:
        found = checks.check_database(databases=["default"])
    finally:
        connection.close()
        connection.settings_dict.update(app)
    assert [problem.id for problem in found] == ["memoryhub.E013"]
    assert "owns" in found[0].msg
    assert "DATABASE_OWNER_URL" in found[0].hint


@pytest.mark.django_db
def test_an_old_server_or_pgvector_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MINIMUM_POSTGRES", 990000)
    monkeypatch.setattr(checks, "MINIMUM_PGVECTOR", (99, 0))
    found = checks.check_database(databases=["default"])
    assert [problem.id for problem in found] == ["memoryhub.E010", "memoryhub.E012"]


def test_values_that_the_server_binds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.check_binding(databases=["default"]) == []
    monkeypatch.setitem(connections.settings["default"]["OPTIONS"], "server_side_binding", True)
    assert [problem.id for problem in checks.check_binding(databases=["default"])] == ["memoryhub.E014"]


def test_versions_compare_as_numbers() -> None:
    assert checks._numbers("0.8.10") > checks.MINIMUM_PGVECTOR > checks._numbers("0.8.1")
