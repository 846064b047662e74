"""The two decisions about tombstones: what comes back and what stands in the way, and what is gone for good."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import audit
from accounts.operator_pages import DecisionView, one_by_one, told
from accounts.permissions import Capability
from memories.admin.memory_words import explain, link
from memories.admin.packing import unpacked
from memories.admin.showing import SEALED, shown, with_sensitivity
from memories.models import Memory, Tombstone
from memories.services.purge_now import purge_now
from memories.services.restorable import Restorable, restorable
from memories.services.restore import restore
from memoryhub.common.errors import DomainError

PAGES = "admin/memories/tombstone"
WORDS = {"purge", "清除"}
PURGED = "purged_tombstones"
"""Where a session keeps which ids it purged last."""

OBSTACLES: dict[str, Any] = {
    "restored": _("it was restored already"),
    "over": _("its retention has ended"),
    "gone": _("it cannot be restored: it was redacted, replaced or merged since"),
    "emptied": _("a request to forget took its words; undo that request first"),
    "rival": _("a newer memory stands in its place"),
}


class OfManyTombstones(DecisionView):
    """A decision about the tombstones whose ids stand packed in the address; 404 where none of them is this tenant's."""

    template_name = f"{PAGES}/decision.html"

    def stones(self) -> list[Restorable]:
        found = restorable(actor=self.actor, tombstone_ids=unpacked(self.request.GET.get("ids", "")))
        if not found:
            raise Http404
        return found

    def get_success_url(self) -> str:
        return reverse("admin:memories_tombstone_changelist")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        stones = self.stones()
        memory_ids = [one.memory.pk for one in stones]
        sealed = set(
            with_sensitivity(Memory.objects.filter(pk__in=memory_ids))
            .filter(**{SEALED: True})
            .values_list("pk", flat=True)
        )
        audit.record(self.actor, "admin.list", target_kind="memory", rows=sorted(map(str, memory_ids)))
        context = super().get_context_data(
            rows=[self.row(one, one.memory.pk in sealed) for one in stones],
            parent_url=self.get_success_url(),
            parent_title=_("Tombstones"),
            **kwargs,
        )
        # The list that they were chosen from is the parent already.
        return {**context, "opts": None}

    def row(self, one: Restorable, sensitive: bool) -> dict[str, Any]:
        return {
            "stone": one.stone,
            "kind": one.memory.kind,
            "text": shown(
                one.memory.content,
                actor=self.actor,
                sensitive=sensitive,
                kind=one.memory.kind,
                language=one.memory.language,
                excerpt=True,
            ),
            "url": link("memories_memory_change", one.memory.pk),
            "why": explain(one.stone.rule or one.stone.cause),
            "obstacle": self.obstacle(one),
            "rival_url": link("memories_memory_change", one.rival_id) if one.rival_id else "",
        }

    def obstacle(self, one: Restorable) -> Any:
        return OBSTACLES.get(one.obstacle, "")

    def each(self, do: Callable[[Tombstone], Any]) -> int:
        """Row by row; how many were done."""
        return one_by_one(
            self.request,
            self.stones(),
            lambda one: do(one.stone),
            lambda one, error: f"{one.memory.pk}: {self.obstacle(one) or told(error)}",
        )


class RestoreView(OfManyTombstones):
    """Brings back what can come back."""

    capability = Capability.RESTORE
    title = _("Restore memories")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(submit=_("Restore"), comes_back=True, **kwargs)

    def decide(self, form: forms.Form) -> Any:
        done = self.each(self._restore)
        return (
            ngettext("%(n)d memory was restored.", "%(n)d memories were restored.", done) % {"n": done}
            if done
            else ""
        )

    def _restore(self, stone: Tombstone) -> None:
        if stone.restored_at is not None:
            raise DomainError(_t("it was restored already"))
        restore(actor=self.actor, memory_id=uuid.UUID(str(stone.memory_id)))


class PurgeForm(forms.Form):
    """A word to be typed, so that no slip of the hand destroys anything."""

    confirmation = forms.CharField(
        label=_("Type “purge”"), help_text=_("What is purged is gone for good; nothing brings it back.")
    )

    def clean_confirmation(self) -> str:
        given: str = self.cleaned_data["confirmation"]
        if given.strip().casefold() not in WORDS:
            raise forms.ValidationError(_("Type the word “purge” to go on."))
        return given


class PurgeView(OfManyTombstones):
    """Removes them before their retention ends."""

    capability = Capability.REDACT
    title = _("Purge memories now")
    form_class = PurgeForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sent twice, the second finds nothing: whose own purge it was is told so, as nobody else is."""
        ids = request.GET.get("ids", "")
        if request.session.get(PURGED) == ids and not restorable(
            actor=self.actor, tombstone_ids=unpacked(ids)
        ):
            messages.info(request, _t("They are gone already."))
            return HttpResponseRedirect(self.get_success_url())
        return super().post(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(submit=_("Purge"), dangerous=True, **kwargs)

    def obstacle(self, one: Restorable) -> Any:
        return OBSTACLES["restored"] if one.obstacle == "restored" else ""

    def decide(self, form: forms.Form) -> Any:
        done = self.each(lambda stone: purge_now(actor=self.actor, tombstone_id=stone.pk))
        self.request.session[PURGED] = self.request.GET["ids"]
        return (
            ngettext("%(n)d memory was purged.", "%(n)d memories were purged.", done) % {"n": done}
            if done
            else ""
        )
