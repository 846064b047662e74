"""The retention suite: layered memory, a plain window and pure retrieval at the same k, tokenizer and token budget."""

from __future__ import annotations

import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import fmean

import numpy as np

from accounts.actor import Actor, system_actor
from accounts.models import Tenant
from accounts.services.ensure_subject import ensure_subject
from memories.adapters.factory import get_embedder, override
from memories.core.text.tokens import count, with_margin
from memories.evaluation.suites import SuiteOptions, SuiteResult
from memories.ports import FixedClock
from memories.services.jobs import run_due
from memories.services.policies import policy_of
from memories.services.sweep import sweep
from sessions_app.evaluation.later import thirty_days_later
from sessions_app.evaluation.matching import stands_in, stands_unmarked
from sessions_app.evaluation.script import Planted, Script, generated, sixty
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.end_session import end_session
from sessions_app.services.open_session import open_session
from sessions_app.services.record_turn import record_turn

BUDGET = 1500
LENGTHS = {60: 5, 600: 50, 3000: 200}
SYSTEMS = ("layered", "window", "retrieval")


@dataclass
class Tally:
    """Per system: whether each fact was retained, whether each updated one was stale, tokens and seconds a context."""

    kept: list[bool] = field(default_factory=list)
    stale: list[bool] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)

    def note(self, fact: Planted, context: str, tokens: int, seconds: float) -> None:
        """Score one context: the value must stand in it whole; an old value may not stand in it as if it still held."""
        kept = stands_in(fact.value, context)
        self.kept.append(kept)
        if not kept:
            self.lost.append(fact.turn)
        if fact.old_value:
            self.stale.append(stands_unmarked(fact.old_value, context, current=fact.value))
        self.tokens.append(tokens)
        self.seconds.append(seconds)


def run(options: SuiteOptions) -> SuiteResult:
    """Play the scripts through the real services and ask each planted fact at the end; `limit` caps the length in turns."""
    result = SuiteResult(columns=("retained %", "stale %", "tokens", "ms a context"))
    lengths = [n for n in LENGTHS if options.limit is None or n <= options.limit]
    for length in lengths:
        tallies: dict[str, Tally] = defaultdict(Tally)
        for language in ("zh", "en"):
            script = (
                sixty(language)
                if length == 60
                else generated(length, LENGTHS[length], language, options.seed)
            )
            by_language = _play(script, result)
            for system, tally in by_language.items():
                _report(result, f"{length}.{language}", system, tally)
                whole = tallies[system]
                for name in ("kept", "stale", "tokens", "seconds"):
                    getattr(whole, name).extend(getattr(tally, name))
        for system, tally in tallies.items():
            _report(result, str(length), system, tally, main=True)
    result.info["retention.budget_tokens"] = BUDGET
    result.info["retention.seed"] = options.seed
    return result


def _report(result: SuiteResult, name: str, system: str, tally: Tally, *, main: bool = False) -> None:
    kept = 100 * fmean(tally.kept)
    stale = 100 * fmean(tally.stale) if tally.stale else 0.0
    tokens, milliseconds = fmean(tally.tokens), 1000 * fmean(tally.seconds)
    result.metrics[f"retention.{name}.{system}"] = round(kept, 2)
    suffix = "" if system == "layered" else f".{system}"
    result.metrics[f"retention.{name}.stale{suffix}"] = round(stale, 2)
    result.metrics[f"retention.{name}.tokens{suffix}"] = round(tokens, 1)
    if not main:
        result.info[f"retention.{name}.{system}.lost_turns"] = tally.lost
    result.table.append(
        (f"{name} {system}", (f"{kept:.1f}", f"{stale:.1f}", f"{tokens:.0f}", f"{milliseconds:.1f}"))
    )


def _play(script: Script, result: SuiteResult) -> dict[str, Tally]:
    tenant = Tenant.objects.create(slug=f"retention-{uuid.uuid4().hex[:12]}", name="Retention")
    actor = system_actor(tenant.pk, door="command", name="evaluate")
    subject_id = ensure_subject(actor=actor, kind="user", external_id=script.name).pk
    clock = FixedClock(script.turns[0].at)
    with override(clock=clock):
        return _measure(script, actor, subject_id, clock, result)


