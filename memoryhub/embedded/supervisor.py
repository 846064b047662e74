"""Runs programs side by side: restarts those that end, shows their logs, and ends them all in order.

Our own, small, because no library fits (docs/adr/0002): honcho stops everything when one program ends, supervisord and
circus neither gate a start on readiness nor end their children when they are killed themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from memoryhub.embedded.console import Console
from memoryhub.embedded.errors import StartError
from memoryhub.embedded.processes import Reaper, Steps

T = TypeVar("T")

BACK_OFF = (0.2, 1.0, 2.0, 5.0, 10.0, 30.0)
SETTLED_SECONDS = 30.0  # Having run that long, a program starts over at the first back-off.
EARLY_ENDS = 3  # Before everything is ready, a program may end that often.


class Stopped(Exception):
    """Somebody asked to stop while something was awaited."""


@dataclass(frozen=True)
class Program:
    """A program to keep running. `steps` end it: (signal name, seconds to wait) until it is gone."""

    name: str
    command: list[str]
    options: Mapping[str, Any]
    steps: Steps
    group: bool = True  # Whether its process group is its own alone; a server's own children may have theirs.
    before_start: Callable[[], None] | None = None
    hide: tuple[str, ...] = ()  # Lines with one of these texts tell a person nothing.


@dataclass
class _Child:
    program: Program
    process: asyncio.subprocess.Process | None = None
    keeper: asyncio.Task[None] | None = None
    ends: int = 0
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=40))


class Supervisor:
    """Lives in one event loop; `stopping` is set by `request_stop` (a signal, or a program that cannot run)."""

    def __init__(self, console: Console, reaper: Reaper) -> None:
        self._console = console
        self._reaper = reaper
        self._children: dict[str, _Child] = {}
        self._hurry = asyncio.Event()
        self.stopping = asyncio.Event()
        self.ready = False
        self.failure: StartError | None = None

    def request_stop(self) -> None:
        """Stop in good order; asked a second time, in a hurry."""
        (self._hurry if self.stopping.is_set() else self.stopping).set()

    def start(self, program: Program) -> None:
        """Start a program and keep it running until `stop_all`."""
        child = self._children[program.name] = _Child(program)
        child.keeper = asyncio.create_task(self._keep(child))

    def check(self) -> None:
        """Look after the reaper; call it every few seconds."""
        self._reaper.check()

    def last_lines(self, name: str) -> str:
        """The end of the program's log."""
        return "\n".join(self._children[name].last_lines)

    async def run_once(self, program: Program) -> int:
        """Run a program to its end; its exit status. A stop ends it at once."""
        child = self._children[program.name] = _Child(program)
        try:
            return await self.unless_stopped(self._run(child))
        finally:
            if child.process is not None and child.process.returncode is None:
                await self._end(child)
                self._after(child)

    async def unless_stopped(self, work: Awaitable[T]) -> T:
        """The result of `work`; Stopped when a stop is asked for first, or the StartError that caused it."""
        task: asyncio.Task[T] = asyncio.create_task(_as_coroutine(work))
        stop = asyncio.create_task(self.stopping.wait())
        waiting: set[asyncio.Task[Any]] = {task, stop}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if self.stopping.is_set() and not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if self.failure is not None:
            raise self.failure
        if task.cancelled() or not task.done():
            raise Stopped
        return task.result()

    async def stop_all(self, order: list[list[str]]) -> None:
        """End the named programs, one list after another, those of a list together."""
        self.stopping.set()
        for names in order:
            await asyncio.gather(
                *(self._stop(self._children[name]) for name in names if name in self._children)
            )

    async def _keep(self, child: _Child) -> None:
        program = child.program
        while not self.stopping.is_set():
            started = time.monotonic()
            try:
                if program.before_start is not None:
                    await asyncio.to_thread(program.before_start)
                status = await self._run(child)
            except (OSError, StartError) as error:
                child.last_lines.append(str(error))
                status = 1
            if self.stopping.is_set():
                return
            child.ends = 1 if time.monotonic() - started > SETTLED_SECONDS else child.ends + 1
            if not self.ready and child.ends >= EARLY_ENDS:
                reason = next(
                    (line for line in reversed(child.last_lines) if line.strip()), "it says nothing"
                )
                self.failure = StartError(f"{program.name} does not start ({_how(status)}): {reason}")
                self.stopping.set()
                return
            pause = BACK_OFF[min(child.ends, len(BACK_OFF)) - 1]
            self._console.log(program.name, f"{_how(status)}; starting it again in {pause:g} s")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), pause)

    async def _run(self, child: _Child) -> int:
        """One life of a program. Its output comes through a pipe of ours: one that its children inherited must not keep us."""
        program = child.program
        reading, writing = os.pipe()
        try:
            child.process = process = await asyncio.create_subprocess_exec(
                *program.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                **program.options,
            )
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        self._reaper.watch(process.pid, program.steps, group=program.group)
        pump = asyncio.create_task(self._pump(child, reading))
        if self.stopping.is_set():
            await self._end(child)  # A stop that came while it was being started found nothing to end.
        status = await process.wait()
        self._after(child)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(pump, 1.0)
        return status

    def _after(self, child: _Child) -> None:
        """What an ended program forked (a worker's pool) must not outlive it."""
        if child.process is None:
            return
        if child.program.group:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, signal.SIGKILL)
        self._reaper.forget(child.process.pid)

    async def _pump(self, child: _Child, reading: int) -> None:
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reading, "rb", 0)
        )
        rest = b""
        try:
            while block := await reader.read(65536):
                *lines, rest = (rest + block).split(b"\n")
                if len(rest) > 65536:
                    lines, rest = [*lines, rest], b""
                for line in lines:
                    self._show(child, line)
        finally:
            if rest:
                self._show(child, rest)
            transport.close()

    def _show(self, child: _Child, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip()
        if text and not any(noise in text for noise in child.program.hide):
            child.last_lines.append(text)
            self._console.log(child.program.name, text)

    async def _stop(self, child: _Child) -> None:
        await self._end(child)
        if child.keeper is not None:
            with contextlib.suppress(TimeoutError, asyncio.CancelledError):
                await asyncio.wait_for(child.keeper, 10.0)

    async def _end(self, child: _Child) -> None:
        """Send each signal in turn, waiting its seconds, or hardly any in a hurry."""
        process = child.process
        for name, seconds in child.program.steps:
            if process is None or process.returncode is not None:
                return
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(getattr(signal, f"SIG{name}"))
            gone = asyncio.create_task(process.wait())
            hurry = asyncio.create_task(self._hurry.wait())
            await asyncio.wait({gone, hurry}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if self._hurry.is_set() and not gone.done():
                await asyncio.wait({gone}, timeout=min(seconds, 1.0))
            hurry.cancel()
            gone.cancel()


async def _as_coroutine(work: Awaitable[T]) -> T:
    return await work


def _how(status: int) -> str:
    if status < 0:
        try:
            return f"ended by {signal.Signals(-status).name}"
        except ValueError:
            return f"ended by signal {-status}"
    return f"ended with status {status}"
