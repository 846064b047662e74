"""The cases of this app, each imported when it is run."""

from __future__ import annotations

from memories.benchmark.cases import Options, Result, Runner
from memories.benchmark.store import Store


def context(store: Store, options: Options) -> Result:
    """Context assembly, embedding included, beside the embedder alone."""
    from sessions_app.benchmark.session_cases import context as run

    return run(store, options)


def compaction(store: Store, options: Options) -> Result:
    """Compaction of an over-full window beside the embedder alone."""
    from sessions_app.benchmark.session_cases import compaction as run

    return run(store, options)


CASES: dict[str, Runner] = {"context": context, "compaction": compaction}
