"""Memory around one request: what is known before the answer, and the round that is remembered after it. Synchronous."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from accounts.actor import Actor
from accounts.models import Subject
from accounts.services.ensure_subject import ensure_subject, find_subject
from memories.adapters.factory import get_clock
from memories.ports import ChatRequest
from memories.services.fingerprints import keyed
from memories.services.policies import policy_for
from memories.services.screen import screen
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError, Invalid, NotFound
from memoryhub.common.ids import uuid7
from sessions_app import relay, store
from sessions_app.core.aside import aside_text
from sessions_app.core.focus import cut_middle
from sessions_app.core.limits import checked_message
from sessions_app.models import ChatSession, Turn
from sessions_app.openai.body import ChatBody, answer_form
from sessions_app.openai.options import FULL, Options
from sessions_app.openai.watching import Heard
from sessions_app.protocol import resync_frame
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.find_conversation import find_conversation
from sessions_app.services.record_round import RecordedRound, Round, record_round
from sessions_app.services.results import AssembledContext

QUESTION_TOKENS = 800
"""Of a long message its beginning and its end ask: room is for memories, the message itself goes to the model anyway."""
COMPARED = 60
"""The caller's newest messages among which the window's turns are looked for."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """What is known for a request. `content` is "" where that is nothing, `used` the numbered entries in it.

    `degraded` says why it is less than usual, "" where it is not.
    """

    content: str = ""
    session_id: uuid.UUID | None = None
    trace_id: uuid.UUID | None = None
    used: list[dict[str, Any]] = field(default_factory=list)
    request: ChatRequest | None = None
    degraded: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """One request's memory; `mode` is read or full."""

    actor: Actor
    options: Options
    body: ChatBody
    mode: str
    asked_at: datetime

    def subject_id(self) -> uuid.UUID | None:
        """Whose memory: the header's, else the body's `user`, else the key's own. A new one is made where it may be kept.

        None for one that is not known and that nothing is to be kept of. Invalid where none is named, NotFound where the key
        is another one's.
        """
        named = self.options.subject if self.options.subject is not None else self.body.user
        if named is None:
            if self.actor.subject_id is None:
                raise Invalid(
                    "no subject is named",
                    hint="Say whose memory is meant, in the field user or the header X-MemoryHub-Subject; "
                    "or send X-MemoryHub-Memory-Mode: off.",
                    fields={"user": "required"},
                )
            return self.actor.subject_id
        if not 1 <= len(named) <= 512 or "\x00" in named:
            raise Invalid("the subject is not usable", fields={"user": "a text of 1 to 512 characters"})
        if self.mode == FULL:
            subject = ensure_subject(actor=self.actor, external_id=named)
        else:
            try:
                subject = find_subject(actor=self.actor, external_id=named)
            except NotFound:
                if self.actor.subject_id is not None:
                    raise
                return None
        self.actor.require_subject(subject.pk, write=self.mode == FULL)
        found: uuid.UUID = subject.pk
        return found

    def recollect(self, subject_id: uuid.UUID) -> Recollection:
        """The context for the newest message. Embeds; raises what its services raise."""
        tenant_id = self.actor.tenant_id
        marks = self._marks(subject_id)
        session = find_conversation(
            actor=self.actor,
            subject_id=subject_id,
            name=self.options.session,
            marks=marks,
            now=self.asked_at,
        )
        unopened = None if session is not None else self._unopened(subject_id)
        session_id: uuid.UUID = (session or unopened).pk  # type: ignore[union-attr]
        with tenant_transaction(tenant_id):
            sent_again = store.turn_of_client(session_id, marks[0])
        context = assemble_context(
            actor=self.actor,
            session_id=session_id,
            question=cut_middle(checked_message(self.body.question, limit=10**9), QUESTION_TOKENS),
            question_turn_id=sent_again.pk if sent_again is not None else None,
            now=self.asked_at,
            reinforce=self.mode == FULL,
            aside=True,
            unopened=unopened,
        )
        return Recollection(
            content=self._words(context, session_id),
            session_id=session_id if session is not None or self.mode == FULL else None,
            trace_id=context.trace_id,
            used=context.used,
            request=context.request,
            degraded=context.recall.degraded if context.recall is not None else "",
        )

    def remember(
        self, subject_id: uuid.UUID | None, known: Recollection, heard: Heard, *, state: str, model: str
    ) -> RecordedRound | None:
        """Store the round, once; None where there is no person to remember it of, or nothing was said."""
        subject_id = subject_id or self.subject_id()
        if subject_id is None or not self.body.question:
            return None
        answer = heard.text
        said = Round(
            question=self.body.question,
            mark=self._marks(subject_id)[0],
            said_at=self.asked_at,
            answer=answer,
            answer_mark=self._print(subject_id, answer_form(self.body.question, answer)) if answer else "",
            answered_at=get_clock().now(),
            begun_at=self.asked_at,
            state=state,
            model=model or heard.model or self.body.model,
            usage=_usage(heard),
            used=known.used,
            trace_id=known.trace_id,
        )
        recorded = record_round(
            actor=self.actor,
            subject_id=subject_id,
            session_id=known.session_id or uuid7(),
            said=said,
            name=self.options.session,
            marks=self._marks(subject_id),
        )
        relay.session_changed(recorded.session_id, resync_frame())
        return recorded

    def _unopened(self, subject_id: uuid.UUID) -> ChatSession:
        """A session that is stored with its first round, if ever."""
        with tenant_transaction(self.actor.tenant_id):
            subject = Subject.objects.filter(pk=subject_id, erased_at__isnull=True).first()
        if subject is None:
            raise NotFound("no such subject")
        mode = ChatSession.Mode.FULL if self.mode == FULL else ChatSession.Mode.READ_ONLY
        return ChatSession(
            id=uuid7(), subject=subject, mode=mode, started_at=self.asked_at, last_activity_at=self.asked_at
        )

    def _words(self, context: AssembledContext, session_id: uuid.UUID) -> str:
        """The system text, and the window's turns that the caller's own messages do not hold."""
        language = context.request.language or "en"
        shown = dict(zip(context.turn_ids, context.messages[1:-1], strict=True))
        unsaid: list[tuple[str, str]] = []
        if shown:
            with tenant_transaction(self.actor.tenant_id):
                turns = list(Turn.objects.filter(pk__in=list(shown)).only("role", "content").order_by("seq"))
            here = self._stored_forms(session_id)
            unsaid = [(turn.role, shown[turn.pk]["content"]) for turn in turns if turn.content not in here]
        return aside_text(context.messages[0]["content"], unsaid, language)

    def _stored_forms(self, session_id: uuid.UUID) -> set[str]:
        """The caller's newest messages as they would be stored."""
        policy = policy_for(self.actor.tenant_id, session_id).policy
        forms: set[str] = set()
        for _, text in self.body.spoken[-COMPARED:]:
            try:
                forms.add(screen(checked_message(text), policy).text_masked)
            except DomainError:
                continue  # Too long, or empty: stored in another form, if at all.
        return forms

    def _marks(self, subject_id: uuid.UUID) -> list[str]:
        return self._prints(subject_id, self.body.forms())

    def _prints(self, subject_id: uuid.UUID, forms: Iterable[str]) -> list[str]:
        return [self._print(subject_id, form) for form in forms]

    def _print(self, subject_id: uuid.UUID, form: str) -> str:
        return f"oa-{keyed('round', self.actor.tenant_id, subject_id, form).hex()[:48]}"


def _usage(heard: Heard) -> dict[str, Any]:
    """As a turn keeps it; {} where the endpoint gave none."""
    prompt, completion = heard.usage.get("prompt_tokens"), heard.usage.get("completion_tokens")
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return {}
    return {"prompt_tokens": prompt, "completion_tokens": completion, "estimated": False}
