"""What this app adds to `manage.py evaluate`."""

from __future__ import annotations

from memories.evaluation.suites import SuiteOptions, SuiteResult


def retention(options: SuiteOptions) -> SuiteResult:
    """The retention suite, imported when it is run."""
    from sessions_app.evaluation.retention import run

    return run(options)
