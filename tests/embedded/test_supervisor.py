"""The supervisor restarts, gives up only before everything is ready, and leaves no process behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memoryhub.embedded.console import Console
from memoryhub.embedded.errors import StartError
from memoryhub.embedded.processes import Reaper, identity, is_running
from memoryhub.embedded.supervisor import Program, Stopped, Supervisor

STEPS = (("TERM", 5.0), ("KILL", 2.0))

# Writes its own and a child's process id, then sleeps; the child ignores SIGTERM.
_FAMILY = """
import os, signal, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import signal,time; signal.signal(15, signal.SIG_IGN); time.sleep(300)"])
open(sys.argv[1], "a").write(f"{os.getpid()} {child.pid}\\n")
time.sleep(300)
"""


def _program(name: str, code: str, *arguments: str) -> Program:
    options = {"start_new_session": True, "env": dict(os.environ)}
    return Program(name, [sys.executable, "-u", "-c", code, *arguments], options, STEPS)


async def _until(condition: Callable[[], object], seconds: float = 15.0) -> object:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        await asyncio.sleep(0.02)
    raise AssertionError("it did not happen in time")


def _lives(notes: Path) -> list[list[int]]:
    return (
        [[int(pid) for pid in line.split()] for line in notes.read_text().splitlines()]
        if notes.exists()
        else []
    )


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "lives"


async def test_a_killed_program_starts_again_and_its_children_do_not_outlive_it(
    reaper: Reaper, notes: Path
) -> None:
    supervisor = Supervisor(Console(), reaper)
    supervisor.ready = True
    supervisor.start(_program("web", _FAMILY, str(notes)))
    parent, child = (await _until(lambda: _lives(notes)))[0]
    os.kill(parent, signal.SIGKILL)
    second = (await _until(lambda: _lives(notes)[1:]))[0]
    await _until(lambda: not is_running(child))
    await supervisor.stop_all([["web"]])
    await _until(lambda: not any(is_running(pid) for pid in second))


async def test_a_program_that_cannot_start_stops_everything_with_its_last_line(reaper: Reaper) -> None:
    supervisor = Supervisor(Console(), reaper)
    supervisor.start(_program("web", "print('the key is missing'); raise SystemExit(3)"))
    with pytest.raises(StartError, match=r"web does not start \(ended with status 3\): the key is missing"):
        await supervisor.unless_stopped(asyncio.sleep(60))


async def test_once_ready_a_failing_program_is_tried_again_for_ever(reaper: Reaper, notes: Path) -> None:
    supervisor = Supervisor(Console(), reaper)
    supervisor.ready = True
    supervisor.start(
        _program("beat", "import sys; open(sys.argv[1], 'a').write('1\\n'); sys.exit(1)", str(notes))
    )
    await _until(lambda: len(_lives(notes)) >= 3)
    assert supervisor.failure is None
    await supervisor.stop_all([["beat"]])


async def test_a_stop_interrupts_what_is_awaited_and_what_runs_once(reaper: Reaper, notes: Path) -> None:
    supervisor = Supervisor(Console(), reaper)
    running = asyncio.create_task(supervisor.run_once(_program("setup", _FAMILY, str(notes))))
    pids = (await _until(lambda: _lives(notes)))[0]
    supervisor.request_stop()
    with pytest.raises(Stopped):
        await running
    await _until(lambda: not any(is_running(pid) for pid in pids))


async def test_a_second_stop_does_not_wait_for_a_program_that_does_not_end(
    reaper: Reaper, notes: Path
) -> None:
    stubborn = "import signal,sys,time; signal.signal(15, signal.SIG_IGN); open(sys.argv[1],'a').write('1\\n'); time.sleep(300)"
    supervisor = Supervisor(Console(), reaper)
    program = _program("worker", stubborn, str(notes))
    supervisor.start(
        Program(program.name, program.command, program.options, (("TERM", 120.0), ("KILL", 2.0)))
    )
    await _until(lambda: _lives(notes))
    supervisor.request_stop()
    supervisor.request_stop()
    await asyncio.wait_for(supervisor.stop_all([["worker"]]), 20)


async def test_output_is_shown_line_by_line_with_its_program(
    reaper: Reaper, capsys: pytest.CaptureFixture[str]
) -> None:
    supervisor = Supervisor(Console(), reaper)
    program = _program("setup", "print('你好'); print('noise'); print('half', end='')")
    quiet = Program(program.name, program.command, program.options, STEPS, hide=("noise",))
    assert await supervisor.run_once(quiet) == 0
    assert capsys.readouterr().out.splitlines() == ["setup    | 你好", "setup    | half"]


def test_a_killed_reaper_is_replaced_and_knows_everything() -> None:
    reaper = Reaper()
    sleeper = os.posix_spawn(
        sys.executable, [sys.executable, "-c", "import time; time.sleep(300)"], dict(os.environ)
    )
    reaper.watch(sleeper, STEPS, group=False)
    first = reaper._process
    first.kill()
    first.wait()
    reaper.check()
    # Its end of the pipe closes as if this process had died.
    reaper._process.stdin.close()
    reaper._process.wait(20)
    assert os.waitstatus_to_exitcode(os.waitpid(sleeper, 0)[1]) == -signal.SIGTERM


def test_a_process_is_told_from_a_later_one_of_its_number() -> None:
    assert identity(os.getpid()) == identity(os.getpid()) != ""
    assert identity(os.getpid()) != identity(1)
    assert not is_running(2**22 + 1)
