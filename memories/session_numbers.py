"""Where the numbers of an experiment's sessions come from: the app that owns sessions registers what reads them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime

from memories.core.experiments import Arm, ArmNumbers

Reader = Callable[[uuid.UUID, datetime], Mapping[Arm, ArmNumbers]]
"""Takes the experiment's id and since when it runs, in the open tenant transaction; an arm without sessions may be missing."""

_READERS: list[Reader] = []


def register(reader: Reader) -> None:
    """Called once, when Django is ready."""
    if reader not in _READERS:
        _READERS.append(reader)


def numbers_of(experiment_id: uuid.UUID, since: datetime) -> dict[Arm, ArmNumbers]:
    """Of both arms."""
    found = {arm: ArmNumbers() for arm in Arm}
    for reader in _READERS:
        found.update(reader(experiment_id, since))
    return found
