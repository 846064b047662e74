"""Context assembly and compaction beside the embedder alone, on the real services, embedding included."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from datetime import timedelta

from memories.adapters.factory import get_clock, get_embedder, override
from memories.benchmark.cases import Line, Options, Result
from memories.benchmark.measure import interleaved, ratio
from memories.benchmark.store import Store, new_subject
from memories.benchmark.texts import questions, statements
from memories.ports import Embedder, EmbedderIdentity, EmbeddingKind, Vectors
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.compact_session import compact_session
from sessions_app.services.open_session import open_session
from sessions_app.services.record_turn import record_turn

TURNS = 12
COMPACTED = 60


def context(store: Store, options: Options) -> Result:
    """A line a subject: a new question in a running session, nothing of it cached, trace and reinforcement included.

    A question that leans on what was said before is searched in two forms. `above_floor` is what a context takes beyond the
    embedder on one question, `above_forms` beyond the embedder on as many forms as the context had embedded.
    """
    heard = _Heard(_bare())
    result = Result()
    for size in sorted(store.people):
        session_id = _session(store, store.people[size], TURNS, store.plan.seed + 1)
        rounds = max(5, min(options.rounds, 100))
        asked = questions(4 * rounds + 40, store.plan.seed + 2)
        forms: dict[int, list[str]] = {}

        def embed(number: int, asked: list[str] = asked) -> object:
            return heard.inner.embed([asked[2 * number + 20]], kind="query")

        def embed_forms(number: int, asked: list[str] = asked, forms: dict[int, list[str]] = forms) -> object:
            # Its own turn may come before the context's: the round before had another question of the same sort.
            known = forms.get(number, forms.get(number - 1, [asked[2 * number + 21]]))
            return heard.inner.embed(known, kind="query")

        def assemble(
            number: int,
            asked: list[str] = asked,
            forms: dict[int, list[str]] = forms,
            session_id: uuid.UUID = session_id,
        ) -> object:
            heard.texts = forms[number] = []
            return assemble_context(actor=store.actor, session_id=session_id, question=asked[2 * number + 21])

        with override(embedder=heard):
            timings = interleaved({"embedder": embed, "forms": embed_forms, "context": assemble}, rounds)
        figures = timings["context"].as_data()
        figures |= {f"ratio_p{p}": ratio(timings["context"], timings["embedder"], p) for p in (50, 95)}
        for name, floor in (("floor", "embedder"), ("forms", "forms")):
            figures |= {f"{name}_p{p}": round(timings[floor].at(p), 3) for p in (50, 95)}
            figures |= {
                f"above_{name}_p{p}": round(timings["context"].at(p) - timings[floor].at(p), 2)
                for p in (50, 95)
            }
        figures["embedded"] = round(sum(map(len, forms.values())) / len(forms), 2)
        result.lines.append(Line("context", f"{size:,} of {store.total:,}", figures, "embedder alone"))
    return result


class _Heard:
    """An embedder that notes which texts it is asked for."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self.texts: list[str] = []

    @property
    def identity(self) -> EmbedderIdentity:
        return self.inner.identity

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        self.texts += texts
        return self.inner.embed(texts, kind=kind)


def compaction(store: Store, options: Options) -> Result:
    """Turns a second that leave an over-full window, beside the embedder alone on the same turns."""
    bare = _bare()
    number = max(12, min(options.rows, COMPACTED))
    texts = statements(number, store.plan.seed + 3)
    subject_id = new_subject(store.tenant_id)
    with override(embedder=bare):
        session_id = _session(store, subject_id, number, store.plan.seed + 3)
        started = time.perf_counter()
        bare.embed(texts, kind="passage")
        alone = time.perf_counter() - started
        started = time.perf_counter()
        report = compact_session(actor=store.actor, session_id=session_id, closing=True)
        taken = time.perf_counter() - started
    figures = {
        "milliseconds": round(1000 * taken, 1),
        "floor_milliseconds": round(1000 * alone, 1),
        "ratio": round(taken / alone, 3),
        "turns": report.turns,
    }
    return Result([Line("compaction", f"{number:,} turns", figures, "embedder alone")])


def _bare() -> Embedder:
    """The embedder without its memory of earlier texts, warm."""
    cached = get_embedder()
    bare: Embedder = getattr(cached, "inner", cached)
    bare.embed(["warm up"], kind="query")
    return bare


def _session(store: Store, subject_id: uuid.UUID, turns: int, seed: int) -> uuid.UUID:
    """A session in which two people take turns, the last of them just now."""
    now = get_clock().now()
    session = open_session(actor=store.actor, subject_id=subject_id, now=now - timedelta(minutes=turns))
    for at, text in enumerate(statements(turns, seed)):
        record_turn(
            actor=store.actor,
            session_id=session.pk,
            role=("user", "assistant")[at % 2],
            content=text,
            at=now - timedelta(minutes=turns - at),
        )
    return session.pk
