"""The detector that stands before every first write: a text's form that may be stored, by the tenant's policy (R28)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from memories.core import pii
from memories.core.pii import Screened
from memories.core.policy import RULES, Policy


def screen(text: str, policy: Policy) -> Screened:
    """The text masked, blocked or marked for encryption as the policy says; a screened text stays as it is."""
    return pii.apply(text, _actions(policy))


@lru_cache(maxsize=256)
def _actions(policy: Policy) -> Mapping[str, str]:
    return pii.actions_of({key: policy.choice(key) for key in RULES if key.startswith("pii.action.")})
