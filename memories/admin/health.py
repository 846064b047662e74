"""The health page of the admin: each number with what it means, over which rows, and the list behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.operator_pages import OperatorView, operator_page
from accounts.permissions import Capability
from memories.admin.budget_words import usage_shown
from memories.admin.memory_words import link
from memories.services.model_usage import model_usage
from memories.services.store_health import JOBS, PERIODS, Health, store_health
from memories.store.health import ALIKE, MEMORIES, PAIRS, TRACES, Recalls
from memoryhub.common.charts import Mark, bars, curve
from memoryhub.common.errors import Invalid


@dataclass(frozen=True)
class Figure:
    """A number in words: what it is, out of what, what it means, and where the rows behind it stand."""

    title: Any
    value: str
    of: str
    meaning: Any
    url: str = ""


@operator_page(
    "health/",
    name="store_health",
    title=_("Store health"),
    note=_("How much is junk, stale or never used, how well recalls do, and what the work costs."),
)
class HealthView(OperatorView):
    """Ids and numbers only: nothing of what people said is on it."""

    capability = Capability.METRICS_READ
    title = _("Store health")
    template_name = "admin/health.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        try:
            health = store_health(actor=self.actor, days=int(self.request.GET.get("days", "30")))
        except (ValueError, Invalid):
            health = store_health(actor=self.actor)
        return super().get_context_data(
            days=health.days,
            periods=PERIODS,
            memories=_of_memories(health),
            recalls=_of_recalls(health),
            work=_of_work(health),
            charts=_charts(days_of(health)),
            usage=usage_shown(*model_usage(actor=self.actor)),
            budget_url=link("budget"),
            **kwargs,
        )


def _of_memories(health: Health) -> list[Figure]:
    kept, (stale, current), (alike, looked_at) = health.kept, health.stale, health.alike
    page = link("memories_memory_changelist")
    settled = _t("of %(n)s memories older than a week, among the newest %(most)s") % _counts(
        kept.settled, MEMORIES
    )
    return [
        Figure(
            _("Junk"), _share(kept.junk, kept.settled), settled,
            _("Never recalled, and swept away or judged wrong or irrelevant."), f"{page}?use=junk",
        ),
        Figure(
            _("Never recalled"), _share(kept.never, kept.settled), settled,
            _("No context has used it so far."), f"{page}?use=never",
        ),
        Figure(
            _("Near-duplicates"), _share(len(alike), looked_at),
            _t("of the newest %(n)s current memories (at most %(most)s)") % _counts(looked_at, PAIRS),
            _("Another memory of the same person is nearer than a cosine of %(cosine)s.") % {"cosine": ALIKE},
            f"{page}?use=alike",
        ),
        Figure(
            _("Stale"), _share(stale, current),
            _t("of %(n)s current memories, among the newest %(most)s") % _counts(current, MEMORIES),
            _("Important, and not confirmed for as long as the policy allows: people are asked about them."),
            f"{page}?use=stale",
        ),
    ]  # fmt: skip


def _of_recalls(health: Health) -> list[Figure]:
    told = health.recalls
    since = {"at__gte": health.since.isoformat()}
    page = f"{link('memories_recalltrace_changelist')}?{urlencode(since)}"
    of = _t("of %(n)s recalls") % {"n": number_format(told.recalls)}
    judged = sum(health.verdicts.values())
    false = judged - health.verdicts.get("right", 0)
    return [
        Figure(
            _("Hit rate"), _share(told.recalls - told.abstained, told.recalls), of,
            _("Something relevant was found; the others abstained."), f"{page}&abstained__exact=1",
        ),
        Figure(
            _("Average recalled"), _number(told.used, 1), of, _("Memories and turns that a recall brought, where it brought any."), page,
        ),
        Figure(
            _("False recalls"), _share(false, judged),
            _t("of %(n)s verdicts") % {"n": number_format(judged)},
            _("Verdicts of people that what was recalled is wrong or irrelevant."), f"{link('memories_feedback_changelist')}?{urlencode({'verdict': 'false', **since})}",
        ),
        Figure(
            _("Without vectors"), _share(told.degraded, told.recalls), of,
            _("The embedder was down: words alone were searched."), f"{page}&vectors=none",
        ),
        Figure(
            _("Context tokens"), _pair(told.tokens, told.tokens_p95, 0), of, _("The mean, and what 95 of 100 stay below."), page,
        ),
        Figure(
            _("Recall time"), _pair(told.ms_p50, told.ms_p95, 0), of,
            _("Milliseconds: the median, and what 95 of 100 stay below."), page,
        ),
    ]  # fmt: skip


def _of_work(health: Health) -> list[Figure]:
    runs, taken, examined = health.sweeps
    many = "+" if health.jobs >= JOBS else ""
    return [
        Figure(
            _("Sweep rate"), _share(taken, examined),
            _t("of %(n)s memories looked at in %(runs)s runs") % {"n": number_format(examined), "runs": number_format(runs)},
            _("What sweeps let go of."),
            f"{link('memories_sweeprun_changelist')}?{urlencode({'dry_run__exact': 0, 'started_at__gte': health.since.isoformat()})}",
        ),
        Figure(
            _("Work that waits"), f"{number_format(health.jobs)}{many}", "",
            _("Jobs that wait or run now."), f"{link('memories_job_changelist')}?state__in=pending,running",
        ),
    ]  # fmt: skip


def days_of(health: Health) -> list[Recalls]:
    """Every day of the period, those without a recall too; from the first that was looked at, where there were too many recalls."""
    if not health.daily:
        return []
    found = {one.day: one for one in health.daily if one.day is not None}
    first, last = health.since.date(), (health.since + timedelta(days=health.days)).date()
    if health.recalls.recalls >= TRACES:
        first = min(found)
    days = (first + timedelta(days=at) for at in range((last - first).days + 1))
    return [found.get(day) or Recalls(day, 0, 0, 0, *[None] * 5) for day in days]


def _charts(daily: Sequence[Recalls]) -> list[Any]:
    if not daily:
        return []
    page = link("memories_recalltrace_changelist")

    def marks(value: Any, told: Any) -> list[Mark]:
        return [
            Mark(
                date_format(one.day, "MONTH_DAY_FORMAT"),
                value(one) if one.recalls else None,
                f"{date_format(one.day, 'SHORT_DATE_FORMAT')}: {told(one)}",
                f"{page}?at__gte={one.day}T00:00Z&at__lt={one.day + timedelta(days=1)}T00:00Z"
                if one.recalls
                else "",
            )
            for one in daily
            if one.day is not None
        ]

    return [
        bars(_("Recalls a day"), marks(lambda one: one.recalls, lambda one: number_format(one.recalls))),
        bars(
            _("Hit rate a day"),
            marks(
                lambda one: 100 * (one.recalls - one.abstained) / one.recalls,
                lambda one: _share(one.recalls - one.abstained, one.recalls),
            ),
        ),
        curve(
            _("Recall time a day, p95 in milliseconds"),
            marks(lambda one: one.ms_p95, lambda one: _number(one.ms_p95, 0)),
        ),
        curve(
            _("Context tokens a day, mean"), marks(lambda one: one.tokens, lambda one: _number(one.tokens, 0))
        ),
    ]


def _share(part: int, whole: int) -> str:
    return f"{number_format(100 * part / whole, 1)}%" if whole else "–"


def _number(value: float | None, places: int) -> str:
    return "–" if value is None else number_format(value, places)


def _pair(first: float | None, second: float | None, places: int) -> str:
    return f"{_number(first, places)} / {_number(second, places)}"


def _counts(n: int, most: int) -> dict[str, str]:
    return {"n": number_format(n), "most": number_format(most)}
