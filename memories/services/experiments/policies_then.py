"""The policies that past recalls went by: the version of then, in arm B with the experiment's rules over it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from memories.core.errors import PolicyError
from memories.core.experiments import Arm
from memories.core.policy import Policy
from memories.models import Experiment, PolicyVersion, RecallTrace

Key = tuple[int, uuid.UUID | None]


def key_of(trace: RecallTrace) -> Key:
    """What a trace's policy is found by: the version, and the experiment where it went by arm B."""
    return trace.policy_version, trace.experiment_id if trace.arm == Arm.B else None


def policies_then(keys: Iterable[Key]) -> dict[Key, Policy]:
    """In the open tenant transaction, in two queries; the table's own for version 0, for one that is not there any more, and where
    a later release's table does not allow it any more."""
    keys = set(keys)
    rows: Any = PolicyVersion.objects.filter(number__in={number for number, _ in keys})
    versions: dict[int, dict[str, object]] = dict(rows.values_list("number", "overrides"))
    ids = {one for _, one in keys if one is not None}
    trials: dict[uuid.UUID | None, dict[str, object]] = {}
    if ids:
        trials = dict(Experiment.objects.filter(pk__in=ids).values_list("id", "overrides"))
    return {(number, one): _then({**versions.get(number, {}), **trials.get(one, {})}) for number, one in keys}


def _then(overrides: Mapping[str, object]) -> Policy:
    try:
        return Policy.from_overrides(overrides)
    except PolicyError:
        return Policy.default()
