"""What is done on the admin's page of a memory: the reveal with its reason, and the pin."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.operator_pages import DecisionView, add_problem
from accounts.permissions import Capability
from memories.admin.memory_page import memory_for
from memories.admin.showing import mask
from memories.models import Memory
from memories.services.pin import pin
from memories.services.reveal import MAX_REASON, reveal
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError, NotFound

PAGES = "admin/memories/memory"


class ReasonForm(forms.Form):
    """Why somebody's memory has to be read."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        help_text=_("The person whose memory this is will see it, with the time. No personal data here."),
    )


class OfOneMemory(DecisionView):
    """A decision about the memory in the address; 404 for another tenant's."""

    def memory(self) -> Memory:
        with tenant_transaction(self.actor.tenant_id):
            found = memory_for(self.kwargs["object_id"])
        if found is None:
            raise Http404
        return found

    def get_success_url(self) -> str:
        return reverse("admin:memories_memory_change", args=[self.kwargs["object_id"]])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        memory = self.memory()
        return super().get_context_data(
            memory=memory,
            masked_text=mask(memory.content, kind=memory.kind, language=memory.language),
            parent_url=self.get_success_url(),
            parent_title=_("Memory"),
            **kwargs,
        )


class RevealView(OfOneMemory):
    """Asks for the reason, and answers the form itself with the clear text: in no address, and kept by no cache."""

    capability = Capability.REVEAL
    title = _("Reveal a memory")
    template_name = f"{PAGES}/reveal.html"
    form_class = ReasonForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        memory, form = self.memory(), self.get_form()
        if form.is_valid():
            try:
                found = reveal(actor=self.actor, memory_id=memory.pk, reason=form.cleaned_data["reason"])
            except NotFound:
                raise Http404 from None
            except DomainError as error:
                add_problem(form, error)
            else:
                self.template_name = f"{PAGES}/revealed.html"
                return self.page(**kwargs, revealed=found)
        return self.page(**kwargs, form=form)

    def page(self, **context: Any) -> HttpResponse:
        answer = super().page(**context)
        answer["Cache-Control"] = "no-store, private"
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(submit=_("Reveal"), **kwargs)


class PinForm(forms.Form):
    pinned = forms.BooleanField(required=False, widget=forms.HiddenInput)


class PinView(OfOneMemory):
    """Pin or unpin for whoever may write the person's memories."""

    capability = Capability.MEMORY_WRITE
    title = _("Pin a memory")
    template_name = f"{PAGES}/pin.html"
    form_class = PinForm

    def get_initial(self) -> dict[str, Any]:
        return {"pinned": not self.memory().pinned}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        pinned = self.memory().pinned
        return super().get_context_data(submit=_("Unpin") if pinned else _("Pin"), **kwargs)

    def decide(self, form: forms.Form) -> Any:
        pinned = form.cleaned_data["pinned"]
        pin(actor=self.actor, memory_id=self.memory().pk, pinned=pinned)
        return _t("Pinned.") if pinned else _t("Not pinned any more.")
