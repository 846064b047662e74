"""Which subjects of facts are the same person: a name, a relation, and a name with its relation (R15).

"我同事王芳" is stored as `user:colleague:王芳`, "我妈妈" as `user:mother`, "王芳" alone as `王芳`. Facts that name someone tie
them together; where two people could be meant, nothing is tied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from memories.core.normalise import canonical

Known = tuple[str, str, str]
"""(subject, attribute, value) of a fact that holds."""


class Aliases:
    """The subjects of one user's facts, tied together where the facts leave no doubt."""

    def __init__(self, facts: Iterable[Known]) -> None:
        self._by_name: dict[str, set[str]] = defaultdict(set)
        self._by_relation: dict[str, set[str]] = defaultdict(set)
        for subject, attribute, value in facts:
            parts = subject.split(":")
            if len(parts) == 3:
                self._by_name[canonical(parts[2])].add(subject)
                self._by_relation[f"{parts[0]}:{parts[1]}"].add(subject)
            elif len(parts) == 2 and attribute == "name":
                self._by_name[canonical(value)].add(subject)

    def key(self, subject: str) -> str:
        """The subject's one name for comparisons: equal for two subjects that are surely the same person.

        A name becomes the one relation that has it; a relation without a name becomes the one person that stands in it.
        Idempotent.
        """
        parts = subject.split(":")
        if len(parts) == 1:
            owners = self._by_name.get(canonical(subject), set())
            # "my boss is Wang" and "my boss Wang" name one person in two ways
            owners = {owner for owner in owners if owner.count(":") == 2} or owners
            return self.key(next(iter(owners))) if len(owners) == 1 else subject
        if len(parts) == 2:
            people = self._by_relation.get(subject, set())
            return next(iter(people)) if len(people) == 1 else subject
        return subject

    def same(self, one: str, other: str) -> bool:
        """Whether two subjects are surely the same."""
        return canonical(self.key(one)) == canonical(self.key(other))
