"""Settling contradictions in the admin, one or many at once, and taking a decision back."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import audit
from accounts.operator_pages import DecisionView, one_by_one, told
from accounts.permissions import Capability
from memories.admin.contradiction_page import blast, found, sides
from memories.admin.memory_words import People, explain, link
from memories.admin.packing import MOST, unpacked
from memories.models import Contradiction
from memories.services.contradictions import SUPERSEDED
from memories.services.limits import MAX_CONTENT
from memories.services.resolve import Resolution, resolve
from memories.services.undo_resolution import undo_resolution
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

PAGES = "admin/memories/contradiction"
WAYS: dict[str, Any] = {
    Resolution.KEEP_NEW: _("Keep the newer one; the older one becomes history"),
    Resolution.KEEP_OLD: _("Keep the older one; the newer one becomes history"),
    Resolution.KEEP_BOTH: _("Keep both; this pair is not disputed again"),
    Resolution.MERGE: _("Put one text in the place of both"),
}
SETTLED: dict[str, Any] = {
    Resolution.KEEP_NEW: _("the newer one was kept"),
    Resolution.KEEP_OLD: _("the older one was kept"),
    Resolution.KEEP_BOTH: _("both were kept"),
    Resolution.MERGE: _("one text took the place of both"),
}


class ReasonedForm(forms.Form):
    """A decision with its reason."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        required=False,
        help_text=_("It stands in the history of both memories, where the person reads it."),
    )


class SettleForm(ReasonedForm):
    """One of the four ways; the text is for the last one alone."""

    field_order = ["resolution", "content", "reason"]
    resolution = forms.ChoiceField(label=_("Decision"), choices=list(WAYS.items()), widget=forms.RadioSelect)
    content = forms.CharField(
        label=_("Text in the place of both"),
        max_length=MAX_CONTENT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Read only where one text takes the place of both."),
    )


class SettleManyForm(ReasonedForm):
    """One way for all; a text of its own is for one pair alone."""

    field_order = ["resolution", "reason"]
    resolution = forms.ChoiceField(
        label=_("Decision"),
        choices=[(way, told) for way, told in WAYS.items() if way != Resolution.MERGE],
        widget=forms.RadioSelect,
    )


class OfOne(DecisionView):
    """A page about the contradiction in the address; 404 for another tenant's. Who may only read decides nothing."""

    capability = Capability.MEMORY_READ

    def row(self) -> Contradiction:
        with tenant_transaction(self.actor.tenant_id):
            rows = found([self.kwargs["object_id"]])
        if not rows:
            raise Http404
        return rows[0]

    @property
    def may_settle(self) -> bool:
        return Capability.RESOLVE in self.actor.capabilities

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not self.may_settle:
            raise PermissionDenied
        try:
            return super().post(request, *args, **kwargs)
        except NotFound:
            raise Http404 from None

    def get_success_url(self) -> str:
        return reverse("admin:memories_contradiction_change", args=[self.kwargs["object_id"]])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        row = self.row()
        both = sides([row], self.actor)
        audit.record(
            self.actor,
            "admin.read",
            target_kind="contradiction",
            target_id=row.pk,
            subject_id=row.subject_id,
            rows=sorted(map(str, both)),
        )
        return super().get_context_data(
            row=row,
            sides=[(_("The older one"), both[row.older_id]), (_("The newer one"), both[row.newer_id])],
            why=explain(row.rule),
            is_open=row.state == Contradiction.State.OPEN,
            settled=SETTLED.get(row.resolution, ""),
            settled_by=self.settler(row),
            subject_url=link("accounts_subject_change", row.subject_id),
            may_settle=self.may_settle,
            **kwargs,
        )

    def settler(self, row: Contradiction) -> str:
        if row.resolved_by == SUPERSEDED:
            return _t("a later statement")
        return People([("user", row.resolved_by)]).name("user", row.resolved_by) if row.resolved_by else ""


class SettleView(OfOne):
    """Both sides next to each other, what has relied on them, and the decision."""

    title = _("Contradiction")
    template_name = f"{PAGES}/page.html"
    form_class = SettleForm

    def get_initial(self) -> dict[str, Any]:
        """The newer text to start from, where neither side is masked for this reader."""
        row = self.row()
        with tenant_transaction(self.actor.tenant_id):
            masked = any(one.masked for one in sides([row], self.actor).values())
        return {"content": "" if masked else row.newer.content}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(submit=_("Settle it"), **kwargs)
        row: Contradiction = context["row"]
        undo = ""
        if not context["is_open"] and self.may_settle and "memories" in (row.undo or {}):
            undo = reverse("admin:memories_contradiction_undo", args=[row.pk])
        return {**context, "blast": blast(row), "undo_url": undo}

    def decide(self, form: forms.Form) -> Any:
        fields = form.cleaned_data
        way = fields["resolution"]
        resolve(
            actor=self.actor,
            contradiction_id=self.kwargs["object_id"],
            resolution=way,
            content=fields["content"] if way == Resolution.MERGE else None,
            reason=fields["reason"],
        )
        return _t("Settled: %(how)s. It can be undone here.") % {"how": SETTLED[way]}


class UndoView(OfOne):
    """Opens it again, and makes both sides what they were."""

    capability = Capability.RESOLVE
    title = _("Undo the decision")
    template_name = f"{PAGES}/undo.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(submit=_("Undo it"), **kwargs)
        return {**context, "parent_url": self.get_success_url(), "parent_title": _("Contradiction")}

    def decide(self, form: forms.Form) -> Any:
        undo_resolution(actor=self.actor, contradiction_id=self.kwargs["object_id"])
        return _t("It is open again, and both sides are as they were.")


class SettleManyView(DecisionView):
    """One decision for many equal cases; the ids stand packed in the address, 404 where none of them is this tenant's."""

    capability = Capability.RESOLVE
    title = _("Settle contradictions in one way")
    template_name = f"{PAGES}/many.html"
    form_class = SettleManyForm

    def rows(self) -> list[Contradiction]:
        with tenant_transaction(self.actor.tenant_id):
            rows = found(unpacked(self.request.GET.get("ids", ""))[:MOST])
        if not rows:
            raise Http404
        return rows

    def get_success_url(self) -> str:
        return f"{reverse('admin:memories_contradiction_changelist')}?state__exact=open"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = self.rows()
        both = sides(rows, self.actor)
        audit.record(self.actor, "admin.list", target_kind="memory", rows=sorted(map(str, both)))
        context = super().get_context_data(
            rows=[
                {
                    "row": row,
                    "older": both[row.older_id],
                    "newer": both[row.newer_id],
                    "url": reverse("admin:memories_contradiction_change", args=[row.pk]),
                }
                for row in rows
            ],
            rules=Counter(row.rule or "-" for row in rows).most_common(),
            subjects=len({row.subject_id for row in rows}),
            submit=_("Settle all of them"),
            parent_url=self.get_success_url(),
            parent_title=_("Contradictions"),
            **kwargs,
        )
        # The list that they were chosen from is the parent already.
        return {**context, "opts": None}

    def decide(self, form: forms.Form) -> Any:
        def settle(row: Contradiction) -> None:
            resolve(
                actor=self.actor,
                contradiction_id=row.pk,
                resolution=form.cleaned_data["resolution"],
                reason=form.cleaned_data["reason"],
            )

        done = one_by_one(self.request, self.rows(), settle, lambda row, error: f"{row.pk}: {told(error)}")
        said = ngettext("%(n)d contradiction was settled.", "%(n)d contradictions were settled.", done)
        return said % {"n": done} if done else ""
