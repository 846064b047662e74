"""A serving process leaves alone what it loaded at its start, and still finds cycles."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

from memoryhub.common.garbage import YOUNG, settle_garbage


def test_what_was_loaded_is_frozen_and_later_cycles_are_found() -> None:
    class Node:
        me: object

    before = gc.get_threshold()
    try:
        settle_garbage()
        assert gc.get_freeze_count() > 1_000
        node = Node()
        node.me = node
        seen = weakref.ref(node)
        del node
        kept = [[] for _ in range(2 * YOUNG)]
        assert seen() is None, "the young were not looked through"
        del kept
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def test_the_web_process_settles_when_it_starts() -> None:
    """Asked in a process of its own: this one has its own thresholds."""
    code = (
        "import asyncio, gc\n"
        "from memoryhub import asgi\n"
        "asgi.assert_safe_to_serve = lambda: None\n"
        "asyncio.run(asgi._start())\n"
        f"assert gc.get_threshold()[0] == {YOUNG} and gc.get_freeze_count() > 1000\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
