"""Redacting in the admin: choose what goes, see every place it stands, confirm with a reason, and read the proof."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.models import Subject
from accounts.operator_pages import OperatorView, Text, add_problem
from accounts.permissions import Capability
from accounts.reading import note_reading
from memories.admin.memory_page import memory_for
from memories.admin.redaction_forms import WHOLE, ChooseForm, ChooseFromMemory, confirming
from memories.admin.redaction_words import place_rows
from memories.admin.showing import is_sensitive, reads_clear, shown
from memories.models import Fact, Memory, Redaction
from memories.services.preview_redaction import preview_redaction
from memories.services.redact import redact
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError, NotFound

PAGES = "admin/memories/redaction"


class TwoSteps(OperatorView):
    """First what is to go, then the places in which it stands, with the form that confirms; nothing stands in the address."""

    capability = Capability.REDACT
    template_name = f"{PAGES}/redact.html"
    title: Text = _("Redact")

    def choose(self, data: Any = None) -> ChooseForm:
        return ChooseForm(data)

    def preview(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """What the template shows of the places."""
        raise NotImplementedError

    def carry_out(self, wanted: dict[str, Any], reason: str, confirmation: str) -> Redaction:
        raise NotImplementedError

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        form = self.choose(request.POST)
        if not form.is_valid():
            return self.page(**kwargs, form=form)
        wanted = self.wanted(form)
        if form.errors:
            return self.page(**kwargs, form=form)
        if "confirmation" not in request.POST:
            return self._shown(form, wanted, confirming(form), **kwargs)
        confirm = confirming(form, request.POST)
        if not confirm.is_valid():
            return self._shown(form, wanted, confirm, **kwargs)
        try:
            made = self.carry_out(
                wanted, confirm.cleaned_data["reason"], confirm.cleaned_data["confirmation"]
            )
        except NotFound:
            raise
        except DomainError as error:
            if {"words", "pattern", "standing"} & set(error.fields):
                add_problem(form, error)
                return self.page(**kwargs, form=form)
            add_problem(confirm, error)
            return self._shown(form, wanted, confirm, **kwargs)
        return HttpResponseRedirect(reverse("admin:memories_redaction_result", args=[made.pk]))

    def wanted(self, form: ChooseForm) -> dict[str, Any]:
        return form.wanted()

    def _shown(
        self, form: ChooseForm, wanted: dict[str, Any], confirm: forms.Form, **kwargs: Any
    ) -> HttpResponse:
        try:
            found = self.preview({name: wanted[name] for name in ("words", "pattern")})
        except NotFound:
            raise
        except DomainError as error:
            add_problem(form, error)
            return self.page(**kwargs, form=form)
        return self.page(**kwargs, form=confirm, confirms=True, chosen=wanted, **found)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        kwargs.setdefault("form", self.choose())
        return super().get_context_data(**kwargs)


class _OfSubject(TwoSteps):
    """Words of one subject's texts; `target` names the subject or the memory for the services."""

    def target(self) -> dict[str, Any]:
        return {"subject_id": self.kwargs["object_id"]}

    def preview(self, wanted: dict[str, Any]) -> dict[str, Any]:
        found = preview_redaction(actor=self.actor, **self.target(), **wanted)
        return {
            "places": place_rows(found.counts, found.ids),
            "total": found.total,
            "jobs": len(found.jobs),
            "external_ids": found.external_ids,
        }

    def carry_out(self, wanted: dict[str, Any], reason: str, confirmation: str) -> Redaction:
        return redact(actor=self.actor, reason=reason, confirmation=confirmation, **self.target(), **wanted)


class RedactSubject(_OfSubject):
    """Words of one person's, wherever they stand."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        if not Subject.objects.filter(pk=self.kwargs["object_id"], erased_at__isnull=True).exists():
            raise Http404
        return super().get_context_data(
            subject_id=self.kwargs["object_id"],
            parent_url=reverse("admin:memories_redaction_changelist"),
            parent_title=_("Redactions"),
            **kwargs,
        )


class RedactMemory(_OfSubject):
    """One memory: the whole of it, or words that stand in it."""

    _memory: Memory | None = None

    def memory(self) -> Memory:
        if self._memory is None:
            with tenant_transaction(self.actor.tenant_id):
                self._memory = memory_for(self.kwargs["object_id"])
            if self._memory is None:
                raise Http404
        return self._memory

    def target(self) -> dict[str, Any]:
        return {"memory_id": self.memory().pk}

    def choose(self, data: Any = None) -> ChooseForm:
        memory = self.memory()
        with tenant_transaction(self.actor.tenant_id):
            values: list[str] = []
            if reads_clear(self.actor) and not is_sensitive(memory):
                found = Fact.objects.filter(memory_id=memory.pk).order_by("pk")
                values = list(dict.fromkeys(found.values_list("value", flat=True)[:20]))
        # Values come along as words from the second step on.
        return ChooseFromMemory(data, values=values)

    def wanted(self, form: ChooseForm) -> dict[str, Any]:
        wanted = form.wanted()
        if form.cleaned_data["what"] == WHOLE:
            return {**wanted, "words": [], "pattern": ""}
        if not wanted["words"]:
            form.add_error("words", _t("Give the words to take out, or choose the whole memory."))
        return wanted

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.memory()
        return super().post(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        memory = self.memory()
        note_reading(self.actor, memory.subject_id, "admin.read", target_kind="memory", target_id=memory.pk)
        return super().get_context_data(
            memory=memory,
            text=shown(
                memory.content,
                actor=self.actor,
                sensitive=is_sensitive(memory),
                kind=memory.kind,
                language=memory.language,
            ),
            parent_url=reverse("admin:memories_memory_change", args=[memory.pk]),
            parent_title=_("Memory"),
            **kwargs,
        )
