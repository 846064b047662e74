"""What operators search, filter and page lists by stands in an index, together with the tenant; nothing walks over others' rows."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.db import connection
from django.db.models import ForeignKey, Q, QuerySet, UUIDField
from django.http import QueryDict
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Invitation, Membership, Tenant, User
from accounts.tenancy import TenantModel
from memories.admin.showing import SEALED
from memories.models import EmbeddingSpace, Experiment, PolicyVersion, Redaction, Webhook
from memoryhub.common.db import tenant_transaction
from tests.support.many import multiply
from tests.tenancy.world import World, build_world

pytestmark = pytest.mark.django_db

SMALL = {Tenant, User, Membership, Invitation, EmbeddingSpace, Experiment, PolicyVersion, Redaction, Webhook}
"""Lists with as many rows as there are people or decisions: read through whole they are short."""
LISTS = sorted((model for model in site._registry if model not in SMALL), key=lambda model: model._meta.label)
FILTERS = [
    ("memories.Memory", "pinned__exact=1", "memory_pinned_first"),
    ("memories.Memory", "status__exact=archived", "memory_past_first"),
    ("memories.RecallTrace", "abstained__exact=1", "trace_abstained"),
    ("memories.ForgetRequest", "standing__exact=1", "forget_request_standing"),
]


@pytest.fixture
def world(db: None) -> World:
    """Three hundred rows in each table, of which the planner knows."""
    world = build_world()
    with tenant_transaction(world.acme.id):
        for model, row in world.rows.items():
            if model in LISTS:
                multiply(row, 300)
    return world


def listed(world: World, model: Any, query: str = "") -> QuerySet[Any]:
    """The first page of a list as it asks for its rows; in the open tenant transaction."""
    request = RequestFactory().get("/", QueryDict(query).dict())
    request.member = world.acme.actor("admin", "admin")
    request.user = world.acme.user_of("admin")
    return site._registry[model].get_changelist_instance(request).queryset[:50]


def plan_of(rows: QuerySet[Any]) -> list[dict[str, Any]]:
    """The nodes by which PostgreSQL would read them from large tables: small ones it reads through whole."""
    sql, values = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute("EXPLAIN (FORMAT JSON) " + sql, values)
        (plans,) = cursor.fetchone()
    return list(nodes(plans[0]["Plan"]))


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def conditions(plan: list[dict[str, Any]]) -> str:
    """What the indexes are asked for."""
    return " ".join(node.get("Index Cond", "") for node in plan)


def test_a_list_is_read_in_the_order_of_an_index_of_its_tenant(world: World) -> None:
    bad = {}
    with tenant_transaction(world.acme.id):
        for model in LISTS:
            plan = plan_of(listed(world, model))
            sorts = [node["Node Type"] for node in plan if node["Node Type"] == "Sort"]
            if sorts or "tenant_id = " not in conditions(plan):
                bad[model._meta.label] = sorts or conditions(plan)
    assert not bad


def test_each_search_finds_through_an_index(world: World) -> None:
    """Asked of the catalogue: a planner that knows of three hundred rows would as soon filter them."""
    bad = {}
    request = RequestFactory().get("/")
    request.member = world.acme.actor("admin", "admin")
    with tenant_transaction(world.acme.id):
        for model in LISTS:
            model_admin = site._registry[model]
            by_column = {field.column: field for field in model._meta.concrete_fields}
            for path in model_admin.get_search_fields(request):
                assert path.startswith("="), f"{model._meta.label}: only exact searches find through an index"
                term = world.owner_external_id if path == "=subject__external_id" else str(uuid.uuid4())
                equal = {"tenant_id"} | columns_of(model, model_admin.matching(request, path[1:], term))
                column = columns_of(
                    model, Q(**{path[1:].replace("subject__external_id", "subject_id"): 0})
                ).pop()
                # An id is one tenant's; a word is everybody's.
                needed = set() if isinstance(by_column[column], UUIDField | ForeignKey) else {"tenant_id"}
                if not any(usable(keys, column, equal, needed) for keys in indexes(model._meta.db_table)):
                    bad[f"{model._meta.label} {path}"] = equal
    assert not bad


def test_no_figure_of_the_health_page_and_no_row_of_the_home_is_read_over_other_tenants_rows(
    world: World,
) -> None:
    """Each scan of a tenant's table asks an index for the tenant, or for ids or keys that were found before."""
    client = world.acme.client("admin")
    for name in ("store_health", "index"):
        url = reverse(f"admin:{name}")
        client.get(url)
        with CaptureQueriesContext(connection) as asked:
            client.get(url)
        tables = {model._meta.db_table for model in apps.get_models() if issubclass(model, TenantModel)}
        statements = [one["sql"] for one in asked if one["sql"].startswith(("SELECT", "WITH", "\n"))]
        assert len(statements) > 8
        with tenant_transaction(world.acme.id), connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
            for sql in statements:
                cursor.execute("EXPLAIN (FORMAT JSON) " + sql)
                for node in nodes(cursor.fetchone()[0][0]["Plan"]):
                    if node.get("Relation Name") in tables and "Bitmap" not in node["Node Type"]:
                        assert node["Node Type"] != "Seq Scan", sql
                        assert "Index Cond" in node, f"{node['Index Name']} is walked whole: {sql}"


def columns_of(model: Any, condition: Q) -> set[str]:
    """The columns that a condition compares."""
    found: set[str] = set()
    for child in condition.children:
        if isinstance(child, Q):
            found |= columns_of(model, child)
        else:
            name = child[0].split("__")[0]
            found.add(
                "id" if name == "pk" else name if name == SEALED else model._meta.get_field(name).column
            )
    return found


def usable(keys: list[str], column: str, equal: set[str], needed: set[str]) -> bool:
    """Whether an index leads to the column through what is needed, and through nothing but what is equal."""
    return column in keys and needed <= set(keys[: keys.index(column)]) <= equal


def indexes(table: str) -> list[list[str]]:
    """The columns of each index that holds every row, or every one whose column is not null."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT array_agg(a.attname::text ORDER BY k.n) FROM pg_index i
            CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, n)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
            WHERE i.indrelid = %s::regclass AND i.indisvalid
              AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) ~ '^\\([a-z_]+ IS NOT NULL\\)$')
            GROUP BY i.indexrelid
            """,
            [table],
        )
        return [row[0] for row in cursor.fetchall()]


def test_rare_rows_are_filtered_through_an_index_of_theirs(world: World) -> None:
    bad = {}
    with tenant_transaction(world.acme.id):
        for label, query, index in FILTERS:
            plan = plan_of(listed(world, apps.get_model(label), query))
            sorts = [node["Node Type"] for node in plan if node["Node Type"] == "Sort"]
            if sorts or index not in {node.get("Index Name") for node in plan}:
                bad[f"{label}?{query}"] = sorts or [node.get("Index Name") for node in plan]
    assert not bad
