"""What the pages of experiments say: measures and their differences with intervals in words, and why a rule is shared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from memories.core.experiments import LEAST, Arm, Measure
from memories.core.intervals import Estimate
from memoryhub.common.charts import Span, spans

# What the core and the services say at a field, so that it can be read in Chinese, too.
CORE_SAYS = (
    _("what is stored belongs to the person, and every session reads it"),
    _("it works on the whole tenant at once, not session by session"),
    _("verdicts are given outside of sessions, too"),
    _("how sensitive content is treated is the same for everybody"),
    _("what operators see is the same for everybody"),
    _("what programs are told is the same for everybody"),
    _("has this value already"),
    _("must not be empty"),
    _("must hold no NUL and no lone surrogate"),
    _("the experiment is not in a state for this. Read it again."),
    _("another experiment is running. Stop it first: at most one runs at a time."),
)


@dataclass(frozen=True, slots=True)
class Words:
    """A measure's title, its unit ("" for shares, which are told in percent), what it rests on, and what B does where it is higher and
    where it is lower."""

    title: Any
    unit: Any
    basis: Any
    higher: Any
    lower: Any


MEASURES: dict[str, Words] = {
    "completion": Words(
        _("Completion"), "", _("done, of the sessions with an outcome"), _("B completes more"), _("B completes less"),
    ),
    "rework": Words(
        _("Rework"), "", _("reworked, of the sessions with an outcome"),
        _("B is reworked more often"), _("B is reworked less often"),
    ),
    "bad_verdicts": Words(
        _("Wrong or irrelevant"), "", _("sessions with such a verdict, of those with any verdict"),
        _("B is found wrong more often"), _("B is found wrong less often"),
    ),
    "tokens": Words(
        _("Context tokens a turn"), _("tokens"), _("mean of each session's turns"),
        _("B reads more"), _("B reads less"),
    ),
    "abstained": Words(
        _("Recalls that found nothing"), "", _("share of each session's recalls"),
        _("B abstains more often"), _("B abstains less often"),
    ),
    "milliseconds": Words(
        _("Recall time"), _("ms"), _("mean of each session's recalls"), _("B is slower"), _("B is faster"),
    ),
    "with_outcome": Words(
        _("Sessions with an outcome"), "", _("of all sessions of the arm"),
        _("B is given an outcome more often"), _("B is given an outcome less often"),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """A measure as a row of the table."""

    measure: Measure

    @property
    def words(self) -> Words:
        return MEASURES[self.measure.name]

    @property
    def a(self) -> str:
        return self._estimate(self.measure.a)

    @property
    def b(self) -> str:
        return self._estimate(self.measure.b)

    @property
    def sessions(self) -> str:
        """On how many sessions it rests."""
        return " / ".join(number_format(n) for n in self.measure.counts)

    @property
    def difference(self) -> str:
        """The interval of B - A: "+3 to +12 points"."""
        found = self.measure.difference
        if found is None or found.low is None or found.high is None:
            return "–"
        if self.measure.share:
            return _t("%(low)s to %(high)s points") % {
                "low": _signed(100 * found.low, 1),
                "high": _signed(100 * found.high, 1),
            }
        return _t("%(low)s to %(high)s %(unit)s") % {
            "low": _signed(found.low, 0),
            "high": _signed(found.high, 0),
            "unit": self.words.unit,
        }

    @property
    def verdict(self) -> str:
        """What may be said of it by now."""
        one = self.measure
        if one.early:
            # Of the arm that has fewer.
            n = min(one.counts)
            return ngettext(
                "too early: %(n)s session of %(least)s", "too early: %(n)s sessions of %(least)s", n
            ) % {"n": n, "least": LEAST}
        if not one.apart:
            return _t("not told apart yet")
        return _t("%(what)s: %(interval)s") % {
            "what": self.words.higher if one.apart > 0 else self.words.lower,
            "interval": self.difference,
        }

    @property
    def mark(self) -> str:
        """A class for the row: which arm does better."""
        return {Arm.A: "worse", Arm.B: "better", None: ""}[self.measure.better]

    def _estimate(self, found: Estimate | None) -> str:
        if found is None:
            return "–"
        factor, places, sign = (100, 1, " %") if self.measure.share else (1, 0, "")
        value, low, high = (
            None if one is None else _rounded(factor * one, places)
            for one in (found.value, found.low, found.high)
        )
        return f"{value}{sign}" if low is None else f"{value}{sign} ({low} – {high})"


def chart_of(lines: list[Line]) -> SafeString | str:
    """The differences of shares, in points, with their intervals around 0; "" where there are none."""
    drawn = []
    for line in lines:
        found = line.measure.difference
        if line.measure.share and not line.measure.early and found is not None and found.low is not None:
            low, value, high = (100 * (one or 0) for one in (found.low, found.value, found.high))
            drawn.append(
                Span(
                    line.words.title,
                    low,
                    value,
                    high,
                    f"{line.words.title}: {line.verdict} ({line.difference})",
                )
            )
    if not drawn:
        return ""
    return spans(_t("B compared with A, in points; the line in the middle is no difference"), drawn)


def _rounded(number: float, places: int) -> str:
    """number_format alone cuts off what it does not show."""
    return number_format(round(number, places) + 0.0, places, force_grouping=True)


def _signed(number: float, places: int) -> str:
    """With its sign in words' typography: a minus is no hyphen."""
    rounded = round(number, places)
    told = _rounded(abs(rounded), places)
    return f"+{told}" if rounded > 0 else f"−{told}" if rounded < 0 else told
