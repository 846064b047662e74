"""Forget by words: carries out "忘掉我的电话号码" and "forget where I live", or asks first where that is wide or unclear (R26)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.extraction.attributes import canonical_attribute
from memories.core.forgetting.labels import label_of, owner_name
from memories.core.forgetting.matching import KnownMemory, Matched, match
from memories.core.forgetting.targets import Scope, Target, targets
from memories.core.forgetting.texts import Spec, clauses
from memories.core.outcomes import Reason
from memories.core.pii import detection as pii
from memories.core.policy import Policy
from memories.core.text.language import detect
from memories.models import Episode, ForgetRequest, Memory
from memories.services.emptied import lay_for_emptied
from memories.services.forget import remove
from memories.services.forget_rules import bind_memory, bind_reach
from memories.services.forget_specs import known_memories, spec_of
from memories.services.forget_texts import Taken, Taking, clear_kept_answers, keep_undo, take_out
from memories.services.forget_wide import WIDE_MEMORIES, WIDE_TEXTS, hide
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.standing_rules import stand
from memories.services.tenant_subject import refuse_tenant_subject
from memories.store.locks import lock_subject
from memories.texts import text_holder
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from memoryhub.common.ids import uuid7

ANSWER_WITHIN = timedelta(days=1)
MAX_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class Preview:
    """What one request would take: `memory_ids` for sure, `likely_ids` perhaps; `asks` says that a yes is needed first."""

    label: str
    scope: str
    standing: bool
    memory_ids: tuple[uuid.UUID, ...]
    likely_ids: tuple[uuid.UUID, ...]
    asks: bool
    why: str


def forget_by_words(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    text: str = "",
    wanted: Sequence[Target] | None = None,
    turn_id: uuid.UUID | None = None,
    session_id: uuid.UUID | None = None,
    last_turn_id: uuid.UUID | None = None,
    said_at: datetime | None = None,
    speaker: str = "",
    now: datetime | None = None,
) -> list[Outcome]:
    """One Outcome a memory that went (`forgotten`), or one that says what became of the request; [] for no request.

    What is meant is read out of the text, or given as `wanted` (from `wanted_of`). `turn_id` is the stored request, `last_turn_id` what was said before it, `said_at` when it was asked (what was said
    before that is not learnt again), `speaker` the name of another human who asks, for what they said of themselves. A clear request is carried out at once;
    a wide or unclear one waits a day for a yes (`needs_approval`, rule forget.ask); one that means nothing stored is
    `not_worth_keeping` with the rule forget.nothing_found. The same turn's requests are carried out once.
    """
    actor.require_subject(subject_id, write=True)
    at = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    outcomes: list[Outcome] = []
    for number, target in enumerate(
        _meant_by(speaker, targets(text[:MAX_TEXT]) if wanted is None else wanted)
    ):
        with tenant_transaction(actor.tenant_id):
            refuse_tenant_subject(subject_id)
            if turn_id is not None and ForgetRequest.objects.filter(turn_id=turn_id, number=number).exists():
                continue
            request = ForgetRequest(
                id=uuid7(),
                subject_id=subject_id,
                session_id=session_id,
                turn_id=turn_id,
                number=number,
                scope=target.scope.value,
                standing=target.standing,
                asked_at=min(said_at or at, at),
                expires_at=at + ANSWER_WITHIN,
            )
            outcomes += carry_out(
                actor,
                request,
                target,
                policy=policy,
                now=at,
                said_at=said_at or at,
                last_turn=last_turn_id,
                sure=False,
            )
    return outcomes


def _meant_by(speaker: str, wanted: Sequence[Target]) -> list[Target]:
    """Another human's requests reach what is theirs: "my phone" is that speaker's, and nobody else's goes."""
    if speaker in {"", "user"}:
        return list(wanted)
    mine = []
    for target in wanted:
        root, _, rest = target.entity.partition(":")
        if root == "user" and target.scope in {Scope.ATTRIBUTE, Scope.ENTITY}:
            mine.append(replace(target, entity=f"{speaker}:{rest}" if rest else speaker))
        elif target.scope is Scope.LAST:
            mine.append(target)
    return mine


def wanted_of(
    *, text: str = "", entity: str = "", attribute: str = "", value: str = "", standing: bool = False
) -> list[Target]:
    """What a caller means, by words or by filter. Words that are no request are taken for what is to be forgotten.

    Raises Invalid when nothing is named.
    """
    if text.strip():
        found = targets(text[:MAX_TEXT]) or targets(_as_request(text.strip()[:MAX_TEXT]))
        if not found:
            raise Invalid(
                "this names nothing to forget",
                hint='Say it like "forget my phone number" or "忘掉我的电话号码".',
                fields={"text": "names nothing to forget"},
            )
        return [replace(one, standing=one.standing or standing) for one in found]
    language = detect(f"{entity}{attribute}{value}")
    base = Target(
        Scope.VALUE, value=value, words=entity or attribute or value, standing=standing, language=language
    )
    if attribute.strip():
        names = frozenset({canonical_attribute(attribute)})
        return [replace(base, scope=Scope.ATTRIBUTE, entity=entity.strip() or "user", attributes=names)]
    if entity.strip() in {"user", "general"}:
        return [replace(base, scope=Scope.EVERYTHING, entity="user")]
    if entity.strip():
        return [replace(base, scope=Scope.ENTITY, entity=entity.strip())]
    if value.strip():
        return [base]
    raise Invalid("this names nothing to forget", fields={"text": "names nothing to forget"})


