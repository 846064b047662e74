"""The chat socket: checks who is there on every frame, calls the services, and passes a session's frames on."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections import deque
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import structlog
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error as DbError

from accounts.actor import Actor
from accounts.sockets import user_group
from memoryhub.common.errors import DomainError, NotFound
from memoryhub.common.executor import run_in_services
from sessions_app import door, live, relay
from sessions_app.pages import Reader, session_data, translated, with_html
from sessions_app.protocol import (
    ClientFrame,
    CloseCode,
    Frame,
    FrameError,
    Ping,
    Resume,
    Retry,
    Send,
    Stop,
    done_frame,
    error_frame,
    parse,
    pong_frame,
    session_frame,
    turn_frame,
)
from sessions_app.services.get_turns import get_session
from sessions_app.services.post_message import post_message
from sessions_app.services.results import PostedMessage
from sessions_app.services.retry_answer import retry_answer
from sessions_app.services.stop_answer import stop_answer
from sessions_app.services.turn_data import turn_data
from sessions_app.state import state_of

log = structlog.get_logger(__name__)

SLOW_SECONDS = 30.0
"""A reader who takes no frame for this long is let go; resuming costs it nothing."""
CATCH_UP_SECONDS = 2.0
"""How long frames are held back for the newest words of an answer that another process writes."""


class ChatConsumer(AsyncWebsocketConsumer):
    """One socket at one session. No transaction, connection or answer depends on it."""

    session_id: uuid.UUID
    user_id: str
    reader: Reader
    attached = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._bucket = door.Bucket()
        self._ended = False
        self._awaited: set[str] = set()
        self._held: deque[Frame] = deque()
        self._releasing = asyncio.Lock()
        self._give_up: asyncio.Task[None] | None = None

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Channels would visit the database thread for each message; services bring their own connection."""
        kind = message["type"].replace(".", "_")
        handler = getattr(self, kind, None)
        if handler is None:
            raise ValueError(f"no handler for {kind}")
        await handler(message)

    # ---- coming and going

    async def connect(self) -> None:
        await self.accept()
        query = parse_qs(self.scope.get("query_string", b"").decode("latin-1"))
        self.reader = Reader.of(query.get("lang", [""])[0], query.get("tz", [""])[0])
        try:
            self.session_id = uuid.UUID(self.scope["url_route"]["kwargs"]["session_id"])
        except ValueError:
            await self._end(CloseCode.BAD_REQUEST, "this is not a session's address")
            return
        actor = await self._admitted()
        if actor is None:
            return
        self.user_id = actor.id
        self.attached = True
        await self.channel_layer.group_add(relay.session_group(self.session_id), self.channel_name)
        await self.channel_layer.group_add(user_group(actor.id), self.channel_name)
        await relay.attend(self.session_id, self.channel_name)
        # Who was signed out between the look-up and the joining of the group has missed the message about it.
        await self._admitted()

    async def _admitted(self) -> Actor | None:
        """The person at this socket, looked up afresh; None when the socket was closed with the reason why not."""
        try:
            return await door.actor_of(self.scope, self.session_id)
        except door.SignedOut as exc:
            await self._end(exc.code, exc.reason)
        except NotFound:
            await self._end(CloseCode.NOT_FOUND, "no such session")
        except DomainError as exc:
            await self._end(exc.close_code, exc.message)
        except DbError:
            await self._end(CloseCode.UNAVAILABLE, "the database does not answer")
        return None

    async def disconnect(self, code: int) -> None:
        self._ended = True
        if self._give_up is not None:
            self._give_up.cancel()
        user = self.scope["user"]
        if user.is_authenticated:
            await self.channel_layer.group_discard(user_group(user.pk), self.channel_name)
        if not self.attached:
            return
        self.attached = False
        await relay.leave(self.session_id, self.channel_name)
        await self.channel_layer.group_discard(relay.session_group(self.session_id), self.channel_name)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        await self.disconnect(message["code"])
        raise StopConsumer()

    async def _end(self, code: int, reason: str) -> None:
        """Close the socket, once: what arrives meanwhile ("account closed") may give another reason for the same end."""
        if self._ended:
            return
        self._ended = True
        await self.close(code=code, reason=reason)

    # ---- frames from the browser

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.attached:
            return
        if not self._bucket.take():
            await self._end(CloseCode.TOO_MANY, "too many frames")
            return
        about: dict[str, str] = {}
        try:
            frame = parse(text_data)
            if isinstance(frame, Send):
                about["client_msg_id"] = frame.client_msg_id
            elif isinstance(frame, Stop | Retry):
                about["turn_id"] = str(frame.turn_id)
            await self._act(frame)
        except (FrameError, DomainError) as exc:
            await self._send(error_frame(exc.code, exc.message, exc.hint, **about))
        except door.SignedOut as exc:
            await self._end(exc.code, exc.reason)
        except DbError as exc:
            log.warning(
                "chat_database_error",
                session_id=str(self.session_id),
                error=type(exc).__name__,
            )
            hint = (
                "It is sent again by itself in a moment."
                if "client_msg_id" in about
                else "Try again in a moment."
            )
            await self._send(error_frame("unavailable", "the database does not answer", hint, **about))
        except Exception:
            log.exception("chat_frame_failed", session_id=str(self.session_id))
            await self._send(error_frame("internal", "something broke on our side", "Try again.", **about))

    async def _act(self, frame: ClientFrame) -> None:
        actor = await door.actor_of(self.scope, self.session_id)
        match frame:
            case Ping():
                await relay.attend(self.session_id, self.channel_name)
                await self._send(pong_frame(await relay.newest_number(self.session_id)))
            case Resume():
                await self._resume(actor, frame)
            case Send():
                await door.check_rate(actor)
                before = await run_in_services(get_session, actor=actor, session_id=self.session_id)
                posted = await run_in_services(
                    post_message,
                    actor=actor,
                    session_id=self.session_id,
                    content=frame.content,
                    client_msg_id=frame.client_msg_id,
                )
                await self._posted(actor, posted, new_message=True)
                await self._tell_session(actor, before.title)
            case Retry():
                await door.check_rate(actor)
                await door.check_turn(actor, self.session_id, frame.turn_id)
                await self._posted(
                    actor,
                    await run_in_services(retry_answer, actor=actor, turn_id=frame.turn_id),
                )
            case Stop():
                await self._stop(actor, frame.turn_id)

    async def _resume(self, actor: Actor, frame: Resume) -> None:
        # The number is read first: what is published while the turns are read comes with a higher one.
        n = await relay.newest_number(self.session_id)
        read = partial(
            state_of,
            actor=actor,
            session_id=self.session_id,
            resume=frame,
            reader=self.reader,
            n=n,
        )
        state, elsewhere = await run_in_services(read)
        await self._send(state)
        # The state has the stored text, which is up to a second old; what is published next follows on the newest one.
        # Whatever has been published since the number was read waits behind this handler, so nothing slips past.
        self._hold_for({str(turn_id) for turn_id, _ in elsewhere})
        for turn_id, offset in elsewhere:
            message = {"type": "answer.catch_up", "offset": offset, "reply": self.channel_name}
            await relay.tell_answer(turn_id, message)

    async def _posted(self, actor: Actor, posted: PostedMessage, *, new_message: bool = False) -> None:
        turns = [posted.user_turn, posted.answer_turn] if new_message else [posted.answer_turn]
        data = await run_in_services(turn_data, actor=actor, turns=turns)
        if not posted.created:
            # Sent before, perhaps through a socket that died before it heard so: only this one needs to be told.
            for turn in data:
                await self._send(await self._dressed(turn_frame(turn)))
            return
        for turn in data:
            await relay.publish(self.session_id, turn_frame(turn))
        if posted.to_generate:
            live.start(posted, actor)

    async def _tell_session(self, actor: Actor, old_title: str) -> None:
        session = await run_in_services(get_session, actor=actor, session_id=self.session_id)
        if session.title != old_title:
            await relay.publish(self.session_id, session_frame(session_data(session)))

    async def _stop(self, actor: Actor, turn_id: uuid.UUID) -> None:
        await door.check_turn(actor, self.session_id, turn_id)
        if await live.stop(turn_id):
            return
        turn = await run_in_services(stop_answer, actor=actor, turn_id=turn_id)
        data = await run_in_services(turn_data, actor=actor, turns=[turn])
        await relay.publish(self.session_id, done_frame(data[0]))

    # ---- frames to the browser

    async def chat_frame(self, message: dict[str, Any]) -> None:
        """A numbered frame of the session."""
        frame = await self._dressed(message["frame"])
        if not self._awaited:
            await self._send(frame)
            return
        self._held.append(frame)
        if frame["type"] == "done" and frame["turn"]["id"] in self._awaited:
            await self._arrived(frame["turn"]["id"])  # It holds the whole answer.

    async def chat_aside(self, message: dict[str, Any]) -> None:
        """A frame without a number: a catch-up, or a memory that changed."""
        frame = message["frame"]
        await self._send(frame)
        if frame["type"] == "delta":
            await self._arrived(frame["turn_id"])

    def _hold_for(self, turn_ids: set[str]) -> None:
        """Hold numbered frames back, in their order, until the newest words of these answers are here."""
        self._awaited |= turn_ids
        if turn_ids:
            if self._give_up is not None:
                self._give_up.cancel()
            self._give_up = asyncio.create_task(self._stop_holding())

    async def _arrived(self, turn_id: str) -> None:
        if turn_id in self._awaited and self._awaited == {turn_id}:
            if self._give_up is not None:
                self._give_up.cancel()
            await self._release()
        self._awaited.discard(turn_id)

    async def _stop_holding(self) -> None:
        """The process that writes does not answer; a page that then finds a gap asks anew."""
        await asyncio.sleep(CATCH_UP_SECONDS)
        self._give_up = None
        await self._release()

    async def _release(self) -> None:
        """Send what was held, and go on without holding: frames that come meanwhile queue up behind it."""
        async with self._releasing:
            while self._held:
                await self._send(self._held[0])
                self._held.popleft()  # Only now: sending may be cancelled, and twice is harmless.
            self._awaited.clear()

    async def account_closed(self, message: dict[str, Any]) -> None:
        """Signed out, deactivated, or given another role: accounts.sockets says so."""
        if self.attached:
            await self._end(CloseCode.SIGNED_OUT, message["reason"])

    async def _dressed(self, frame: Frame) -> Frame:
        """Add the turn's HTML in this reader's language; rendering stays off the event loop."""
        return await run_in_services(with_html, frame, self.reader) if "turn" in frame else frame

    async def _send(self, frame: Frame) -> None:
        if self._ended:
            return
        if frame["type"] == "error":
            frame = translated(frame, self.reader)
        try:
            await asyncio.wait_for(self.send(text_data=json.dumps(frame, ensure_ascii=False)), SLOW_SECONDS)
        except TimeoutError:
            await self._end(CloseCode.TOO_SLOW, "too slow to read")
