"""What this app adds to `manage.py evaluate`; each suite is imported when it is run."""

from __future__ import annotations

from memories.evaluation.suites import SuiteOptions, SuiteResult


def retention(options: SuiteOptions) -> SuiteResult:
    """What a context still holds after long scripts."""
    from sessions_app.evaluation.retention import run

    return run(options)


def replay(options: SuiteOptions) -> SuiteResult:
    """Conversations sent through the chat service itself."""
    from sessions_app.evaluation.replay import run

    return run(options)


def updates(options: SuiteOptions) -> SuiteResult:
    """Whether the current statement comes first after an update."""
    from sessions_app.evaluation.updates import run

    return run(options)


def conflicts(options: SuiteOptions) -> SuiteResult:
    """Whether contradictions are flagged and restatements are not."""
    from sessions_app.evaluation.conflicts import run

    return run(options)


def forgetting(options: SuiteOptions) -> SuiteResult:
    """Whether what was to be forgotten stays away, and only that."""
    from sessions_app.evaluation.forgetting import run

    return run(options)


def junk(options: SuiteOptions) -> SuiteResult:
    """How much is remembered, as what, and a sample to judge."""
    from sessions_app.evaluation.junk import run

    return run(options)


def context(options: SuiteOptions) -> SuiteResult:
    """How much of the evidence stands in a context of 2,000 tokens."""
    from sessions_app.evaluation.context import run

    return run(options)


def compaction(options: SuiteOptions) -> SuiteResult:
    """How much of the evidence survives in digests."""
    from sessions_app.evaluation.compaction import run

    return run(options)


SUITES = {
    "retention": retention,
    "replay": replay,
    "updates": updates,
    "conflicts": conflicts,
    "forgetting": forgetting,
    "junk": junk,
    "context": context,
    "compaction": compaction,
}
"""The suites by name, as they are registered."""