def _measure(
    script: Script, actor: Actor, subject_id: uuid.UUID, clock: FixedClock, result: SuiteResult
) -> dict[str, Tally]:
    started = time.monotonic()
    session_id = _converse(script, actor, subject_id, clock)
    result.info[f"retention.{script.name}.seconds"] = round(time.monotonic() - started, 1)
    policy, _ = policy_of(actor.tenant_id)
    tallies = {
        "layered": _ask(script, _layered(actor, session_id, script)),
        "window": _ask(script, _window(script)),
        "retrieval": _ask(script, _retrieval(script, policy.integer("recall.k"))),
    }
    if script.name.startswith("60."):
        for name, value in thirty_days_later(actor, subject_id, session_id, script.end).items():
            result.metrics[f"retention.{script.name}.sweep.{name}"] = value
    return tallies


def _converse(script: Script, actor: Actor, subject_id: uuid.UUID, clock: FixedClock) -> uuid.UUID:
    """Send the script turn by turn; what the worker and beat would do is run in place, at the script's own time."""
    session_id, number = None, -1
    for turn in script.turns:
        if turn.session != number:
            if session_id is not None:
                end_session(
                    actor=actor, session_id=session_id, reason="closed", now=turn.at - timedelta(hours=2)
                )
                run_due(actor.tenant_id, now=turn.at - timedelta(hours=1))
                sweep(actor=actor, now=turn.at - timedelta(hours=1))
            clock.at = turn.at
            session = open_session(actor=actor, subject_id=subject_id, now=turn.at)
            session_id, number = session.pk, turn.session
        assert session_id is not None
        clock.at = turn.at
        record_turn(actor=actor, session_id=session_id, role=turn.role, content=turn.text, at=turn.at)
        run_due(actor.tenant_id, now=turn.at)
    assert session_id is not None
    return session_id


Context = Callable[[str], tuple[str, int]]


def _ask(script: Script, context: Context) -> Tally:
    tally = Tally()
    for fact in script.planted:
        started = time.monotonic()
        text, tokens = context(fact.question)
        tally.note(fact, text, tokens, time.monotonic() - started)
    return tally


def _layered(actor: Actor, session_id: uuid.UUID, script: Script) -> Context:
    def context(question: str) -> tuple[str, int]:
        assembled = assemble_context(
            actor=actor,
            session_id=session_id,
            question=question,
            budget=BUDGET,
            now=script.end,
            reinforce=False,
        )
        # The question itself is the last message; a value in it would be given away by the asker.
        text = "\n".join(message["content"] for message in assembled.messages[:-1])
        return text, assembled.used_tokens

    return context


def _window(script: Script) -> Context:
    def context(question: str) -> tuple[str, int]:
        texts = [turn.text for turn in reversed(script.turns)]
        return _packed(question, texts, newest_first=True)

    return context


def _retrieval(script: Script, k: int) -> Context:
    embedder = get_embedder()
    texts = [turn.text for turn in script.turns]
    vectors = np.vstack([embedder.embed(texts[i : i + 64], kind="passage") for i in range(0, len(texts), 64)])

    def context(question: str) -> tuple[str, int]:
        scores = vectors @ embedder.embed([question], kind="query")[0]
        best = np.argsort(-scores, kind="stable")[:k]
        return _packed(question, [texts[i] for i in best])

    return context


def _packed(question: str, texts: Sequence[str], *, newest_first: bool = False) -> tuple[str, int]:
    """As many of the texts, in their order, as fit the budget beside the question."""
    used, taken = count(question), []
    for text in texts:
        cost = count(text) + 4
        if with_margin(used + cost) > BUDGET:
            break
        taken.append(text)
        used += cost
    return "\n".join(reversed(taken) if newest_first else taken), with_margin(used)
