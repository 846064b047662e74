"""What mem0's client writes: messages, changes, deletions and verdicts."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import Required
from accounts.models import Subject
from accounts.permissions import Capability
from accounts.services.ensure_subject import find_subject
from memories.mem0.base import MAX_BATCH, Mem0View, end_of, memory_id_of
from memories.mem0.filters import moment, wanted_of
from memories.mem0.reading import Listing, selected
from memories.mem0.shapes import event, item
from memories.models import Memory
from memories.services.edit import UNSET, edit
from memories.services.erase_subject import erase_subject
from memories.services.feedback import give_feedback
from memories.services.forget import forget
from memories.services.forget_by_words import forget_by_words
from memories.services.forget_wanted import wanted_of as wanted_to_forget
from memories.services.outcome import Outcome
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError, Invalid

MAX_MESSAGES = 50
_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE
_ROLES = {"user": "user", "assistant": "assistant"}
_VERDICTS = {"POSITIVE": "right", "NEGATIVE": "irrelevant", "VERY_NEGATIVE": "wrong"}


class Add(Mem0View):
    """POST /v3/memories/add/ (and /v1/memories/): what became of the messages, at once."""

    required_capabilities: ClassVar[dict[str, Required]] = {"POST": _WRITE}
    answers_in_steps = True

    def post(self, request: Request) -> Response:
        return add_messages(self)


class Collection(Listing):
    """/v1/memories/ as older and newer clients use it: GET lists, POST adds, DELETE takes all of one owner's, or those that fit."""

    required_capabilities: ClassVar[dict[str, Required]] = {"GET": _READ, "POST": _WRITE, "DELETE": _WRITE}
    keeps_answers = True
    answers_in_steps = True

    def post(self, request: Request) -> Response:
        return add_messages(self)

    def delete(self, request: Request) -> Response:
        wanted = wanted_of(request.query_params.dict())
        subject = self.owner(wanted)
        if wanted.metadata or wanted.tags or wanted.since or wanted.until:
            with tenant_transaction(self.actor.tenant_id):
                ids = list(selected(subject, wanted).values_list("id", flat=True))
            for memory_id in ids:
                forget(actor=self.actor, memory_id=memory_id, reason="mem0", cause="user")
        else:
            everything = wanted_to_forget(entity="user")
            forget_by_words(actor=self.actor, subject_id=subject.pk, wanted=everything, sure=True)
        return Response({"message": "Memories deleted successfully!"})


class Detail(Mem0View):
    """GET, PUT and DELETE /v1/memories/<id>/."""

    required_capabilities: ClassVar[dict[str, Required]] = {"GET": _READ, "PUT": _WRITE, "DELETE": _WRITE}

    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        return Response(item(*self.one(memory_id)))

    def put(self, request: Request, memory_id: uuid.UUID) -> Response:
        return Response(item(*change(self, memory_id, self.body())))

    def delete(self, request: Request, memory_id: uuid.UUID) -> Response:
        linked = request.query_params.get("delete_linked", "").lower() == "true"
        for one in self._chain(memory_id) if linked else [memory_id]:
            forget(actor=self.actor, memory_id=one, reason="mem0", cause="user")
        return Response({"message": "Memory deleted successfully!"})

    def _chain(self, memory_id: uuid.UUID) -> list[uuid.UUID]:
        """The memory and what it superseded, as far back as that goes."""
        found, last = [memory_id], [self.one(memory_id)[0].pk]
        with tenant_transaction(self.actor.tenant_id):
            while last and len(found) < MAX_BATCH:
                last = list(Memory.objects.filter(superseded_by_id__in=last).values_list("id", flat=True))
                found += last
        return found


class Batch(Mem0View):
    """PUT and DELETE /v1/batch/: up to 200 memories, one after the other; what was refused is told with its reason."""

    required_capabilities: ClassVar[dict[str, Required]] = {"PUT": _WRITE, "DELETE": _WRITE}

    def put(self, request: Request) -> Response:
        return self._each(lambda memory_id, one: change(self, memory_id, one), "updated")

    def delete(self, request: Request) -> Response:
        return self._each(
            lambda memory_id, _: forget(actor=self.actor, memory_id=memory_id, reason="mem0", cause="user"),
            "deleted",
        )

    def _each(self, work: Callable[[uuid.UUID, Any], object], done: str) -> Response:
        rows = self.body().get("memories")
        if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_BATCH:
            raise Invalid("no memories", fields={"memories": f"a list of 1 to {MAX_BATCH}"})
        given = [(memory_id_of(row, at), row) for at, row in enumerate(rows)]
        refused = []
        for memory_id, row in given:
            try:
                work(memory_id, row)
            except DomainError as problem:
                refused.append({"memory_id": str(memory_id), "code": problem.code, "reason": problem.message})
        count = len(given) - len(refused)
        return Response({"message": f"Successfully {done} {count} memories", "refused": refused})


