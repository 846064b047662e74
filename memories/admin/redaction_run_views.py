"""Redacting over a whole tenant in the admin, and the page of any redaction: how far it came, and the proof."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.operator_pages import OperatorView, operator_page, told
from accounts.permissions import Capability
from memories.admin.memory_words import People
from memories.admin.redaction_views import PAGES, TwoSteps
from memories.admin.redaction_words import place_rows
from memories.admin.showing import shown
from memories.models import Job, Redaction
from memories.services.lift_redaction import lift_redaction
from memories.services.redact_everywhere import (
    KIND,
    preview_everywhere,
    redact_everywhere,
    resume_redaction,
)
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError, NotFound


@operator_page(
    "redact-everywhere/",
    name="redact_everywhere",
    title=_("Find and redact everywhere"),
    note=_("Take words, or what a pattern matches, out of everything that is kept of anybody, for good."),
)
class RedactEverywhere(TwoSteps):
    """A string or a pattern over the whole tenant."""

    title = _("Find and redact everywhere")

    def preview(self, wanted: dict[str, Any]) -> dict[str, Any]:
        found = preview_everywhere(actor=self.actor, **wanted)
        with tenant_transaction(self.actor.tenant_id):
            sample = [shown(one, actor=self.actor) for one in found.sample] if wanted["pattern"] else []
        return {
            "places": place_rows(found.counts),
            "total": sum(found.counts.values()),
            "everywhere": found,
            "by_subject": found.by_subject[:20],
            "sample": sample,
        }

    def carry_out(self, wanted: dict[str, Any], reason: str, confirmation: str) -> Redaction:
        return redact_everywhere(actor=self.actor, reason=reason, confirmation=confirmation, **wanted)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            for_everybody=True,
            parent_url=reverse("admin:memories_redaction_changelist"),
            parent_title=_("Redactions"),
            **kwargs,
        )


class RedactionResult(OperatorView):
    """How far a redaction came, and the proof; a stopped run is gone on with, and what it forbids is lifted."""

    capability = Capability.REDACT
    template_name = f"{PAGES}/result.html"
    title = _("Redaction")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        verb = {"resume": resume_redaction, "lift": lift_redaction}.get(request.POST.get("do", ""))
        if verb is None:
            return self.page(**kwargs)
        try:
            verb(actor=self.actor, redaction_id=kwargs["object_id"])
        except NotFound:
            raise Http404 from None
        except DomainError as error:
            return self.page(**kwargs, problem=told(error))
        return HttpResponseRedirect(request.path)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        row: Redaction | None = Redaction.objects.defer("target").filter(pk=self.kwargs["object_id"]).first()
        if row is None:
            raise Http404
        proof = row.proof if isinstance(row.proof, dict) else {}
        running = row.state == Redaction.State.RUNNING
        job = (
            Job.objects.filter(kind=KIND, key=str(row.pk)).order_by("-created_at").first()
            if running
            else None
        )
        return super().get_context_data(
            row=row,
            who=People([(row.requested_by_kind, row.requested_by)]).name(
                row.requested_by_kind, row.requested_by
            ),
            running=running,
            stopped=running and (job is None or job.state == Job.State.FAILED),
            job=job,
            hiding=str(row.place.get("phase", "")) == "hide",
            proof=proof,
            external_ids=proof.get("external_ids", 0),
            places=place_rows(row.found if isinstance(row.found, dict) else {}, after=proof.get("after")),
            total=sum(row.found.values()) if proof.get("after") else 0,
            reason=shown(row.reason, actor=self.actor),
            **kwargs,
        )
