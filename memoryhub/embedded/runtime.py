"""Reads what a running `manage.py up` left for other commands."""

from __future__ import annotations

from pathlib import Path


def load_runtime_env(home: Path) -> dict[str, str]:
    """The variables in `home`/runtime.env; empty when nothing runs."""
    path = home / "runtime.env"
    if not path.is_file():
        return {}
    pairs = (line.split("=", 1) for line in path.read_text().splitlines() if "=" in line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, value in pairs}
