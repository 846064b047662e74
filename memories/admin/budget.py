"""The budget of model tokens in the admin: what months cost by use, and the form by which a tenant's admin sets the limit."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from accounts.operator_pages import DecisionView, operator_page
from accounts.permissions import Capability
from accounts.work_queue import Work, work
from memories.admin.budget_words import told, usage_shown
from memories.core.budget import LIMIT, PRICE_COMPLETION, PRICE_PROMPT, Level
from memories.core.policy import RULES, Policy
from memories.models import Experiment
from memories.services.model_usage import model_usage, standing_of
from memories.services.policies import MAX_NOTE, policy_of
from memories.services.policy_history import policy_version
from memories.services.set_budget import set_budget


class BudgetForm(forms.Form):
    """The three numbers, why, and the version of the policy that was edited."""

    tokens_month = forms.IntegerField(
        label=_("Tokens a month"),
        min_value=0,
        max_value=int(RULES[LIMIT].high),
        help_text=_("Of prompts and answers together, in a calendar month (UTC). 0: no limit."),
    )
    price_prompt = forms.FloatField(
        label=_("Price of a million prompt tokens"),
        min_value=0,
        max_value=RULES[PRICE_PROMPT].high,
        help_text=_("In your currency; for the cost that is shown. 0: not told."),
    )
    price_completion = forms.FloatField(
        label=_("Price of a million completion tokens"), min_value=0, max_value=RULES[PRICE_COMPLETION].high
    )
    note = forms.CharField(
        label=_("Reason"), max_length=MAX_NOTE, help_text=_("It stands in the history of the policy.")
    )
    expected = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


@operator_page(
    "budget/",
    name="budget",
    title=_("Budget"),
    note=_("What models cost by month and use, and the limit of a month."),
)
class BudgetView(DecisionView):
    """Whoever runs the tenant reads it; an admin sets it. Numbers only."""

    capability = Capability.METRICS_READ
    title = _("Budget")
    template_name = "admin/budget.html"
    form_class = BudgetForm

    @property
    def may_write(self) -> bool:
        return Capability.POLICY_WRITE in self.actor.capabilities

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not self.may_write:
            raise PermissionDenied
        return super().post(request, *args, **kwargs)

    def get_initial(self) -> dict[str, Any]:
        base = policy_version(actor=self.actor)
        policy = Policy.from_overrides(base.overrides, base.custom)
        return {
            "tokens_month": policy.integer(LIMIT),
            "price_prompt": policy.number(PRICE_PROMPT),
            "price_completion": policy.number(PRICE_COMPLETION),
            "expected": base.number,
        }

    def decide(self, form: forms.Form) -> str:
        made = set_budget(actor=self.actor, **form.cleaned_data)
        return _t("Saved as version %(number)s.") % {"number": made.number}

    def get_success_url(self) -> str:
        return reverse("admin:budget")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        standing, months = model_usage(actor=self.actor)
        return super().get_context_data(
            usage=usage_shown(standing, months),
            may_write=self.may_write,
            experiment=Experiment.objects.filter(state=Experiment.State.RUNNING).exists(),
            versions_url=reverse("admin:memories_policyversion_versions"),
            submit=_("Save"),
            **kwargs,
        )


@work
def nearly_spent(actor: Actor) -> Work | None:
    """From four fifths of the month's limit on; no row where none is set."""
    policy, _number = policy_of(actor.tenant_id)
    if Capability.METRICS_READ not in actor.capabilities or not policy.integer(LIMIT):
        return None
    standing = standing_of(actor.tenant_id)
    spent = standing.level == Level.SPENT
    return Work(
        _("Model tokens of this month are spent") if spent else _("Model tokens of this month are nearly spent"),
        int(standing.level in {Level.NEAR, Level.SPENT}),
        reverse("admin:budget"),
        urgent=spent,
        note=told(standing),
    )  # fmt: skip
