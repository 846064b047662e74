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
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from sessions_app import relay
from sessions_app.core.limits import MAX_MESSAGE_CHARS, MAX_TOOL_CHARS
from sessions_app.mcp.common import ADD, OfSubject, outcome_lines
from sessions_app.mcp.tool import Arguments, Said, Tool
from sessions_app.protocol import resync_frame
from sessions_app.services.join_conversation import join_conversation
from sessions_app.services.learn_now import learn_now
from sessions_app.services.record_turn import record_turn

MAX_MESSAGES = 50
_OF_A_TEXT = ("kind", "tags", "metadata", "importance", "pinned", "expires_at")
"""What is said of a text that is one memory; messages are read for whatever they tell."""


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
        if self.role != "tool" and len(self.content) > MAX_MESSAGE_CHARS:
            raise ValueError(f"at most {MAX_MESSAGE_CHARS} characters, unless the role is tool")
        if not self.content.strip():
            raise ValueError("the content is empty")
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
            "event ids; get_event_status tells what became of them. false takes no kind, tags and the like."
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
        as_messages = self.messages is not None or not self.wait
        beside = [name for name in _OF_A_TEXT if name in self.model_fields_set]
        if not self.infer:
            beside.append("infer")
        if as_messages and beside:
            where = "messages" if self.messages is not None else "wait=false"
            raise ValueError(f"not together with {where}: {', '.join(beside)}")
        if self.messages is not None and "said_at" in self.model_fields_set:
            raise ValueError("give said_at in each message")
        if self.conversation and not as_messages:
            raise ValueError("conversation belongs to messages, or to wait=false")
        return self


def add_memory(actor: Actor, given: AddMemory) -> Said:
    """Outcomes with reason codes and ids; or, without waiting, the events to ask about."""
    subject_id = given.made(actor)
    as_messages = given.messages is not None or not given.wait

    def work() -> Answer:
        data = (
            _add_messages(actor, subject_id, given) if as_messages else _add_content(actor, subject_id, given)
        )
        return Answer(200, data, subject_id=subject_id)

    answer = _once(actor, given, work, in_steps=as_messages) if given.idempotency_key else work()
    return Said("\n".join(_lines(answer.body)), answer.body)


def _once(actor: Actor, given: AddMemory, work: Callable[[], Answer], *, in_steps: bool) -> Answer:
    asked = json.dumps(["mcp", "add_memory", given.model_dump(mode="json")], sort_keys=True).encode()
    return answers_once()(
        actor=actor, key=f"mcp:{given.idempotency_key}", asked=asked, work=work, in_steps=in_steps
    )


def _add_content(actor: Actor, subject_id: uuid.UUID, given: AddMemory) -> dict[str, Any]:
    outcomes = remember(
        actor=actor,
        subject_id=subject_id,
        content=given.content or "",
        kind=given.kind,
        source=given.source,
        said_at=given.said_at,
        importance=given.importance,
        tags=given.tags or (),
        metadata=given.metadata,
        expires_at=given.expires_at,
        pinned=given.pinned,
        infer=given.infer,
    )
    return {"results": [one.as_data() for one in outcomes]}


def _add_messages(actor: Actor, subject_id: uuid.UUID, given: AddMemory) -> dict[str, Any]:
    """All of them stored or none; each is learnt from while the caller waits, or by a job."""
    messages = given.messages or [_as_message(given)]
    with tenant_transaction(actor.tenant_id):
        session = join_conversation(
            actor=actor, subject_id=subject_id, name=_name(given), now=get_clock().now()
        )
        recorded = [
            record_turn(
                actor=actor,
                session_id=session.pk,
                role=one.role,
                content=one.content,
                speaker=one.speaker,
                at=one.said_at,
                client_msg_id=_mark(actor, subject_id, given, one, number),
                learns_now=given.wait,
            )
            for number, one in enumerate(messages)
        ]
    results: list[dict[str, Any]] = []
    for message, (turn, created) in zip(messages, ((one.turn, one.created) for one in recorded), strict=True):
        learns = given.wait and created
        if learns:
            learn_now(actor=actor, turn=turn, text=message.content)
        results.append(
            {
                "event_id": str(turn.pk),
                "state": "done" if learns or turn.learned_at is not None else "pending",
                "results": list(turn.outcomes),
            }
        )
    relay.session_changed(session.pk, resync_frame())
    return {"session_id": str(session.pk), "events": results}


def _as_message(given: AddMemory) -> Message:
    content = given.content or ""
    if given.source == "import":
        raise Invalid(
            "an imported text is kept while you wait",
            hint="Leave `wait` out.",
            fields={"wait": "not with source=import"},
        )
    return Message(role=given.source, content=content, said_at=given.said_at)


def _name(given: AddMemory) -> str:
    """A repeated call without a conversation must find the one that it opened."""
    if given.conversation or not given.idempotency_key:
        return given.conversation
    return f"idempotency key {given.idempotency_key}"


def _mark(actor: Actor, subject_id: uuid.UUID, given: AddMemory, message: Message, number: int) -> str | None:
    """What a turn is known by: the caller's id of it, in a form that always fits; None without one."""
    name = f"id {message.id}" if message.id else ""
    if not name and given.idempotency_key:
        name = f"key {given.idempotency_key} {number}"
    if not name:
        return None
    return f"mcp-{keyed('message', actor.tenant_id, subject_id, name).hex()[:48]}"


def _lines(data: dict[str, Any]) -> list[str]:
    if "events" not in data:
        return outcome_lines(data["results"]) or ["nothing was found to keep"]
    lines = []
    for number, event in enumerate(data["events"], 1):
        if event["state"] == "done":
            told = outcome_lines(event["results"]) or ["nothing was found to keep"]
            lines += [f"message {number}: {line}" for line in told]
        else:
            lines.append(f"message {number}: stored; ask get_event_status for {event['event_id']}")
    return lines


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
