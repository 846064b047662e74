"""What an admin decides about an experiment: define, start, stop, adopt, discard; each page shows what it would touch."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.operator_pages import DecisionView
from accounts.permissions import Capability
from memories.admin.experiments_form import ExperimentForm, offered
from memories.admin.policies_preview import change_lines
from memories.admin.policies_words import range_of, reason_of, told
from memories.core.policy_changes import rule_changes
from memories.models import Experiment
from memories.services.experiments.adopt_experiment import adopt_experiment
from memories.services.experiments.create_experiment import create_experiment
from memories.services.experiments.discard_experiment import discard_experiment
from memories.services.experiments.rows import MAX_NOTE
from memories.services.experiments.start_experiment import start_experiment
from memories.services.experiments.stop_experiment import stop_experiment
from memories.services.policies import policy_of
from memories.services.policy_history import policy_version
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

TEMPLATES = "admin/memories/experiment"
LIST = "admin:memories_experiment_changelist"
PAGE = "admin:memories_experiment_change"


class CreateView(DecisionView):
    """A draft: nothing goes by it before it is started."""

    capability = Capability.POLICY_WRITE
    title = _("Define an experiment")
    template_name = f"{TEMPLATES}/create.html"
    form_class = ExperimentForm

    def get_form_kwargs(self) -> dict[str, Any]:
        policy, _number = policy_of(self.actor.tenant_id)
        return {**super().get_form_kwargs(), "policy": policy}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        policy, number = policy_of(self.actor.tenant_id)
        groups = [
            (group, [(rule.key, reason_of(rule), told(policy.value(rule.key)), range_of(rule) or " | ".join(rule.choices)) for rule in rules])
            for group, rules in offered()
        ]  # fmt: skip
        return super().get_context_data(
            groups=groups,
            number=number,
            submit=_("Save as a draft"),
            parent_url=reverse(LIST),
            **kwargs,
        )

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """What the service says of a rule belongs to its row."""
        form = self.get_form()
        if not form.is_valid():
            return self.page(form=form)
        given = form.cleaned_data
        try:
            row = create_experiment(
                actor=self.actor,
                name=given["name"],
                hypothesis=given["hypothesis"],
                overrides=given["overrides"],
                share=given["share"] / 100,
            )
        except Invalid as error:
            if not form.refuse(error):
                named = next((name for name in error.fields if name in form.fields), None)
                form.add_error(
                    named, _t(error.fields[named]) if named else f"{error.message} {error.hint}".strip()
                )
            return self.page(form=form)
        messages.success(request, _t("The draft is saved. Nothing goes by it before you start it."))
        return HttpResponseRedirect(reverse(PAGE, args=[row.pk]))


class NoteForm(forms.Form):
    note = forms.CharField(
        label=_("Why"),
        max_length=MAX_NOTE,
        required=False,
        help_text=_("Stands with the experiment. No personal data here."),
    )


class OneExperiment(DecisionView):
    """A decision about one experiment; another tenant's is not there."""

    capability = Capability.POLICY_WRITE
    template_name = f"{TEMPLATES}/decide.html"
    explains: Any = ""
    does: Any = ""

    def row(self) -> Experiment:
        with tenant_transaction(self.actor.tenant_id):
            found: Experiment | None = Experiment.objects.filter(pk=self.experiment_id).first()
        if found is None:
            raise Http404
        return found

    @property
    def experiment_id(self) -> uuid.UUID:
        found: uuid.UUID = self.kwargs["object_id"]
        return found

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        row = self.row()
        base = policy_version(actor=self.actor)
        return super().get_context_data(
            experiment=row,
            percent=round(100 * row.share),
            rules=change_lines(rule_changes(base.overrides, {**base.overrides, **row.overrides})),
            explains=self.explains,
            submit=self.does,
            parent_url=reverse(PAGE, args=[row.pk]),
            parent_title=row.name,
            **kwargs,
        )

    def get_success_url(self) -> str:
        return reverse(PAGE, args=[self.experiment_id])


class StartView(OneExperiment):
    title = _("Start the experiment")
    does = _("Start it")
    explains = _(
        "From now on each new session belongs to one of the arms, for good and by its id alone. Only one experiment runs at a time, and "
        "saving a policy stops it, since arm A is the policy that is in force now."
    )

    def decide(self, form: forms.Form) -> Any:
        start_experiment(actor=self.actor, experiment_id=self.experiment_id)
        return _t("It runs. New sessions are split from now on.")


class StopView(OneExperiment):
    title = _("Stop the experiment")
    does = _("Stop it")
    form_class = NoteForm
    explains = _(
        "Every session goes by the policy in force again, within some seconds. The numbers so far stay, and B can still be adopted."
    )

    def decide(self, form: forms.Form) -> Any:
        stop_experiment(actor=self.actor, experiment_id=self.experiment_id, note=form.cleaned_data["note"])
        return _t("It is stopped. Every session goes by the policy in force.")


class AdoptForm(NoteForm):
    expected = forms.IntegerField(widget=forms.HiddenInput)


class AdoptView(OneExperiment):
    title = _("Adopt arm B")
    does = _("Adopt B for every session")
    form_class = AdoptForm
    explains = _(
        "B's rules become a new version of the policy, over the one in force. The version can be taken back like any other."
    )

    def get_initial(self) -> dict[str, Any]:
        return {"expected": policy_version(actor=self.actor).number}

    def decide(self, form: forms.Form) -> Any:
        note = form.cleaned_data["note"] or _t("Adopted from the experiment “%(name)s”") % {
            "name": self.row().name
        }
        row = adopt_experiment(
            actor=self.actor,
            experiment_id=self.experiment_id,
            expected=form.cleaned_data["expected"],
            note=note[:MAX_NOTE],
        )
        return _t("B is adopted: it is version %(number)s of the policy.") % {"number": row.ended_by_version}


class DiscardView(OneExperiment):
    title = _("Discard the draft")
    does = _("Discard it")
    explains = _("It was never started, so no session and no trace knows of it.")

    def decide(self, form: forms.Form) -> Any:
        discard_experiment(actor=self.actor, experiment_id=self.experiment_id)
        return _t("The draft is gone.")

    def get_success_url(self) -> str:
        return reverse(LIST)
