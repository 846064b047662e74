"""The quick start of the MCP door is run as it is written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

from tests.sessions_app.mcp.conftest import World
from tests.support.site import ROOT

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_blocks_do_what_the_page_says(world: World) -> None:
    blocks = dict(_BLOCK.findall((ROOT / "docs/api/mcp.md").read_text(encoding="utf-8")))
    assert json.loads(blocks["json"])["mcpServers"]
    environment = {
        **os.environ,
        "MEMORYHUB_URL": world.site.url,
        "MEMORYHUB_KEY": world.key(world.acme),
        "PYTHONUTF8": "1",
    }

    def run(*command: str) -> str:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    answer = json.loads(run("bash", "-c", blocks["bash"]))["result"]
    assert answer["structuredContent"]["results"][0]["code"] == "stored"
    told = run(sys.executable, "-c", blocks["python"])
    assert "'delete_all_memories'" in told
    assert "jasmine tea" in told
    assert told.rstrip().endswith("forgotten")