def _as_request(text: str) -> str:
    return f"忘掉{text}" if detect(text) == "zh" else f"forget {text}"


def preview(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    text: str = "",
    wanted: Sequence[Target] | None = None,
    last_turn_id: uuid.UUID | None = None,
) -> list[Preview]:
    """What the requests in the text, or those `wanted`, would take, without taking it; for who may take it."""
    actor.require_subject(subject_id, write=True)
    with tenant_transaction(actor.tenant_id):
        refuse_tenant_subject(subject_id)
        return [
            _preview(target, _matched(subject_id, target, last_turn_id))
            for target in (targets(text[:MAX_TEXT]) if wanted is None else wanted)
        ]


def _preview(target: Target, matched: Matched) -> Preview:
    return Preview(
        described(target),
        target.scope.value,
        target.standing,
        tuple(one.id for one in matched.clear),
        tuple(one.id for one in matched.likely),
        matched.ask,
        matched.why,
    )


def described(target: Target) -> str:
    """What a request is about, with names veiled and without a value or anything sensitive, in its own language."""
    label = _label(target)
    for span in sorted(pii.detect(label), key=lambda one: one.start, reverse=True):
        label = f"{label[: span.start]}*{label[span.end :]}"
    return label


def _label(target: Target) -> str:
    zh = target.language == "zh"
    if target.scope is Scope.EVERYTHING:
        return "你的全部记忆" if zh else "everything about you"
    if target.scope is Scope.LAST:
        return "刚才说的话" if zh else "what you said just now"
    if target.scope is Scope.VALUE:
        return "你指出的那个内容" if zh else "the value that you named"
    if target.scope is Scope.ATTRIBUTE and target.attributes:
        known = sorted(target.attributes, key=len)
        return label_of(target.language, "fact", target.entity, known[0])
    owner = owner_name(target.entity or target.words, target.language).removesuffix("'s")
    return f"与{owner}有关的内容" if zh else f"what is about {owner}"


def carry_out(
    actor: Actor,
    request: ForgetRequest,
    target: Target,
    *,
    policy: Policy,
    now: datetime,
    said_at: datetime,
    last_turn: uuid.UUID | None,
    sure: bool,
) -> list[Outcome]:
    """Do what a request asks, in the open transaction, or store it to wait; `sure` after a yes."""
    subject_id = request.subject_id
    lock_subject(subject_id)
    matched = _matched(subject_id, target, last_turn, said_at)
    if matched.ask and not sure:
        return [_wait(actor, request, matched)]
    found = matched.clear + (matched.likely if sure else ())
    _store(request, target, policy, now, actor)
    ids = [one.id for one in found]
    rows = list(Memory.objects.select_for_update().filter(id__in=ids).order_by("id"))
    if _wide(subject_id, matched, rows):
        return _in_two_steps(actor, request, matched, rows, policy=policy, now=now, said_at=said_at)
    specs = {row.id: spec_of(row, leaving=ids) for row in rows}
    stones = {
        row.id: remove(row, actor=actor, cause="user", reason="", policy=policy, now=now, request=request)
        for row in rows
    }
    # What the same message says beside the request ("…, the new one is …") is said after it.
    before = said_at - timedelta(microseconds=1)
    for row in rows:
        bind_memory(row, before, request)
    bind_reach(actor, subject_id, matched.reach, before, request)
    if target.standing:
        stand(actor, subject_id, matched.reach, now, request)
    takings = _takings(request, matched, {stones[key].id: spec for key, spec in specs.items()}, last_turn)
    takings = [replace(taking, until=said_at) for taking in takings]
    taken = take_out(subject_id, takings, without=frozenset(ids), request_turn=str(request.turn_id or ""))
    keep_undo(taken)
    emptied = taken.places.get("memories", set())
    lay_for_emptied(emptied, actor=actor, cause="user", policy=policy, now=now, request=request)
    clear_kept_answers(subject_id, [taking.spec for taking in takings])
    request.memories, request.texts = len(rows), taken.texts
    request.save(update_fields=["memories", "texts"])
    audit.record(
        actor,
        "memory.forget_request",
        target_kind="forget_request",
        target_id=request.id,
        subject_id=subject_id,
        memories=len(rows),
        texts=taken.texts,
        scope=request.scope,
    )
    return _outcomes(request, rows, taken)


