"""Refuses unsafe settings: weak keys, an old PostgreSQL or pgvector, an app role that the tenant wall does not stop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

KEYS = ("SECRET_KEY", "FIELD_ENCRYPTION_KEY", "FINGERPRINT_KEY", "AUDIT_KEY", "RECEIPT_KEY")
MINIMUM_KEY_LENGTH = 32
MINIMUM_POSTGRES = 160000
MINIMUM_PGVECTOR = (0, 8, 2)
_EXAMPLES = (
    "django-insecure-",
    "changeme",
    "change-me",
    "secret",
    "insecure",
    "example",
    "password",
    "default",
)
_MAKE_ONE = "Make one with `python -c 'import secrets; print(secrets.token_urlsafe(32))'` and set it in the environment."


@register(Tags.security)
def check_keys(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Each key is long, its own, and no example; with DEBUG on, anything goes."""
    if settings.DEBUG:
        return []
    problems: list[CheckMessage] = []
    values = {name: _value_of(name) for name in KEYS}
    for name, value in values.items():
        # FIELD_ENCRYPTION_KEY may hold several keys, comma-separated, while one replaces another.
        for part in value.split(",") if name == "FIELD_ENCRYPTION_KEY" else [value]:
            fault = _fault_of(part.strip())
            if fault:
                problems.append(
                    Error(f"DEBUG is off and {name} {fault}.", hint=_MAKE_ONE, id="memoryhub.E001")
                )
    twins = sorted(name for name, value in values.items() if value and list(values.values()).count(value) > 1)
    if twins:
        problems.append(
            Error(
                f"{' and '.join(twins)} are the same key.",
                hint=f"Each needs its own. {_MAKE_ONE}",
                id="memoryhub.E002",
            )
        )
    return problems


def _value_of(name: str) -> str:
    try:
        return str(getattr(settings, name, "") or "")
    except ImproperlyConfigured:  # Django's own answer to an empty SECRET_KEY.
        return ""


def _fault_of(value: str) -> str:
    if not value:
        return "is not set"
    if value.lower().startswith(_EXAMPLES):
        return "is an example that everybody knows"
    if len(value) < MINIMUM_KEY_LENGTH or len(set(value)) < 8:
        return f"is too weak (at least {MINIMUM_KEY_LENGTH} random characters)"
    return ""


@register(Tags.security)
def check_hosts(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """A wildcard host lets a stranger choose the links that go out in invitations and resets."""
    if not settings.DEBUG and "*" in settings.ALLOWED_HOSTS:
        hint = "List the host names under which people reach it: ALLOWED_HOSTS=memory.example.org."
        return [Error("DEBUG is off and ALLOWED_HOSTS accepts every host.", hint=hint, id="memoryhub.E003")]
    return []


@register(Tags.database)
def check_database(
    app_configs: Sequence[AppConfig] | None = None, databases: Iterable[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Versions, and whether row-level security binds the role that serves; one query each, only when databases are asked for."""
    problems: list[CheckMessage] = []
    for alias in databases or ():
        problems += _check_versions(alias) + _check_role(alias)
    return problems


@register(Tags.database)
def check_binding(
    app_configs: Sequence[AppConfig] | None = None, databases: Iterable[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Values are bound by the client: common/db.read_alone sends two statements in one trip, which the server would not bind."""
    hint = "Leave server_side_binding out of the OPTIONS of DATABASES."
    return [
        Error(f"The database {alias} binds values on the server.", hint=hint, id="memoryhub.E014")
        for alias in databases or ()
        if connections.settings[alias].get("OPTIONS", {}).get("server_side_binding")
    ]


def _check_versions(alias: str) -> list[CheckMessage]:
    problems: list[CheckMessage] = []
    with connections[alias].cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version_num')::int, current_setting('server_version'), "
            "(SELECT extversion FROM pg_extension WHERE extname = 'vector')"
        )
        number, server, vector = cursor.fetchone()
    if number < MINIMUM_POSTGRES:
        hint = "Upgrade it, or leave DATABASE_URL unset to use the bundled one."
        problems.append(
            Error(f"PostgreSQL {server} is too old: 16 or newer is needed.", hint=hint, id="memoryhub.E010")
        )
    if vector is None:
        hint = "As superuser, in this database: CREATE EXTENSION vector;"
        problems.append(
            Error("The extension pgvector is not installed in the database.", hint=hint, id="memoryhub.E011")
        )
    elif _numbers(vector) < MINIMUM_PGVECTOR:
        hint = "Install pgvector 0.8.2 or newer on the server, then, as superuser: ALTER EXTENSION vector UPDATE;"
        problems.append(
            Error(f"pgvector {vector} has a known hole (CVE-2026-3172).", hint=hint, id="memoryhub.E012")
        )
    return problems


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _check_role(alias: str) -> list[CheckMessage]:
    with connections[alias].cursor() as cursor:
        cursor.execute(
            "SELECT current_user, rolsuper, rolbypassrls, rolcreaterole, "
            # Owning by membership counts: an owner may lift the wall, and SET ROLE makes a member one.
            "(SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            " WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname NOT LIKE 'pg\\_%%' AND n.nspname <> 'information_schema' "
            " AND pg_has_role(current_user, c.relowner, 'MEMBER')), "
            # Any other role it is a member of, with power of its own.
            "(SELECT count(*) FROM pg_roles m WHERE (m.rolsuper OR m.rolbypassrls) AND m.rolname <> current_user "
            " AND pg_has_role(current_user, m.oid, 'MEMBER')) "
            "FROM pg_roles WHERE rolname = current_user",
            [],
        )
        role, superuser, bypasses, creates_roles, owned, strong = cursor.fetchone()
    faults = [
        (superuser, "is a superuser"),
        (bypasses, "bypasses row-level security"),
        (creates_roles, "may create roles"),
        (owned and not superuser, f"owns {owned} tables, or is a member of the role that does"),
        (strong and not superuser, "is a member of a role that bypasses row-level security"),
    ]
    hint = (
        "Point DATABASE_URL at a role of its own (CREATE ROLE memoryhub_app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE), "
        "and DATABASE_OWNER_URL at the owner of the tables; see docs/deployment.md."
    )
    return [
        Error(
            f"The role {role} serves people, but {what}: tenants would not be kept apart.",
            hint=hint,
            id="memoryhub.E013",
        )
        for fault, what in faults
        if fault
    ]


def assert_safe_to_serve() -> None:
    """Raise ImproperlyConfigured with every problem and its remedy; web, worker and `manage.py up` call it at start."""
    problems = [
        *check_keys(),
        *check_hosts(),
        *check_binding(databases=["default"]),
        *check_database(databases=["default"]),
    ]
    if problems:
        lines = [f"{problem.msg} {problem.hint or ''}".strip() for problem in problems]
        raise ImproperlyConfigured("MemoryHub refuses to start. " + " ".join(lines))
