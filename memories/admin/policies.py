"""The policy in the admin: the editor with its preview, and where the versions hang."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin_base import TenantModelAdmin
from accounts.operator_pages import OperatorView, operator_page
from accounts.permissions import Capability
from memories.admin.policies_form import PolicyEdit
from memories.admin.policies_preview import Shown
from memories.admin.policies_versions import (
    EDITOR,
    TEMPLATES,
    VERSIONS,
    NoteForm,
    PolicyRevert,
    PolicyVersions,
)
from memories.admin.policies_words import OWN_EFFECT, PRESETS
from memories.models import PolicyVersion
from memories.services.policies import set_policy
from memories.services.policy_history import policy_version
from memories.services.preview_policy import preview_policy
from memoryhub.common.errors import Conflict, Invalid, NotFound


@operator_page(
    "policy/",
    name="policy",
    title=_("Policy"),
    note=_(
        "Every number that memory goes by: what it is for, what a change would do to your data, and the way back."
    ),
)
class PolicyEditor(OperatorView):
    """The table as a form. A draft goes to the preview, and from there it becomes a version; nothing is kept in between."""

    capability = Capability.METRICS_READ
    title = _("Policy")
    template_name = f"{TEMPLATES}/edit.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        edit = PolicyEdit.of(policy_version(actor=self.actor))
        preset = request.GET.get("preset", "")
        if preset in {*PRESETS, "default"}:
            edit.fill(preset)
        return self.editing(edit)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        action = request.POST.get("action", "")
        if action == "save" and Capability.POLICY_WRITE not in self.actor.capabilities:
            raise PermissionDenied
        edit = PolicyEdit.posted(policy_version(actor=self.actor), request.POST)
        if "reset" in request.POST:
            edit.reset(request.POST["reset"])
        fits = edit.check()
        if action == "rebase" and fits:
            edit = edit.rebased(self.began_with(edit))
            fits = edit.check()
        if action not in {"preview", "save"} or not fits:
            return self.editing(edit)
        if action == "preview":
            return self.preview(edit, NoteForm())
        return self.save(edit, NoteForm(request.POST))

    def began_with(self, edit: PolicyEdit) -> PolicyVersion:
        try:
            return policy_version(actor=self.actor, number=edit.expected)
        except NotFound:
            raise Http404 from None

    def save(self, edit: PolicyEdit, form: NoteForm) -> HttpResponse:
        if not form.is_valid():
            return self.preview(edit, form)
        try:
            made = set_policy(
                actor=self.actor,
                overrides=edit.overrides,
                custom=edit.own.data,
                note=form.cleaned_data["note"],
                expected=edit.expected,
            )
        except Conflict:
            edit.base = policy_version(actor=self.actor)
            return self.preview(edit, form)
        except Invalid as error:
            form.add_error("note" if "note" in error.fields else None, error.message)
            return self.preview(edit, form)
        messages.success(self.request, gettext("Saved as version %(number)s.") % {"number": made.number})
        return HttpResponseRedirect(reverse(VERSIONS))

    def editing(self, edit: PolicyEdit) -> HttpResponse:
        given = self.request.POST if self.request.method == "POST" else self.request.GET
        wanted, only_set = given.get("q", ""), bool(given.get("changed"))
        edit.own.fresh()
        query = {"q": wanted, "changed": "1" if only_set else ""}
        return self.page(
            edit=edit,
            groups=list(edit.groups(wanted, only_set)),
            wanted=wanted,
            only_set=only_set,
            own_shown=edit.own.refused or not (wanted or only_set),
            own_effect=OWN_EFFECT,
            presets=[
                (urlencode({"preset": name, **query}), title)
                for name, title in [*PRESETS.items(), ("default", _("All at their defaults"))]
            ],
            may_save=Capability.POLICY_WRITE in self.actor.capabilities,
            versions_url=reverse(VERSIONS),
        )

    def preview(self, edit: PolicyEdit, form: NoteForm) -> HttpResponse:
        """What it would do; a draft that began with an older version would undo what came between, and is not previewed."""
        self.template_name = f"{TEMPLATES}/preview.html"
        shown = None
        if not edit.stale:
            seen = preview_policy(actor=self.actor, overrides=edit.overrides, custom=edit.own.data)
            shown = Shown(seen, self.actor)
        return self.page(
            edit=edit,
            preview=shown,
            form=form,
            next_number=edit.base.number + 1,
            may_save=Capability.POLICY_WRITE in self.actor.capabilities,
            title=_("Preview of a changed policy"),
            parent_url=reverse(EDITOR),
            parent_title=_("Policy"),
        )


@admin.register(PolicyVersion)
class PolicyVersionAdmin(TenantModelAdmin):
    holds_content = False
    list_display = ["id", "number", "note", "created_by", "created_at"]
    ordering = ["-number"]

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path(
                "versions/",
                view(PolicyVersions.as_view()),
                name="memories_policyversion_versions",
            ),
            path(
                "<int:number>/revert/",
                view(PolicyRevert.as_view()),
                name="memories_policyversion_revert",
            ),
        ]
        return [*own, *super().get_urls()]