def _wide(subject_id: uuid.UUID, matched: Matched, rows: Sequence[Memory]) -> bool:
    """Whether it is too much for one transaction."""
    if matched.reach.target.scope is Scope.LAST:
        return False
    if len(rows) > WIDE_MEMORIES:
        return True
    return matched.reach.everything and Episode.objects.of(subject_id).count() > WIDE_TEXTS


def _in_two_steps(
    actor: Actor,
    request: ForgetRequest,
    matched: Matched,
    rows: Sequence[Memory],
    *,
    policy: Policy,
    now: datetime,
    said_at: datetime,
) -> list[Outcome]:
    """Hidden at once, in a few statements; the texts are rewritten by a job."""
    before = said_at - timedelta(microseconds=1)
    bind_reach(actor, request.subject_id, matched.reach, before, request)
    if matched.reach.target.standing:
        stand(actor, request.subject_id, matched.reach, now, request)
    hide(request, rows, actor=actor, policy=policy, now=now, before=before)
    request.memories = len(rows)
    request.save(update_fields=["memories"])
    audit.record(
        actor,
        "memory.forget_request",
        target_kind="forget_request",
        target_id=request.id,
        subject_id=request.subject_id,
        memories=len(rows),
        scope=request.scope,
    )
    return _outcomes(request, rows, Taken())


def _matched(
    subject_id: uuid.UUID, target: Target, last_turn: uuid.UUID | None, said_at: datetime | None = None
) -> Matched:
    memories = known_memories(subject_id, digests=target.scope is Scope.EVERYTHING, until=said_at)
    return match(target, memories, last_turn)


def _takings(
    request: ForgetRequest, matched: Matched, specs: dict[uuid.UUID, Spec], last_turn: uuid.UUID | None
) -> list[Taking]:
    """Each memory's words under its tombstone, then what no memory rests on under the request."""
    takings = [Taking(owner, spec) for owner, spec in specs.items()]
    values = frozenset(value for spec in specs.values() for value in spec.values)
    kept = frozenset(value for spec in specs.values() for value in spec.kept)
    reach = matched.reach
    if not specs:
        values = frozenset(
            fact.value for one in matched.clear for fact in one.facts if _meant(fact.attribute, matched)
        )
    if reach.target.scope is not Scope.LAST:
        return [*takings, Taking(request.id, Spec(reach, frozenset(), values, kept))]
    if last_turn is None:
        return takings
    holder = text_holder("turns")
    said = holder.get(request.subject_id, str(last_turn), "content") if holder is not None else None
    whole = Spec(replace(reach, everything=True))
    takings.append(Taking(request.id, whole, frozenset({str(last_turn)})))
    if said:
        pieces = frozenset(said[start:end] for start, end in clauses(said) if end - start >= 4)
        takings.append(Taking(request.id, Spec(None, pieces)))
    return takings


def _meant(attribute: str, matched: Matched) -> bool:
    return not matched.reach.attributes or attribute in matched.reach.attributes


def _wait(actor: Actor, request: ForgetRequest, matched: Matched) -> Outcome:
    found: Sequence[KnownMemory] = matched.clear or matched.likely
    request.target = json.dumps(matched.reach.target.as_data(), ensure_ascii=False)
    request.state = ForgetRequest.State.WAITING
    request.memories = len(found)
    request.save(force_insert=True)
    audit.record(
        actor,
        "memory.forget_asked",
        target_kind="forget_request",
        target_id=request.id,
        subject_id=request.subject_id,
        memories=len(found),
        scope=request.scope,
    )
    return Outcome(
        Reason.NEEDS_APPROVAL,
        rule="forget.ask",
        reasons=(f"request {request.id}", f"{len(found)} memories", matched.why),
    )


def _store(request: ForgetRequest, target: Target, policy: Policy, now: datetime, actor: Actor) -> None:
    new = request._state.adding
    request.state = ForgetRequest.State.DONE
    request.decided_at, request.decided_by = now, actor.id[:64]
    request.target = json.dumps(target.as_data(), ensure_ascii=False)
    request.purge_after = now + timedelta(days=policy.number("tombstone.retention_days"))
    request.save(force_insert=new)


def _outcomes(request: ForgetRequest, rows: Sequence[Memory], taken: Taken) -> list[Outcome]:
    reasons = (f"request {request.id}", f"{taken.texts} texts")
    if rows:
        return [Outcome(Reason.FORGOTTEN, row.id, row.kind, "forget.words", reasons) for row in rows]
    if taken.texts:
        return [Outcome(Reason.FORGOTTEN, rule="forget.words", reasons=reasons)]
    if request.standing:
        return [Outcome(Reason.FORGOTTEN, rule="forget.standing", reasons=reasons)]
    return [Outcome(Reason.NOT_WORTH_KEEPING, rule="forget.nothing_found", reasons=("nothing stored fits",))]
