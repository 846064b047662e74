"""What the admin says of model tokens: a month by use, how it stands against the limit, and the months before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from memories.core.budget import Level, Spent, Standing, Use
from memoryhub.common.charts import Mark, bars

USES: dict[Use, Any] = {
    Use.ANSWER: _("Answers"),
    Use.LEARNING: _("Learning from messages"),
    Use.DIGEST: _("Digests"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One use's month, or all of it, as it is shown."""

    title: Any
    calls: str
    prompt: str
    completion: str
    tokens: str
    cost: str
    estimated: str


def usage_shown(standing: Standing, months: Mapping[date, Mapping[Use, Spent]]) -> dict[str, Any]:
    """What admin/_model_tokens.html shows: the level in words, this month's lines with their sum, and a chart of the months."""
    return {
        "level": standing.level.value,
        "told": told(standing),
        "lines": [_line(standing, title, standing.uses.get(use, Spent())) for use, title in USES.items()],
        "total": _line(standing, _("Together"), standing.total),
        "month": date_format(standing.month, "YEAR_MONTH_FORMAT"),
        "chart": bars(_("Model tokens a month"), [_mark(standing, *one) for one in months.items()]),
    }


def told(standing: Standing) -> str:
    """How the month stands, in a sentence."""
    if standing.level == Level.FREE:
        return _t("No limit is set.")
    numbers = {
        "used": _many(standing.total.tokens),
        "limit": _many(standing.limit),
        "share": number_format(100 * standing.share, 0),
        "day": date_format(standing.renews, "SHORT_DATE_FORMAT"),
    }
    if standing.level == Level.SPENT:
        return (
            _t(
                "%(used)s of %(limit)s tokens: the month is spent. Until %(day)s (UTC) answers only quote what is remembered, and rules "
                "alone learn and write digests."
            )
            % numbers
        )
    return (
        _t("%(used)s of %(limit)s tokens (%(share)s%%). The budget begins anew on %(day)s (UTC).") % numbers
    )


def _line(standing: Standing, title: Any, spent: Spent) -> Line:
    return Line(
        title,
        _many(spent.calls),
        _many(spent.prompt_tokens),
        _many(spent.completion_tokens),
        _many(spent.tokens),
        _cost(standing, spent),
        _many(spent.estimated),
    )


def _cost(standing: Standing, spent: Spent) -> str:
    if not standing.price_prompt and not standing.price_completion:
        return "–"
    return number_format(standing.cost(spent), 2, force_grouping=True)


def _mark(standing: Standing, month: date, uses: Mapping[Use, Spent]) -> Mark:
    spent = sum(uses.values(), Spent())
    words = _t("%(month)s: %(tokens)s tokens in %(calls)s calls, cost %(cost)s") % {
        "month": f"{month:%Y-%m}",
        "tokens": _many(spent.tokens),
        "calls": _many(spent.calls),
        "cost": _cost(standing, spent),
    }
    return Mark(date_format(month, "M"), spent.tokens, words)


def _many(number: int) -> str:
    """Millions are read by their groups of three."""
    return number_format(number, force_grouping=True)
