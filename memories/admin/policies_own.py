"""A tenant's own patterns and fields of sensitive content as rows of a form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import BadRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.admin.policies_words import CHOICES
from memories.core.errors import PolicyError
from memories.core.pii.custom import MAX_FIELDS, MAX_PATTERNS, MODEL_ACTIONS, OWN_ACTIONS, own_of

MAX_PATTERN = 1_000


def _choice(label: Any, values: tuple[str, ...]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, initial="mask", choices=[(one, CHOICES[one]) for one in values])


class _Row(forms.Form):
    name = forms.CharField(
        label=_("Name of the rule"), max_length=32, help_text=_("small letters, digits and _")
    )


class PatternForm(_Row):
    """What the pattern matches is sensitive."""

    pattern = forms.CharField(
        label=_("Pattern"),
        max_length=MAX_PATTERN,
        strip=False,
        help_text=_("a regular expression; repeats need an upper bound"),
    )
    action = _choice(_("When it is said"), OWN_ACTIONS)
    model = _choice(_("Towards a model"), MODEL_ACTIONS)
    ignore_case = forms.BooleanField(label=_("Capitals are as small letters"), required=False, initial=True)

    @property
    def row(self) -> dict[str, Any]:
        names = ("name", "pattern", "action", "model", "ignore_case")
        return {name: self.cleaned_data[name] for name in names}

    @staticmethod
    def shown(row: Mapping[str, Any]) -> dict[str, Any]:
        return dict(row)


class FieldForm(_Row):
    """What stands under one of the labels is sensitive."""

    labels = forms.CharField(
        label=_("Labels"), max_length=1_000, help_text=_("separated by commas: badge number, 工号")
    )
    action = _choice(_("When it is said"), OWN_ACTIONS)
    model = _choice(_("Towards a model"), MODEL_ACTIONS)

    @property
    def row(self) -> dict[str, Any]:
        labels = self.cleaned_data["labels"].replace("，", ",").split(",")
        row = {name: self.cleaned_data[name] for name in ("name", "action", "model")}
        return {**row, "labels": [label.strip() for label in labels if label.strip()]}

    @staticmethod
    def shown(row: Mapping[str, Any]) -> dict[str, Any]:
        return {**row, "labels": ", ".join(row["labels"])}


PatternRows: Any = forms.formset_factory(PatternForm, extra=1, can_delete=True, max_num=MAX_PATTERNS)
FieldRows: Any = forms.formset_factory(FieldForm, extra=1, can_delete=True, max_num=MAX_FIELDS)
_PARTS: dict[str, tuple[Any, type[PatternForm] | type[FieldForm]]] = {
    "patterns": (PatternRows, PatternForm),
    "fields": (FieldRows, FieldForm),
}


class OwnRows:
    """The rows with what was typed in them; `data` is what they come to, as it is stored."""

    def __init__(self, custom: Mapping[str, Any], posted: Mapping[str, Any] | None = None) -> None:
        try:
            self.data = own_of(custom).as_data() if custom else {}
        except PolicyError:
            # Only what was checked is carried along or stored.
            raise BadRequest("no draft") from None
        self.error = ""
        self._make(posted)

    def _make(self, posted: Mapping[str, Any] | None) -> None:
        self.posted = posted is not None
        self.rows: dict[str, Any] = {}
        for part, (rows, form) in _PARTS.items():
            initial = [form.shown(row) for row in self.data.get(part, ())]
            self.rows[part] = rows(posted, initial=initial, prefix=part)

    def fresh(self) -> None:
        """Rows for what was read, with an empty one to add; those that were refused stay as they were typed."""
        if not self.refused:
            self._make(None)

    @staticmethod
    def are_in(data: Mapping[str, Any]) -> bool:
        """Whether the page showed them."""
        return all(f"{part}-TOTAL_FORMS" in data for part in _PARTS)

    @property
    def refused(self) -> bool:
        return self.posted and (bool(self.error) or any(not rows.is_valid() for rows in self.rows.values()))

    def check(self) -> bool:
        """Whether all rows can be read; `data` is then what was typed."""
        if not self.posted:
            return True
        if not all(rows.is_valid() for rows in self.rows.values()):
            return False
        given = {part: [form.row for form in self._kept(part)] for part in _PARTS}
        try:
            self.data = own_of(given).as_data()
        except PolicyError as error:
            self.refuse(error)
            return False
        return True

    def _kept(self, part: str) -> list[Any]:
        """The forms that stand for a row: not the empty one, and not what is taken out."""
        forms_of = self.rows[part].forms
        return [
            form for form in forms_of if form.cleaned_data.get("name") and not form.cleaned_data.get("DELETE")
        ]

    def refuse(self, error: PolicyError) -> bool:
        """Put what the core refuses at its row; False when it is about something else."""
        part, *rest = error.key.removeprefix("custom.").split(".")
        if not error.key.startswith("custom"):
            return False
        said = gettext(error.fields[error.key])
        if part in _PARTS and len(rest) == 2 and rest[0].isdigit():
            form = self._kept(part)[int(rest[0])]
            form.add_error(rest[1] if rest[1] in form.fields else None, said)
        else:
            self.error = said
        return True
