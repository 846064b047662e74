"""The forms of redaction: what is to go, and the confirmation that carries it along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

WHOLE, WORDS = "whole", "words"


class ChooseForm(forms.Form):
    """What is to be taken out of the texts of a subject, or of everybody's."""

    words = forms.CharField(
        label=_("Words to take out"),
        required=False,
        strip=True,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 3, "data-redact-words": "", "autocomplete": "off"}),
        help_text=_(
            "One a line. Capital and small letters are the same; long numbers are found however they are spaced."
        ),
    )
    pattern = forms.CharField(
        label=_("Or a pattern"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("A regular expression without endless repeats: \\d{4} rather than \\d+."),
    )
    standing = forms.BooleanField(
        label=_("Never learn these words again, even when they are said again later"),
        required=False,
        help_text=_("Otherwise only what was said before is not learnt again. You can lift this later."),
    )

    def wanted(self) -> dict[str, Any]:
        """What the services take."""
        data = self.cleaned_data
        given = [*data.get("values", ()), *data.get("words", "").splitlines()]
        # A value of two lines comes back from the confirming step as one line of words.
        words = [" ".join(one.split()) for one in given]
        return {
            "words": [*dict.fromkeys(filter(None, words))],
            "pattern": data.get("pattern", ""),
            "standing": data.get("standing", False),
        }


class ChooseFromMemory(ChooseForm):
    """The same, beginning with one memory: the whole of it, or words that stand in it."""

    pattern = None  # type: ignore[assignment]
    what = forms.ChoiceField(
        label=_("What is to go"),
        choices=[
            (WORDS, _("These words, in every text of this person")),
            (WHOLE, _("The whole memory, with everything that says it")),
        ],
        initial=WORDS,
        widget=forms.RadioSelect,
    )
    values = forms.MultipleChoiceField(
        label=_("Values in this memory"), required=False, choices=(), widget=forms.CheckboxSelectMultiple
    )
    field_order = ["what", "values", "words", "standing"]

    def __init__(self, *args: Any, values: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["values"]
        field.choices = [(value, value) for value in values]
        if not values:
            del self.fields["values"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("what") == WHOLE:
            return {**data, "words": "", "values": [], "standing": False}
        return data


def confirming(form: ChooseForm, data: Any = None) -> forms.Form:
    """The second form: what was chosen, hidden, with the reason and the word that confirms."""
    fields: dict[str, Any] = {}
    if "what" in form.fields:
        fields["what"] = forms.CharField(widget=forms.HiddenInput)
    for name in ("words", "pattern"):
        fields[name] = forms.CharField(required=False, widget=forms.HiddenInput)
    fields["standing"] = forms.BooleanField(required=False, widget=forms.HiddenInput)
    fields["reason"] = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("It is kept with the redaction. Do not write the words themselves into it."),
    )
    fields["confirmation"] = forms.CharField(
        label=_("Type “redact” to confirm"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("This cannot be undone."),
    )
    made = type("ConfirmForm", (forms.Form,), fields)
    if data is not None:
        found: forms.Form = made(data)
        return found
    chosen = form.wanted()
    initial = {**chosen, "words": "\n".join(chosen["words"])}
    if "what" in form.fields:
        initial["what"] = form.cleaned_data["what"]
    shown: forms.Form = made(initial=initial)
    return shown
