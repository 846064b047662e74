"""The values of one slot in the order in which they hold: what a further value repeats, ends, precedes or disputes (R18).

A period that is over, and a statement that arrives late, become history; a plan stands beside what holds until then; another
value for the same time takes the place of the old one when the words say so, or when the person says it later about
themselves; else the two dispute each other. Where several values may stand, nothing does, until one of them is corrected.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from memories.core.placement.known import Known, Place, Placement, SlotRules, rank
from memories.core.statement import FactPart, Statement
from memories.core.values.compare import amounts, hard_values, leaves_out, may_agree, narrows, same_fact
from memories.core.values.forms import value_form
from memories.core.values.owned import other_count

ABOUT_ONESELF = frozenset({"profile", "fact", "preference", "conclusion"})


def by_slot(
    statement: Statement, fact: FactPart, mine: Sequence[Known], rules: SlotRules
) -> Placement | None:
    """The place of one fact among what stands, and stood, in its slot; None when it neither repeats nor disputes any of it."""
    in_slot = [one for one in mine if any(other.slot == fact.slot for other in one.facts)]
    same = [one for one in in_slot if _says(statement, fact, one)]
    if (seen := seen_in_turn(statement, same)) is not None:
        return seen
    holders = [one for one in in_slot if one.current]
    if (repeat := _repeated(statement, [one for one in same if one.current])) is not None:
        return repeat
    against = [one for one in holders if _conflicts(statement, fact, one, holders, rules)]
    if not against:
        return None if holders else revived(same)
    spoken = max(statement.said_at, *(one.said_at for one in in_slot))
    ahead = [one for one in against if one.starts > max(spoken, statement.starts)]
    if statement.over or any(not newer(statement, one) for one in against if one not in ahead):
        return _known_past(statement, same) or _history(statement, fact, in_slot, against)
    if (meant := _meant(statement, against, rules)) is not None:
        return _resolved(statement, fact, (meant,), rules)
    until = min((one.starts for one in ahead), default=None)
    now = [one for one in against if one not in ahead and not _ends_before(one, statement)]
    if statement.planned:
        return _plan(statement, against, now, until)
    passing = [one for one in now if one.valid_to is not None and one.expires_at is not None]
    if _passing(statement) and not _outranked(statement, now):
        if not passing:
            return Placement(Place.NEW, "slot.temporary", reasons=("holds for a while only",))
        now = passing
    if not now:
        return Placement(Place.NEW, statement.rule, until=until)
    return _resolved(statement, fact, tuple(now), rules, until)


def _resolved(
    statement: Statement,
    fact: FactPart,
    against: tuple[Known, ...],
    rules: SlotRules,
    until: datetime | None = None,
) -> Placement:
    """Another value for the same time: it takes their place, or both stand and it is unclear."""
    rule = _replaces(statement, fact, against, rules)
    if rule is None:
        return Placement(
            Place.CONTRADICT, "slot.unclear", against, ("same slot, another value",), until=until
        )
    dated = [one.starts for one in against if one.dated]
    # What is corrected was wrong from its beginning: the right value holds from then.
    since = min(dated) if dated and statement.correction and statement.valid_from is None else None
    return Placement(
        Place.SUPERSEDE, rule, against, ("same slot, another value",), until=until, since=since
    )  # fmt: skip


def _meant(statement: Statement, against: Sequence[Known], rules: SlotRules) -> Known | None:
    """The one of several values, of now and of later, that a correction is about: it names it, or it was just said."""
    if not statement.correction or len(against) < 2:
        return None
    if statement.replaces is not None:
        old = value_form(statement.replaces)
        named = [one for one in against if any(fact.value_form == old for fact in one.facts)]
        return named[0] if len(named) == 1 else None
    return _just_said(statement, against, rules)


def _plan(
    statement: Statement, against: Sequence[Known], now: Sequence[Known], until: datetime | None
) -> Placement:
    """What holds from later on: what holds until then ends then, and an earlier plan for the same day gives way."""
    if _outranked(statement, against):
        return Placement(Place.CONTRADICT, "slot.unclear", tuple(against), ("same slot, another value",))
    same_day = tuple(one for one in now if one.starts >= statement.starts)
    if same_day:
        return Placement(Place.SUPERSEDE, "slot.planned", same_day, ("another plan for then",), until=until)
    return Placement(Place.PLAN, "slot.planned", tuple(now), ("holds from later on",), until=until)


def _outranked(statement: Statement, against: Sequence[Known]) -> bool:
    """An assistant, and whoever counts less than those who said the others."""
    own = rank(statement.source)
    return own == 0 or any(own < rank(one.source) for one in against)


def _known_past(statement: Statement, same: Sequence[Known]) -> Placement | None:
    """History that is known already: the same value for a time that it covers."""
    for one in same:
        if one.status == "superseded" and one.valid_to is not None:
            overlaps = one.starts <= statement.starts < one.valid_to
            if overlaps or (
                statement.valid_to is not None and statement.over and one.valid_to == statement.valid_to
            ):
                return Placement(Place.REPEAT, "dedup.past", (one,), ("same slot and value, then",))
    return None


def _says(statement: Statement, fact: FactPart, one: Known) -> bool:
    """Whether the memory holds this fact: the same slot, value and polarity, and nothing that tells the two apart.

    Where several values may stand, a number, a date or a name outside the value tells them apart ("on Mondays I swim");
    where only one can, only other amounts do: "15 tasks with 80% right" is another thing than "15 tasks with 95% right".
    """
    for other in one.facts:
        if other.slot != fact.slot or other.negated != fact.negated or not _same(statement, fact, one, other):
            continue
        if fact.single or other.single or not one.content:
            if _one_adds(amounts(statement.content), amounts(one.content)):
                return True
            continue
        if statement.event_start and one.event_start and statement.event_start != one.event_start:
            continue
        if _one_adds(hard_values(statement.content), hard_values(one.content)):
            return True
    return False


def _same(statement: Statement, fact: FactPart, one: Known, other: FactPart) -> bool:
    """Equal values; where the words say that nothing changed, "next Friday" is still the Friday that it was."""
    if statement.confirms and fact.value_form == other.value_form:
        return True
    if other_count(fact, statement.content, other, one.content):
        return False
    if (
        (fact.single or other.single)
        and not (statement.update or statement.correction)
        and leaves_out(fact.value, other.value)
    ):
        return True
    return same_fact(fact, statement.said_at, other, one.said_at)


def _one_adds(one: frozenset[str], two: frozenset[str]) -> bool:
    """No number, time or name in one that the other replaces by another; one that only leaves some out says the same."""
    return one <= two or two <= one


def _repeated(statement: Statement, same: Sequence[Known]) -> Placement | None:
    if not same:
        return None
    for one in same:
        ended = one.valid_to is not None and one.valid_to <= statement.said_at
        plan_there = one.dated and one.starts > statement.said_at
        if statement.over:
            fits = ended
        elif statement.planned:
            fits = plan_there or (one.valid_to is None)
        else:
            fits = not ended and not plan_there
        if fits:
            return Placement(Place.REPEAT, "dedup.fact", (one,), ("same slot and value",))
    return None


def _conflicts(
    statement: Statement, fact: FactPart, one: Known, holders: Sequence[Known], rules: SlotRules
) -> bool:
    """Whether both cannot hold: yes and no to the same value, or two values where only one can be."""
    for other in one.facts:
        if other.slot != fact.slot:
            continue
        if _same(statement, fact, one, other):
            if other.negated != fact.negated:
                return True
        elif not other.negated and not fact.negated:
            if other_count(fact, statement.content, other, one.content):
                return True
            if frozenset({fact.value_form, other.value_form}) in rules.kept.get(fact.slot, ()):
                continue
            if not statement.correction and may_agree(fact, statement.said_at, other, one.said_at):
                continue
            if not (statement.correction or statement.update) and narrows(fact.value, other.value):
                continue
            if (fact.single or other.single) and fact.slot not in rules.many:
                return True
            # Where several values can be, words of correction mean the value that they name, else the one just said.
            if statement.replaces is not None:
                if value_form(statement.replaces) == other.value_form:
                    return True
            elif statement.correction and one is _just_said(statement, holders, rules):
                return True
    return False


def _just_said(statement: Statement, holders: Sequence[Known], rules: SlotRules) -> Known | None:
    """Which of several values a correction without a name means: the only one, or the only one said a moment ago."""
    if len(holders) == 1:
        return holders[0]
    recent = [
        one for one in holders if timedelta(0) <= statement.said_at - one.said_at <= rules.correction_window
    ]
    return recent[0] if len(recent) == 1 else None


def newer(statement: Statement, one: Known) -> bool:
    """Whether the statement comes after the memory in the order of what holds, whichever arrived first.

    Two that say from when they hold are ordered by that, others by when they were said. A correction is meant for what
    was said before it, whatever its date.
    """
    if statement.valid_from is not None and one.dated and not statement.correction:
        return (statement.valid_from, statement.said_at) >= (one.starts, one.said_at)
    return statement.said_at >= one.said_at


def _history(
    statement: Statement, fact: FactPart, in_slot: Sequence[Known], against: Sequence[Known]
) -> Placement:
    """The place of a value that does not hold any more, between its neighbours in time."""
    chain = sorted(
        (one for one in in_slot if one.status in {"current", "superseded"}),
        key=lambda one: (one.starts, one.said_at),
    )
    starts = statement.starts
    if statement.over:
        # A dated start before the period, with no end before it, says that the other value held all the time.
        clash = [one for one in against if one.dated and one.starts <= starts and not _ended_by(one, starts)]
        if clash:
            return Placement(
                Place.CONTRADICT, "slot.overlap", tuple(clash), ("another value for the same time",)
            )
    rivals = {one.id for one in against}
    after = [one for one in chain if one.starts > starts or one.id in rivals]
    follows = min(after, key=lambda one: (one.starts <= starts, one.starts)) if after else against[0]
    until = statement.valid_to if statement.over else max(follows.starts, starts)
    if statement.over and statement.valid_from is None and until is not None:
        until = min(until, follows.starts)
    before = [one for one in chain if one.status == "superseded" and one.starts < starts]
    # Only the neighbour is cut short, and only where it is another value that was thought to hold beyond this one.
    last = [] if statement.over else before[-1:]
    shortened = tuple(one for one in last if not _ended_by(one, starts) and not _says(statement, fact, one))
    rule = "slot.past" if statement.over else "slot.older"
    return Placement(
        Place.HISTORY, rule, (follows,), ("a later statement stands in the slot",), until=until, shortened=shortened
    )  # fmt: skip


def _ended_by(one: Known, at: datetime) -> bool:
    return one.valid_to is not None and one.valid_to <= at


def _ends_before(one: Known, statement: Statement) -> bool:
    """What has run out by the time that the statement is about leaves room for it."""
    return _ended_by(one, statement.starts if statement.planned else statement.said_at)


def _passing(statement: Statement) -> bool:
    """What says of itself that it holds for a while only goes beside what holds otherwise, and ends by itself."""
    return (
        statement.valid_to is not None
        and statement.valid_to > statement.said_at
        and statement.expires_at is not None
    )


def _replaces(statement: Statement, fact: FactPart, against: Sequence[Known], rules: SlotRules) -> str | None:
    """The rule by which the statement takes the place of those, or None when that is not clear."""
    if _outranked(statement, against):
        return None
    if statement.correction:
        return "slot.correction"
    if statement.update:
        return "slot.update"
    if statement.explicit:
        return "slot.explicit"
    if fact.attribute.startswith("done_") and not fact.single:
        return None  # "I've never …" and "I did …": nobody says which of the two is so
    later = all(statement.said_at > one.said_at for one in against)
    own = fact.entity == "user" and statement.kind in ABOUT_ONESELF
    if later and (rules.own_later if own else rules.other_later) == "supersede":
        return "slot.later"
    return None


def seen_in_turn(statement: Statement, same: Sequence[Known]) -> Placement | None:
    """This very turn taught it already, whatever became of it since."""
    for one in same:
        if statement.turn_id is not None and statement.turn_id in one.turn_ids:
            return Placement(
                Place.SAME_TURN, "dedup.same_turn", (one,), ("this turn has been learnt already",)
            )
    return None


def revived(same: Sequence[Known]) -> Placement | None:
    """What says the same and had expired or was archived comes back; the newest of them."""
    gone = [one for one in same if one.status in {"archived", "expired"}]
    if not gone:
        return None
    newest = max(gone, key=lambda one: (one.said_at, one.id))
    return Placement(Place.REVIVE, f"dedup.revive.{newest.status}", (newest,))
