"""What a request says to MemoryHub itself, in headers: whose memory, which conversation, how much, and which model endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from accounts.actor import Actor
from accounts.permissions import Capability
from memoryhub.common.errors import Invalid, PermissionDenied

OFF, READ, FULL = "off", "read", "full"
MODES = (OFF, READ, FULL)
MAX_NAME = 200
_EXTENDED = "utf-8''"
"""RFC 8187: what follows is percent-encoded UTF-8, for clients whose headers take ASCII only."""


@dataclass(frozen=True, slots=True)
class Options:
    """`subject` None and `mode` "" where the request does not say; `session` is an id or the caller's own name."""

    mode: str = ""
    subject: str | None = None
    session: str = ""
    shows_memories: bool = False
    authorization: str = ""
    base_url: str = ""

    def mode_for(self, actor: Actor) -> str:
        """What was asked for, or all that the key may do; PermissionDenied where it may not do it."""
        may = actor.capabilities
        reads = bool(may & {Capability.OWN_MEMORY_READ, Capability.MEMORY_READ})
        writes = Capability.CHAT in may and bool(may & {Capability.OWN_MEMORY_WRITE, Capability.MEMORY_WRITE})
        mode = self.mode or (FULL if reads and writes else READ)
        if mode == OFF or (reads and (writes or mode == READ)):
            return mode
        scopes = "read and write" if mode == FULL else "read"
        raise PermissionDenied(
            f"memory in the mode {mode} needs a key with the scope {scopes}",
            hint="Use such a key, or send X-MemoryHub-Memory-Mode: off.",
        )


def read_options(headers: Mapping[str, str]) -> Options:
    """From the headers X-MemoryHub-...; Invalid for a value that means nothing."""
    mode = headers.get("X-MemoryHub-Memory-Mode", "").strip().lower()
    if mode and mode not in MODES:
        raise _invalid("X-MemoryHub-Memory-Mode", "off, read or full")
    include = {word.strip().lower() for word in headers.get("X-MemoryHub-Include", "").split(",")} - {""}
    if include - {"memories"}:
        raise _invalid("X-MemoryHub-Include", "memories, or nothing")
    session = _text(headers.get("X-MemoryHub-Session", ""))
    if len(session) > MAX_NAME or "\x00" in session:
        raise _invalid("X-MemoryHub-Session", f"a session's id, or a name of up to {MAX_NAME} characters")
    authorization = headers.get("X-MemoryHub-Upstream-Authorization", "").strip()
    if authorization and not (authorization.isascii() and authorization.isprintable()):
        raise _invalid("X-MemoryHub-Upstream-Authorization", "Bearer and the key of your model endpoint")
    if authorization and " " not in authorization:
        authorization = f"Bearer {authorization}"
    subject = headers.get("X-MemoryHub-Subject")
    return Options(
        mode=mode,
        subject=None if subject is None else _text(subject),
        session=session,
        shows_memories="memories" in include,
        authorization=authorization,
        base_url=headers.get("X-MemoryHub-Upstream", "").strip(),
    )


def _text(value: str) -> str:
    """A header's text, which travels as bytes that Django reads as Latin-1: UTF-8, or RFC 8187's writing of it."""
    if value[: len(_EXTENDED)].lower() == _EXTENDED:
        data = unquote_to_bytes(value[len(_EXTENDED) :])
    else:
        try:
            data = value.encode("latin-1")
        except UnicodeEncodeError:
            return value
    try:
        return data.decode()
    except UnicodeDecodeError:
        return value


def _invalid(header: str, usable: str) -> Invalid:
    return Invalid(f"the header {header} is not usable", fields={header: usable})
