"""Whose a statement is: of the one that a request means, or of somebody else."""

from __future__ import annotations

import re

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.relations import ONE_EACH
from memories.core.forgetting.reach import Reach
from memories.core.values.forms import value_form
from memories.core.values.normalise import canonical


def concerns(candidate: Candidate, reach: Reach) -> bool:
    """Whether a statement is about what the request means."""
    forms = {canonical(key) for key in reach.entities}
    parts = candidate.subject.split(":")
    inside = any(
        canonical(":".join(parts[:n])) in forms for n in range(1 if len(parts) == 1 else 2, len(parts) + 1)
    )
    named = len(parts) == 3 and canonical(parts[2]) in forms
    if reach.attributes:
        same = canonical(candidate.subject) in forms or named
        if not same or candidate.attribute not in reach.attributes:
            return False
        wanted = reach.target.value
        if not wanted:
            return True
        one, other = value_form(candidate.value or ""), value_form(wanted)
        return one in other or other in one
    return not reach.own and (inside or named)


def of_another(candidate: Candidate, reach: Reach) -> bool:
    """Whether a statement is about another person for sure: one of the user's people by a name that is none of those that the
    request means, or, without a name, by a relation of which a person has but one. A thing may go by several names.
    """
    parts = candidate.subject.split(":")
    if not reach.entities or len(parts) < 2 or parts[0] != "user":
        return False
    if len(parts) == 2:
        meant = {key.split(":")[1] for key in reach.entities if ":" in key}
        return bool(meant) and parts[1] in ONE_EACH and parts[1] not in meant
    names = {canonical(one) for one in (*reach.names, *reach.entities)}
    names |= {canonical(one.split(":")[-1]) for one in reach.entities}
    return not names & {canonical(":".join(parts[:2])), canonical(candidate.subject), canonical(parts[-1])}


def others_clause(clause: str, reach: Reach) -> bool:
    """A clause of one's own that is about another person's: 我同事的电话, Tom's phone."""
    return (
        reach.own
        and re.search(
            r"我[^的，]{1,8}的|[他她它]|[\u4e00-\u9fff]{2,6}(?<!我)的|\b(?:his|her|their|its)\b|['’]s\b|\bmy \w+['’]s",
            clause,
            re.I,
        )
        is not None
        and re.search(r"(?:^|[^\w])我的|\bmy (?!\w+['’]s)", clause, re.I) is None
    )
