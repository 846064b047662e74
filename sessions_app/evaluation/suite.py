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
