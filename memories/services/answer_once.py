"""Answer once: do what a caller asks for under an Idempotency-Key one time, and give everybody who repeats it the same answer."""

from __future__ import annotations

import base64
import hmac
import json
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError
from psycopg.errors import ForeignKeyViolation, UniqueViolation

from accounts.actor import Actor
from accounts.kept_answers import Answer, check_key
from memories.adapters.factory import get_clock
from memories.models import IdempotencyKey
from memories.store.kept_answers import alone_with, let_go_of_connection
from memoryhub.common.db import current_scope, one_commit, tenant_transaction
from memoryhub.common.errors import Conflict, NotFound
from memoryhub.common.fields import the_keyring

KEPT = timedelta(hours=24)
PATIENCE = 30.0
"""Seconds that a repeated call waits for the first one."""
_FIRST_WAIT, _LONGEST_WAIT = 0.02, 0.5


class StillWorking(Conflict):
    """The first call under this key has not ended yet."""

    code = "in_progress"
    retry_after = 1


class KeyReused(Conflict):
    """The key stands for another request."""

    code = "idempotency_key_reused"


def answer_once(
    *, actor: Actor, key: str, asked: bytes, work: Callable[[], Answer], in_steps: bool = False
) -> Answer:
    """The answer of `work`, done at most once a (tenant, caller, key) within 24 hours; `replayed` where it was done before.

    What `work` writes and its answer are committed in one transaction: a process that dies leaves both or neither, and its
    lock ends with it. `asked` is all that the caller asked for; other than the first time it is KeyReused. Calls at
    the same time wait for the first one, up to PATIENCE, then StillWorking. An error is raised, changes nothing and is not
    kept: the call may be repeated. With `in_steps` the work commits by itself (it waits for a model between two steps) and must be
    repeatable itself; its answer is kept after it.
    """
    check_key(key)
    principal = f"{actor.kind}:{actor.id}"[:64]
    print_ = hmac.digest(settings.FINGERPRINT_KEY.encode(), b"request\n" + asked, "sha256")
    end, wait = time.monotonic() + PATIENCE, _FIRST_WAIT
    while True:
        if (found := _kept(actor, principal, key, print_)) is not None:
            return found
        with alone_with(actor.tenant_id, principal, key) as alone:
            if alone:
                if (found := _kept(actor, principal, key, print_)) is not None:
                    return found
                return _first(actor, principal, key, print_, work, in_steps=in_steps)
        if time.monotonic() > end:
            raise StillWorking(
                "the first call with this Idempotency-Key is still at work",
                hint="Repeat it with the same key in a while.",
            )
        let_go_of_connection()
        time.sleep(wait)
        wait = min(_LONGEST_WAIT, wait * 1.5)


def _first(
    actor: Actor, principal: str, key: str, print_: bytes, work: Callable[[], Answer], *, in_steps: bool
) -> Answer:
    if in_steps:
        answer = work()
        with tenant_transaction(actor.tenant_id):
            return _keep(principal, key, print_, answer)
    try:
        with one_commit():
            answer = work()
            with tenant_transaction(actor.tenant_id):
                return _keep(principal, key, print_, answer)
    except IntegrityError as error:
        # Some constraints are checked at the commit, which is here and not in the service.
        if isinstance(error.__cause__, ForeignKeyViolation):
            raise NotFound("something that this is about was removed meanwhile") from None
        kept = _kept(actor, principal, key, print_) if isinstance(error.__cause__, UniqueViolation) else None
        if kept is None:
            raise
        return kept


def _keep(principal: str, key: str, print_: bytes, answer: Answer) -> Answer:
    """Store it in the open transaction; the answer as it is stored, so that the first caller reads what the others will."""
    now = get_clock().now()
    body: dict[str, Any] = {"body": answer.body, "headers": answer.headers}
    if answer.sealed:
        token = the_keyring().seal(json.dumps(answer.body))
        body["body"] = base64.b64encode(token).decode()
    IdempotencyKey.objects.filter(principal=principal, key=key, expires_at__lte=now).delete()
    row = IdempotencyKey.objects.create(
        subject_id=answer.subject_id or _subject_of_changes(),
        principal=principal,
        key=key,
        request_hash=print_,
        status=answer.status,
        response={**body, "sealed": answer.sealed},
        created_at=now,
        expires_at=now + KEPT,
    )
    row.refresh_from_db(fields=["response"])
    return _answer_of(row, replayed=False)


def _subject_of_changes() -> uuid.UUID | None:
    """The one subject that the transaction's audited changes are about."""
    named = {change["subject_id"] for _, change in current_scope().noted if change["subject_id"]}
    return uuid.UUID(named.pop()) if len(named) == 1 else None


def _kept(actor: Actor, principal: str, key: str, print_: bytes) -> Answer | None:
    with tenant_transaction(actor.tenant_id):
        now = get_clock().now()
        row = IdempotencyKey.objects.filter(principal=principal, key=key, expires_at__gt=now).first()
        if row is None:
            return None
        if not hmac.compare_digest(bytes(row.request_hash), print_):
            raise KeyReused(
                "this Idempotency-Key was used for another request",
                hint="Make a new key for each request; use one again only to repeat it.",
                fields={"Idempotency-Key": "used before"},
            )
        return _answer_of(row, replayed=True)


def _answer_of(row: IdempotencyKey, *, replayed: bool) -> Answer:
    kept: dict[str, Any] = row.response or {}
    body = kept.get("body")
    if kept.get("sealed"):
        body = json.loads(the_keyring().open(base64.b64decode(str(body))))
    return Answer(row.status or 200, body, dict(kept.get("headers") or {}), row.subject_id, replayed=replayed)
