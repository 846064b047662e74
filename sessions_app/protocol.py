"""The frames of the chat socket: what a browser may send, checked field by field, and what the server answers with."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sessions_app.core.limits import MAX_MESSAGE_CHARS

MAX_FRAME_BYTES = 160 * 1024
"""The longest message in the widest characters, with room for escapes."""
MAX_SEQ = 2**31 - 1
_CLIENT_MSG_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

Frame = dict[str, Any]
"""A JSON object with a `type`."""


class CloseCode:
    """Why the server closes a socket. The browser reconnects after anything that is not listed as final."""

    BAD_REQUEST = 4400
    SIGNED_OUT = 4401
    FORBIDDEN = 4403
    NOT_FOUND = 4404
    TOO_SLOW = 4408
    TOO_MANY = 4429
    UNAVAILABLE = 4503


class FrameError(Exception):
    """A client's frame that cannot be acted on; `code` is stable, `hint` says what to do. Holds no content."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


@dataclass(frozen=True, slots=True)
class Resume:
    """ "I have all turns up to `after_seq`, and of the answer `answer_id` its first `answer_offset` characters." """

    after_seq: int
    answer_id: uuid.UUID | None
    answer_offset: int


@dataclass(frozen=True, slots=True)
class Send:
    """A message. The same `client_msg_id` may be sent any number of times and is stored once."""

    client_msg_id: str
    content: str


@dataclass(frozen=True, slots=True)
class Stop:
    """End the answer that is being generated and keep what was said."""

    turn_id: uuid.UUID


@dataclass(frozen=True, slots=True)
class Retry:
    """Generate an interrupted, stopped or failed answer again."""

    turn_id: uuid.UUID


@dataclass(frozen=True, slots=True)
class Ping:
    """A heartbeat; answered with the number of the session's newest frame."""


ClientFrame = Resume | Send | Stop | Retry | Ping


def parse(text: str | None) -> ClientFrame:
    """The frame in a text message; FrameError for anything else, whatever it is."""
    if text is None:
        raise FrameError("binary_frame", "frames are JSON text", "Send text, not bytes.")
    if len(text) > MAX_FRAME_BYTES or len(text.encode("utf-8", "replace")) > MAX_FRAME_BYTES:
        raise FrameError(
            "frame_too_large",
            "the frame is too large",
            f"Keep it below {MAX_FRAME_BYTES} bytes.",
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise FrameError("not_json", "the frame is not JSON", "Send one JSON object a message.") from None
    if not isinstance(data, dict):
        raise FrameError(
            "not_an_object",
            "the frame is not an object",
            "Send one JSON object a message.",
        )
    kind = data.get("type")
    parser = _PARSERS.get(kind) if isinstance(kind, str) else None
    if parser is None:
        raise FrameError(
            "unknown_type",
            "the frame's type is not known",
            f"Use one of {', '.join(_PARSERS)}.",
        )
    return parser(data)


def _resume(data: Mapping[str, Any]) -> Resume:
    answer_id = _uuid(data, "answer_id") if data.get("answer_id") is not None else None
    return Resume(_count(data, "after_seq"), answer_id, _count(data, "answer_offset"))


def _send(data: Mapping[str, Any]) -> Send:
    client_msg_id = data.get("client_msg_id")
    if not isinstance(client_msg_id, str) or not _CLIENT_MSG_ID.fullmatch(client_msg_id):
        raise _bad("client_msg_id", "1 to 64 letters, digits, - or _")
    content = data.get("content")
    if not isinstance(content, str):
        raise _bad("content", "a text")
    if len(content) > MAX_MESSAGE_CHARS:
        raise FrameError(
            "message_too_long",
            "the message is too long",
            f"Keep it below {MAX_MESSAGE_CHARS} characters.",
        )
    # PostgreSQL stores neither NUL nor half a surrogate pair.
    content = content.replace("\x00", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not content.strip():
        raise FrameError("message_empty", "the message is empty", "Write something first.")
    return Send(client_msg_id, content)


def _stop(data: Mapping[str, Any]) -> Stop:
    return Stop(_uuid(data, "turn_id"))


def _retry(data: Mapping[str, Any]) -> Retry:
    return Retry(_uuid(data, "turn_id"))


def _ping(data: Mapping[str, Any]) -> Ping:
    return Ping()


_PARSERS: dict[str, Callable[[Mapping[str, Any]], ClientFrame]] = {
    "resume": _resume,
    "send": _send,
    "stop": _stop,
    "retry": _retry,
    "ping": _ping,
}


def _bad(field: str, expected: str) -> FrameError:
    return FrameError("bad_field", f"the field {field} is not valid", f"{field} is {expected}.")


def _count(data: Mapping[str, Any], field: str) -> int:
    value = data.get(field, 0)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_SEQ:
        raise _bad(field, f"a whole number from 0 to {MAX_SEQ}")
    return value


def _uuid(data: Mapping[str, Any], field: str) -> uuid.UUID:
    value = data.get(field)
    try:
        if not isinstance(value, str):
            raise ValueError
        return uuid.UUID(value)
    except ValueError:
        raise _bad(field, "an id") from None


# Server frames. `n` numbers what changes a session (turn, delta, done, session, resync) without gaps, so that a reader who lost
# one notices at the next frame or heartbeat and asks for `resume`; state and pong carry the newest number given out.


def turn_frame(turn: Mapping[str, Any]) -> Frame:
    """A turn that is stored now: a user's message, or an answer that begins."""
    return {"type": "turn", "turn": dict(turn)}


def delta_frame(turn_id: uuid.UUID | str, offset: int, text: str) -> Frame:
    """`text` of an answer from its character `offset` (code points) on."""
    return {"type": "delta", "turn_id": str(turn_id), "offset": offset, "text": text}


def done_frame(turn: Mapping[str, Any]) -> Frame:
    """An answer as it stands at its end, in whatever state."""
    return {"type": "done", "turn": dict(turn)}


def session_frame(session: Mapping[str, Any]) -> Frame:
    """The session's title or state changed."""
    return {"type": "session", "session": dict(session)}


def resync_frame() -> Frame:
    """Something changed outside of any socket: ask for `resume`."""
    return {"type": "resync"}


def state_frame(
    *,
    n: int,
    session: Mapping[str, Any],
    turns: list[dict[str, Any]],
    live: list[Frame],
) -> Frame:
    """The answer to `resume`: the missing turns, and of each answer in the making a delta with what is missing.

    An answer other than the one that `resume` named starts at its first character.
    """
    return {
        "type": "state",
        "n": n,
        "session": dict(session),
        "turns": turns,
        "live": live,
    }


def pong_frame(n: int) -> Frame:
    """The answer to `ping`."""
    return {"type": "pong", "n": n}


def error_frame(
    code: str,
    message: str,
    hint: str = "",
    *,
    client_msg_id: str | None = None,
    turn_id: str | None = None,
) -> Frame:
    """What went wrong and what to do; names the message or answer that it is about."""
    frame: Frame = {"type": "error", "code": code, "message": message, "hint": hint}
    if client_msg_id is not None:
        frame["client_msg_id"] = client_msg_id
    if turn_id is not None:
        frame["turn_id"] = turn_id
    return frame
