"""The tool that adds: a text or messages, kept at once or learnt from later."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Annotated, Any, Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from accounts.actor import Actor
from accounts.kept_answers import Answer, answers_once
from memories.adapters.factory import get_clock
from memories.core.kinds import Kind
from memories.services.fingerprints import keyed
from memories.services.limits import MAX_CONTENT, MAX_SPEAKER, MAX_TAG, MAX_TAGS
from memories.services.remember import remember
from memories.services.remember_later import remember_later
from memoryhub.common.errors import DomainError
from sessions_app import relay
from sessions_app.core.limits import MAX_MESSAGE_CHARS, MAX_TOOL_CHARS, checked_message
from sessions_app.mcp.common import ADD, OfSubject, outcome_lines
from sessions_app.mcp.tool import Arguments, Said, Tool
from sessions_app.protocol import resync_frame
from sessions_app.services.join_conversation import join_conversation
from sessions_app.services.record_messages import record_messages

MAX_MESSAGES = 50
_OF_A_TEXT = frozenset(
    {"infer", "kind", "tags", "metadata", "importance", "pinned", "expires_at", "said_at", "source"}
)
"""What is said of a content; messages are read for whatever they tell."""


class Message(Arguments):
    """One message of a conversation."""

    role: Annotated[Literal["user", "assistant", "tool"], Field(description="Who said it.")]
    content: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_TOOL_CHARS,
            description=f"Its words; of a user or an assistant at most {MAX_MESSAGE_CHARS} characters.",
        ),
    ]
    speaker: Annotated[
        str, Field(max_length=MAX_SPEAKER, description="The speaker's name, where several humans talk.")
    ] = ""
    said_at: Annotated[
        AwareDatetime | None,
        Field(description="When it was said (ISO 8601 with offset); now, when left out."),
    ] = None
    id: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=200,
            description="Your own id of the message: sent again in the same conversation it is stored once.",
        ),
    ] = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        try:
            checked_message(self.content, limit=MAX_TOOL_CHARS if self.role == "tool" else MAX_MESSAGE_CHARS)
        except DomainError as error:
            raise ValueError(error.message) from None
        return self


class AddMemory(OfSubject):
    """Either `content` or `messages`."""

    content: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MAX_CONTENT,
            description="A text to remember, in the words it was said in.",
        ),
    ] = None
    messages: Annotated[
        list[Message] | None,
        Field(
            min_length=1,
            max_length=MAX_MESSAGES,
            description="A piece of conversation to learn from, oldest first. Give this or `content`.",
        ),
    ] = None
    conversation: Annotated[
        str,
        Field(
            max_length=512,
            description="Your name of the conversation that the messages belong to; the same name goes on with it.",
        ),
    ] = ""
    infer: Annotated[
        bool,
        Field(
            description="true: the statements in the content are found, and only what is lasting is kept. "
            "false: the content is kept as given, as one memory."
        ),
    ] = True
    kind: Annotated[
        Kind | None, Field(description="Of a content that is one memory; found out, when left out.")
    ] = None
    tags: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=MAX_TAG)]] | None,
        Field(max_length=MAX_TAGS, description="Labels to search and list by."),
    ] = None
    metadata: Annotated[dict[str, Any] | None, Field(description="Data of your own, as plain JSON.")] = None
    importance: Annotated[
        float | None, Field(ge=0, le=1, description="0 to 1; found out, when left out.")
    ] = None
    pinned: Annotated[bool, Field(description="Never swept away, and ranked first among equals.")] = False
    expires_at: Annotated[
        AwareDatetime | None, Field(description="Until when it holds (ISO 8601 with offset).")
    ] = None
    said_at: Annotated[
        AwareDatetime | None, Field(description="When the content was said (ISO 8601 with offset).")
    ] = None
    source: Annotated[
        Literal["user", "assistant", "tool", "import"], Field(description="Who said the content.")
    ] = "user"
    wait: Annotated[
        bool,
        Field(
            description="true: answer with what became of each statement. false: store it and answer at once with "
            "an event id; get_event_status tells what became of it."
        ),
    ] = True
    idempotency_key: Annotated[
        str | None,
        Field(
            pattern=r"^[\x21-\x7e]{1,190}$",
            description="The same key within 24 hours gets the same answer, and nothing is written twice.",
        ),
    ] = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.content is None) == (self.messages is None):
            raise ValueError("give either content or messages")
        if self.messages is None and self.conversation:
            raise ValueError("conversation belongs to messages")
        if self.messages is not None and (beside := sorted(self.model_fields_set & _OF_A_TEXT)):
            raise ValueError(f"not together with messages: {', '.join(beside)}")
        return self


def add_memory(actor: Actor, given: AddMemory) -> Said:
    """Outcomes with reason codes and ids; or, without waiting, the event to ask about."""
    subject_id = given.made(actor)
    add = _add_messages if given.messages is not None else _add_content if given.wait else _add_later

    def work() -> Answer:
        return Answer(200, add(actor, subject_id, given), subject_id=subject_id)

    answer = _once(actor, given, work) if given.idempotency_key else work()
    return Said("\n".join(_lines(answer.body)), answer.body)


def _once(actor: Actor, given: AddMemory, work: Callable[[], Answer]) -> Answer:
    asked = json.dumps(["mcp", "add_memory", given.model_dump(mode="json")], sort_keys=True).encode()
    return answers_once()(
        actor=actor,
        key=f"mcp:{given.idempotency_key}",
        asked=asked,
        work=work,
        # Messages are learnt from between two commits; who repeats the call finds them by its mark.
        in_steps=given.messages is not None,
    )


def _add_content(actor: Actor, subject_id: uuid.UUID, given: AddMemory) -> dict[str, Any]:
    outcomes = remember(actor=actor, subject_id=subject_id, **_text(given))
    return {"results": [one.as_data() for one in outcomes]}


def _add_later(actor: Actor, subject_id: uuid.UUID, given: AddMemory) -> dict[str, Any]:
    job_id = remember_later(actor=actor, subject_id=subject_id, items=[_text(given)])
    return {"event_id": str(job_id), "state": "pending"}


def _text(given: AddMemory) -> dict[str, Any]:
    """What remember takes, as far as it was given."""
    fields = {name: getattr(given, name) for name in ("content", *_OF_A_TEXT)}
    return {name: value for name, value in fields.items() if value is not None}


def _add_messages(actor: Actor, subject_id: uuid.UUID, given: AddMemory) -> dict[str, Any]:
    """All of them stored or none; they are learnt from while the caller waits, or by a job."""
    session = join_conversation(actor=actor, subject_id=subject_id, name=_name(given), now=get_clock().now())
    recorded = record_messages(
        actor=actor,
        session_id=session.pk,
        messages=[_message(actor, subject_id, one) for one in given.messages or ()],
        wait=given.wait,
        mark=_mark(actor, subject_id, f"key {given.idempotency_key}", 40) if given.idempotency_key else "",
    )
    relay.session_changed(session.pk, resync_frame())
    data: dict[str, Any] = {"session_id": str(session.pk)}
    if recorded.job_id is not None:
        return {**data, "event_id": str(recorded.job_id), "state": "pending"}
    return {
        **data,
        "results": [{**one, "index": at} for at, turn in enumerate(recorded.turns) for one in turn.outcomes],
    }


def _message(actor: Actor, subject_id: uuid.UUID, message: Message) -> dict[str, Any]:
    """What record_turn takes."""
    fields: dict[str, Any] = {"role": message.role, "content": message.content, "speaker": message.speaker}
    if message.said_at is not None:
        fields["at"] = message.said_at
    if message.id is not None:
        fields["client_msg_id"] = _mark(actor, subject_id, f"id {message.id}", 48)
    return fields


def _name(given: AddMemory) -> str:
    """A repeated call without a conversation must find the one that it opened."""
    if given.conversation or not given.idempotency_key:
        return given.conversation
    return f"idempotency key {given.idempotency_key}"


def _mark(actor: Actor, subject_id: uuid.UUID, name: str, length: int) -> str:
    """What a turn is known by: a name of the caller's, in a form that always fits and tells nothing."""
    return f"mcp-{keyed('message', actor.tenant_id, subject_id, name).hex()[:length]}"


def _lines(data: dict[str, Any]) -> list[str]:
    if "event_id" in data:
        return [f"pending: stored, and learnt from later; ask get_event_status for {data['event_id']}"]
    return outcome_lines(data["results"]) or ["nothing was found to keep"]


ADD_MEMORY = Tool(
    name="add_memory",
    title="Add memory",
    description=(
        "Remember something about a subject: a text, or a piece of conversation to learn from. Repeats strengthen what is known, "
        "a clear later statement replaces it, an unclear one opens a contradiction. Secrets are refused. Each statement is answered with a "
        "reason code (stored, duplicate, superseded, contradiction, blocked_sensitive, needs_approval, not_worth_keeping, budget, "
        "error) and the memory's id. Keep texts in the language they were said in."
    ),
    arguments=AddMemory,
    run=add_memory,
    needs=ADD,
)
