"""Pages of the operators' admin beside Django's own lists: who may open one, what it shows, and the verb behind its form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin, site
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext, ngettext
from django.views.generic import TemplateView
from django.views.generic.edit import FormMixin

from accounts.actor import Actor
from accounts.permissions import Capability
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError, NotFound

View = Callable[..., HttpResponse]
Row = TypeVar("Row")
Text = Any  # A str, or a translation that is looked up when it is shown.


@dataclass(frozen=True)
class OperatorPage:
    """A page that belongs to no model: an address below the admin, and a place in the list on its home."""

    route: str
    name: str
    title: Text
    note: Text
    capability: Capability
    view: View


PAGES: list[OperatorPage] = []
"""What the admin's home lists for whoever has the capability, in the order of registration."""


def operator_page(route: str, *, name: str, title: Text, note: Text = "") -> Callable[[Any], Any]:
    """Register an OperatorView at `admin/<route>`; `admin:<name>` is the name of its address."""

    def registered(view: type[OperatorView]) -> type[OperatorView]:
        PAGES.append(OperatorPage(route, name, title, note, view.capability, view.as_view()))
        return view

    return registered


class OperatorView(TemplateView):
    """A page for members with `capability`; others get 403, and the form's token is checked by the site.

    No transaction is open around it, since a service behind it may have to embed: `get_context_data` and the template
    run inside the tenant's, `post` does not.
    """

    capability: Capability
    title: Text = ""
    own_transactions = True
    model_admin: ModelAdmin | None = None

    @classmethod
    def as_view(cls, **initkwargs: Any) -> View:
        view = super().as_view(**initkwargs)
        view.own_transactions = True  # type: ignore[attr-defined]
        return view

    @property
    def actor(self) -> Actor:
        member: Actor = self.request.member  # type: ignore[attr-defined]
        return member

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if self.capability not in self.actor.capabilities:
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self.page(**kwargs)

    def page(self, **context: Any) -> HttpResponse:
        """The page, read and rendered in one tenant transaction."""
        with tenant_transaction(self.actor.tenant_id):
            shown = self.get_context_data(**context)
            answer = TemplateResponse(self.request, self.get_template_names(), shown)
            return answer.render()

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {**site.each_context(self.request), "title": self.title, **kwargs}
        if self.model_admin is not None:
            context["opts"] = self.model_admin.opts
        return super().get_context_data(**context)


class DecisionView(FormMixin, OperatorView):
    """A page that shows what a decision would touch, and a form that takes it.

    Subclasses give `form_class`, `decide(form)` (calls the service; returns the words that say what was done) and
    `get_success_url`. What the service refuses becomes an error of the form, with the field where it names one.
    """

    template_name = "admin/decision.html"
    form_class: type[forms.Form] = forms.Form

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        form = self.get_form()
        if form.is_valid():
            try:
                said = self.decide(form)
            except NotFound:
                raise
            except DomainError as error:
                add_problem(form, error)
            else:
                if said:
                    messages.success(request, said)
                return HttpResponseRedirect(self.get_success_url())
        return self.page(**kwargs, form=form)

    def decide(self, form: forms.Form) -> Text:
        raise NotImplementedError


def add_problem(form: forms.Form, error: DomainError) -> None:
    """A refusal of a service as errors of the form: by field where it says so, otherwise above the fields."""
    named = {name: text for name, text in error.fields.items() if name in form.fields}
    for name, text in named.items():
        form.add_error(name, gettext(text))
    if not named:
        form.add_error(NON_FIELD_ERRORS, told(error))


class Told:
    """A domain error of one row becomes a message of the list, and the other rows go on: `with Told(self, request): …`."""

    def __init__(self, model_admin: ModelAdmin, request: HttpRequest) -> None:
        self.model_admin, self.request = model_admin, request

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        if not isinstance(error, DomainError):
            return False
        self.model_admin.message_user(self.request, told(error), messages.ERROR)
        return True


TOLD = 20
"""Refusals that are told one by one; a list of two hundred would not be read."""


def one_by_one(
    request: HttpRequest,
    rows: Iterable[Row],
    do: Callable[[Row], Any],
    refusal: Callable[[Row, DomainError], str],
) -> int:
    """Each row in its own transaction: what is refused is told by `refusal`, and the others go on. How many were done."""
    done, refused = 0, 0
    for row in rows:
        try:
            do(row)
            done += 1
        except DomainError as error:
            refused += 1
            if refused <= TOLD:
                messages.error(request, refusal(row, error))
    if refused > TOLD:
        more = refused - TOLD
        messages.error(
            request, ngettext("%(n)d more was refused.", "%(n)d more were refused.", more) % {"n": more}
        )
    return done


def told(error: DomainError) -> str:
    """A refusal in one line: what is wrong, and what to do; in the reader's language where the catalogue has it."""
    return gettext(f"{error.message}. {error.hint}".strip())
