"""The versions of the policy in the admin: what each changed, and the way back to one of them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.operator_pages import DecisionView, OperatorView
from accounts.permissions import Capability
from memories.admin.policies_preview import Shown, change_lines, own_lines
from memories.models import PolicyVersion
from memories.services.policies import MAX_NOTE
from memories.services.policy_history import policy_history, policy_version
from memories.services.preview_policy import preview_policy
from memories.services.revert_policy import revert_policy
from memoryhub.common.errors import Invalid, NotFound

TEMPLATES = "admin/memories/policyversion"
EDITOR = "admin:policy"
VERSIONS = "admin:memories_policyversion_versions"


class NoteForm(forms.Form):
    """Why it is changed: the next who wonders about a number reads it in the list of versions."""

    note = forms.CharField(
        label=_("Why"),
        max_length=MAX_NOTE,
        help_text=_("Stands in the list of versions. No personal data here."),
    )


class PolicyVersions(OperatorView):
    """The versions, the newest first, each with what it changed."""

    capability = Capability.METRICS_READ
    title = _("Versions of the policy")
    template_name = f"{TEMPLATES}/versions.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        before = self.request.GET.get("before", "")
        below = int(before) if before.isascii() and before.isdigit() and len(before) < 10 else None
        versions, more = policy_history(actor=self.actor, before=below)
        return super().get_context_data(
            versions=[
                {
                    "version": one.version,
                    "by": one.by,
                    "rules": change_lines(one.rules),
                    "own": own_lines(one.own),
                }
                for one in versions
            ],
            next_before=versions[-1].version.number if more else None,
            in_force=policy_version(actor=self.actor).number,
            reaches_the_table=not more,
            may_save=Capability.POLICY_WRITE in self.actor.capabilities,
            parent_url=reverse(EDITOR),
            parent_title=_("Policy"),
            **kwargs,
        )


class RevertForm(NoteForm):
    expected = forms.IntegerField(widget=forms.HiddenInput)


class PolicyRevert(DecisionView):
    """What going back to a version would do; whoever may write policies does it."""

    capability = Capability.METRICS_READ
    template_name = f"{TEMPLATES}/revert.html"
    form_class = RevertForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self.shown()

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if Capability.POLICY_WRITE not in self.actor.capabilities:
            raise PermissionDenied
        self.wanted()
        return super().post(request, *args, **kwargs)

    def page(self, **context: Any) -> HttpResponse:
        """Also what is shown beside a refusal: outside the page's transaction, since the preview has its own."""
        return super().page(**context) if "preview" in context else self.shown(form=context.get("form"))

    def wanted(self) -> PolicyVersion:
        try:
            return policy_version(actor=self.actor, number=self.kwargs["number"])
        except NotFound:
            raise Http404 from None

    def shown(self, **context: Any) -> HttpResponse:
        row = self.wanted()
        try:
            seen = preview_policy(actor=self.actor, overrides=row.overrides, custom=row.custom)
        except Invalid as error:
            # The table allows less than it did when the version was made.
            messages.error(self.request, f"{error.message} {error.hint}".strip())
            return HttpResponseRedirect(reverse(VERSIONS))
        form = context.pop("form", None) or self.form_class(initial={"expected": seen.base})
        if form.is_bound:
            # The preview beside the refusal is of the version in force now: what is sent next answers to that.
            form.data = {**dict(form.data.items()), "expected": seen.base}
        return self.page(
            **context,
            form=form,
            preview=Shown(seen, self.actor),
            version=row,
            title=gettext("Back to version %(number)s") % {"number": row.number},
            submit=gettext("Save as version %(number)s") % {"number": seen.base + 1},
            may_save=Capability.POLICY_WRITE in self.actor.capabilities,
            parent_url=reverse(VERSIONS),
            parent_title=_("Versions of the policy"),
        )

    def decide(self, form: forms.Form) -> Any:
        made = revert_policy(
            actor=self.actor,
            number=self.kwargs["number"],
            expected=form.cleaned_data["expected"],
            note=form.cleaned_data["note"],
        )
        return gettext("Saved as version %(number)s.") % {"number": made.number}

    def get_success_url(self) -> str:
        return reverse(VERSIONS)
