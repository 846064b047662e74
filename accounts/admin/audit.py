"""The audit in the admin: who did what to which row, filtered, explained, verified and exported; ids and numbers only."""

from __future__ import annotations

import csv
import io
import json
import uuid
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.urls import NoReverseMatch, path, reverse
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.admin_base import TenantModelAdmin
from accounts.audit_undo import UNDO
from accounts.models import AuditEntry
from accounts.operator_pages import OperatorView
from accounts.permissions import Capability
from accounts.services.read_audit import entry_data

LOOKED_THROUGH = 50_000
"""Entries that are looked through for what they touched: it stands inside their changes, which no index reaches through the tenant wall."""
EXPORTED = 20_000
"""Entries of one file; the next file begins behind its last one."""
VERIFIED = 10_000
"""The newest entries, which a page verifies while somebody waits; `manage.py verify_audit` walks all of them."""

GROUPS: dict[str, Any] = {
    "admin.": _("reading by operators"),
    "memory.": _("memories"),
    "contradiction.": _("contradictions"),
    "policy.": _("the policy"),
    "member.": _("members"),
    "key.": _("API keys"),
    "sweep": _("sweeps"),
}


class ActionFilter(admin.SimpleListFilter):
    """By the beginning of the action's name."""

    title = _("kind of action")
    parameter_name = "group"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        return list(GROUPS.items())

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(action__startswith=self.value()) if self.value() in GROUPS else queryset


@admin.register(AuditEntry)
class AuditEntryAdmin(TenantModelAdmin):
    """The chain, newest first."""

    holds_content = False
    view_capability = Capability.AUDIT_READ
    list_display = ["seq", "at", "action", "actor_kind", "actor_id", "door"]
    list_filter = ["at", ActionFilter, "door", "actor_kind"]
    ordering = ["-seq"]
    search_fields = ["=action", "=actor_id"]
    search_help_text = _(
        "An action, the id of who did it, or the id of what it touched (in the newest 50,000 entries)."
    )
    change_list_template = "admin/accounts/auditentry/change_list.html"
    change_form_template = "admin/accounts/auditentry/change_form.html"
    fields = ["seq", "at", "action", "actor_kind", "actor_id", "door", "link_before", "link"]

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path("export/", view(self.export), name="accounts_auditentry_export"),
            path("verify/", view(VerifyView.as_view(model_admin=self)), name="accounts_auditentry_verify"),
        ]
        return [*own, *super().get_urls()]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return list(self.fields)  # type: ignore[arg-type]

    @admin.display(description=_("hash"))
    def link(self, entry: AuditEntry) -> str:
        return bytes(entry.hash).hex()

    @admin.display(description=_("hash of the entry before"))
    def link_before(self, entry: AuditEntry) -> str:
        return bytes(entry.prev_hash).hex() or "-"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """An id is looked for in what the newest entries touched; anything else is an action or an actor."""
        try:
            wanted = str(uuid.UUID(search_term.strip()))
        except ValueError:
            return super().get_search_results(request, queryset, search_term)
        newest = AuditEntry.objects.aggregate(last=Max("seq"))["last"] or 0
        recent = queryset.filter(seq__gt=newest - LOOKED_THROUGH)
        touched = recent.filter(changes__contains=[{"target_id": wanted}])
        about = recent.filter(changes__contains=[{"subject_id": wanted}])
        return touched | about | queryset.filter(actor_id=wanted), False

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        entry = self.get_object(request, object_id)
        changes = [_told(one) for one in entry.changes] if entry is not None else []
        return super().change_view(request, object_id, form_url, {"told": changes, **(extra_context or {})})

    def export(self, request: HttpRequest) -> HttpResponse:
        """The entries behind `after` that the list's filters leave, oldest first, as lines of JSON or (`format=csv`) as a table;
        the reading is itself audited."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        filters = request.GET.copy()
        after = _number(filters.pop("after", [""])[-1])
        kind = "csv" if filters.pop("format", [""])[-1] == "csv" else "jsonl"
        for shown in ("p", "all", "o"):  # Of the list, not of its rows.
            filters.pop(shown, None)
        request.GET = filters  # type: ignore[assignment]
        try:
            found = self.get_changelist_instance(request).queryset
        except IncorrectLookupParameters:
            return HttpResponseBadRequest()
        rows = list(found.filter(seq__gt=after).order_by("seq")[:EXPORTED])
        first, last = (rows[0].seq, rows[-1].seq) if rows else (after, after)
        audit.record(
            self.actor(request), "audit.exported", target_kind="tenant", target_id=self.actor(request).tenant_id,
            first=first, last=last, entries=len(rows),
        )  # fmt: skip
        kinds = {"csv": "text/csv", "jsonl": "application/x-ndjson"}
        answer = HttpResponse(_written(rows, kind), content_type=f"{kinds[kind]}; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="audit-{first}-{last}.{kind}"'
        answer["Cache-Control"] = "no-store"
        return answer


class VerifyView(OperatorView):
    """Walks the newest part of the chain, and says what does not hold."""

    capability = Capability.AUDIT_READ
    title = _("Verify the audit")
    template_name = "admin/accounts/auditentry/verify.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        newest = AuditEntry.objects.aggregate(last=Max("seq"))["last"] or 0
        after = max(0, newest - VERIFIED)
        breaches = list(audit.verify(after=after))
        return super().get_context_data(
            breaches=breaches,
            first=after + 1,
            last=newest,
            whole=after == 0,
            parent_url=reverse("admin:accounts_auditentry_changelist"),
            parent_title=_("Audit"),
            **kwargs,
        )


def _told(change: dict[str, Any]) -> dict[str, Any]:
    """One change with the addresses of what it touched."""
    action, target = str(change.get("action", "")), str(change.get("target_id", ""))
    return {
        "action": action,
        "kind": change.get("target_kind", ""),
        "target": target,
        "url": _page(str(change.get("target_kind", "")), target),
        "subject": change.get("subject_id", ""),
        "subject_url": _page("subject", str(change.get("subject_id", ""))),
        "by": change.get("actor"),
        "detail": sorted(
            (name, json.dumps(value, ensure_ascii=False)) for name, value in change.get("detail", {}).items()
        ),
        "undo_url": _address(UNDO[action], target) if action in UNDO and target else "",
    }


def _page(kind: str, target: str) -> str:
    """The page of a row by the kind that the audit knows it by; "" where it has none."""
    if not target:
        return ""
    model = kind.replace("_", "")
    return next(
        (
            url
            for app in ("memories", "sessions_app", "accounts")
            if (url := _address(f"{app}_{model}_change", target))
        ),
        "",
    )


def _address(name: str, target: str) -> str:
    try:
        return reverse(f"admin:{name}", args=[target])
    except NoReverseMatch:
        return ""


def _number(text: str) -> int:
    """A number of an entry, or 0."""
    return min(int(text), 2**62) if text.isascii() and text.isdigit() and len(text) < 20 else 0


def _written(rows: list[AuditEntry], kind: str) -> str:
    """The text of a file: each entry a line of JSON, or a table whose column `changes` is JSON."""
    entries = [entry_data(row) for row in rows]
    if kind == "jsonl":
        return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
    file = io.StringIO()
    names = ["seq", "id", "at", "actor_kind", "actor_id", "door", "action", "changes", "prev_hash", "hash"]
    table = csv.DictWriter(file, names)
    table.writeheader()
    for entry in entries:
        table.writerow({**entry, "changes": json.dumps(entry["changes"], ensure_ascii=False)})
    return file.getvalue()