class Feedback(Mem0View):
    """POST /v1/feedback/: POSITIVE, NEGATIVE (irrelevant) or VERY_NEGATIVE (wrong)."""

    required_capabilities: ClassVar[dict[str, Required]] = {"POST": _WRITE}

    def post(self, request: Request) -> Response:
        body = self.body()
        verdict = _VERDICTS.get(str(body.get("feedback")))
        if verdict is None:
            raise Invalid("there is no such verdict", fields={"feedback": f"one of {', '.join(_VERDICTS)}"})
        memory, _ = self.one(memory_id_of(body, 0))
        given = give_feedback(
            actor=self.actor, subject_id=memory.subject_id, verdict=verdict, memory_id=memory.pk
        )
        return Response({"id": str(given.pk), "memory_id": str(memory.pk), "feedback": body["feedback"]})


class Owner(Mem0View):
    """DELETE /v2/entities/<type>/<name>/: erase one owner with all that is known of them. Needs a key that may erase."""

    required_capabilities: ClassVar[dict[str, Required]] = {"DELETE": Capability.ERASE}

    def delete(self, request: Request, kind: str, name: str) -> Response:
        subject = find_subject(actor=self.actor, kind=kind, external_id=name)
        erasure = erase_subject(actor=self.actor, subject_id=subject.pk)
        return Response({"message": "Entity deleted successfully!", "erasure_id": str(erasure.pk)})


def change(view: Mem0View, memory_id: uuid.UUID, given: Mapping[str, Any]) -> tuple[Memory, Subject]:
    """The memory with another text, metadata or end, as far as they are given; the ids that say where it was made stay."""
    memory, subject = view.one(memory_id)
    text, metadata = given.get("text"), given.get("metadata")
    if text is not None and not isinstance(text, str):
        raise Invalid("the text is none", fields={"text": "a text"})
    if metadata is not None and not isinstance(metadata, Mapping):
        raise Invalid("metadata is no object", fields={"metadata": "must be an object"})
    kept = {key: value for key, value in memory.metadata.items() if key in {"agent_id", "run_id", "app_id"}}
    changed = edit(
        actor=view.actor,
        memory_id=memory_id,
        content=text,
        metadata={**kept, **metadata} if metadata is not None else None,
        expires_at=end_of(given["expiration_date"]) if "expiration_date" in given else UNSET,
    )
    return changed, subject


def _message(one: Any, at: int) -> tuple[str, str]:
    role, content = (one.get("role"), one.get("content")) if isinstance(one, Mapping) else (None, None)
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    if not isinstance(role, str) or not isinstance(content, str) or not content.strip():
        raise Invalid(
            "a message is not understood", fields={f"messages.{at}": "must have a role and a content"}
        )
    return role, content


def add_messages(view: Mem0View) -> Response:
    """Keeps what the messages tell, one after the other."""
    body = view.body()
    messages = body.get("messages")
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    if not isinstance(messages, list) or not 1 <= len(messages) <= MAX_MESSAGES:
        raise Invalid("no messages", fields={"messages": f"a list of 1 to {MAX_MESSAGES}"})
    said = [_message(one, at) for at, one in enumerate(messages)]
    wanted = wanted_of(body)
    subject = view.owner(wanted, create=True)
    metadata = body.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        raise Invalid("metadata is no object", fields={"metadata": "must be an object"})
    at = moment(body["timestamp"], "timestamp") if body.get("timestamp") is not None else None
    fields: dict[str, Any] = {
        "metadata": {**metadata, **wanted.metadata},
        "said_at": at,
        "expires_at": end_of(body.get("expiration_date")),
        "infer": body.get("infer", True) is not False,
    }
    outcomes: list[Outcome] = []
    for role, content in said:
        if role in _ROLES:
            outcomes += remember(
                actor=view.actor, subject_id=subject.pk, content=content, source=_ROLES[role], **fields
            )
    ids = [one.memory_id for one in outcomes if one.memory_id]
    with tenant_transaction(view.actor.tenant_id):
        contents = dict(Memory.objects.filter(id__in=ids).values_list("id", "content"))
    return Response({"results": [event(one, contents) for one in outcomes], "status": "SUCCEEDED"})
