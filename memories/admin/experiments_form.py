"""The form that defines an experiment: what is expected, for which share of sessions, and which rules arm B changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from memories.admin.policies_form import parsed
from memories.admin.policies_words import GROUPS, group_of, range_of, reason_of, told
from memories.core.experiments import HIGHEST_SHARE, LOWEST_SHARE, why_not
from memories.core.policy import RULES, Policy, Rule, Value
from memories.services.experiments.create_experiment import MAX_HYPOTHESIS, MAX_NAME
from memoryhub.common.errors import DomainError

ROWS = 5
"""Rules that one experiment may change on the page: with more nobody could say which one did it."""


def offered() -> Iterator[tuple[Any, list[Rule]]]:
    """The rules that may differ between sessions, by group, in the order of the table."""
    by_group: dict[str, list[Rule]] = {}
    for rule in RULES.values():
        if not why_not(rule.key):
            by_group.setdefault(group_of(rule.key).name, []).append(rule)
    for group in GROUPS:
        if group.name in by_group:
            yield group, by_group[group.name]


class ExperimentForm(forms.Form):
    """`policy` is what is in force: each rule is offered with its value there."""

    name = forms.CharField(label=_("Name of the experiment"), max_length=MAX_NAME)
    hypothesis = forms.CharField(
        label=_("What you expect"),
        max_length=MAX_HYPOTHESIS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "Which number should change, which way, and why. Write down, too, how many sessions you will wait for: who looks every "
            "day and stops at the first difference finds differences that are none. No personal data here."
        ),
    )
    share = forms.IntegerField(
        label=_("Sessions in B, in percent"),
        min_value=int(100 * LOWEST_SHARE),
        max_value=int(100 * HIGHEST_SHARE),
        initial=50,
        help_text=_("Half and half tells two policies apart soonest; a smaller share risks less."),
    )

    def __init__(self, *args: Any, policy: Policy, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices: list[Any] = [("", "—")]
        for group, rules in offered():
            choices.append((group.title, [(rule.key, _option(rule, policy)) for rule in rules]))
        for number in range(1, ROWS + 1):
            self.fields[f"rule_{number}"] = forms.CharField(
                label=_t("Rule %(number)s") % {"number": number},
                required=False,
                widget=forms.Select(choices=choices),
            )
            self.fields[f"value_{number}"] = forms.CharField(
                label=_t("Value %(number)s in B") % {"number": number},
                required=False,
                max_length=40,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )

    def clean(self) -> dict[str, Any]:
        """`overrides` beside what was typed, where each row fits by itself."""
        given: dict[str, Any] = super().clean() or {}
        overrides: dict[str, Value] = {}
        for number in range(1, ROWS + 1):
            key, text = given.get(f"rule_{number}", ""), given.get(f"value_{number}", "").strip()
            if not key and not text:
                continue
            if key not in RULES:
                self.add_error(f"rule_{number}", _("choose one of the list"))
                continue
            if reason := why_not(key):
                self.add_error(f"rule_{number}", _t(reason))
                continue
            if key in overrides:
                self.add_error(f"rule_{number}", _("this rule stands in another row already"))
                continue
            value, error = parsed(RULES[key], text)
            if error or value is None:
                self.add_error(f"value_{number}", error)
            else:
                overrides[key] = value
        if not overrides and not self.errors:
            self.add_error("rule_1", _("change at least one rule in arm B"))
        given["overrides"] = overrides
        return given

    def refuse(self, error: DomainError) -> bool:
        """Put what the service says of a rule at its row; False where it names none of them."""
        rows = {self.cleaned_data.get(f"rule_{number}"): number for number in range(1, ROWS + 1)}
        named = {rows[key]: text for key, text in error.fields.items() if key in rows}
        for number, text in named.items():
            self.add_error(f"value_{number}", _t(text))
        return bool(named)


def _option(rule: Rule, policy: Policy) -> str:
    allowed = range_of(rule) or " | ".join(rule.choices)
    return _t("%(key)s: %(reason)s (in force: %(value)s; %(range)s)") % {
        "key": rule.key,
        "reason": reason_of(rule),
        "value": told(policy.value(rule.key)),
        "range": allowed,
    }
