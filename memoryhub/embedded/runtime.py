"""Reads and writes the files by which `manage.py up` tells other commands where its services are: pure stdlib."""

from __future__ import annotations

import base64
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

RUNTIME_FILE = "runtime.env"
SECRETS_FILE = "secrets.env"

# Made once for this data: losing them loses what they protect, so `make reset` alone removes them.
GENERATED = (
    "SECRET_KEY",
    "FIELD_ENCRYPTION_KEY",
    "FINGERPRINT_KEY",
    "AUDIT_KEY",
    "RECEIPT_KEY",
    "POSTGRES_SUPERUSER_PASSWORD",
    "POSTGRES_OWNER_PASSWORD",
    "POSTGRES_APP_PASSWORD",
)


def project_root() -> Path:
    """The folder of manage.py."""
    return Path(__file__).resolve().parent.parent.parent


def default_home() -> Path:
    """MEMORYHUB_HOME, or .memoryhub beside manage.py."""
    chosen = os.environ.get("MEMORYHUB_HOME")
    return Path(chosen).expanduser().absolute() if chosen else project_root() / ".memoryhub"


def load_runtime_env(home: Path) -> dict[str, str]:
    """The variables in `home`/runtime.env; empty when nothing runs."""
    return read_env(home / RUNTIME_FILE)


def read_env(path: Path) -> dict[str, str]:
    """NAME=value lines; an absent or unreadable file is empty, since it belongs to whoever runs `up`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return {}
    pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, value in pairs}


def write_env(path: Path, values: Mapping[str, str], comment: str) -> None:
    """Write NAME=value lines, for the owner's eyes only."""
    lines = [f"# {comment}", *(f"{name}={value}" for name, value in values.items())]
    write_private(path, "\n".join(lines) + "\n")


def write_private(path: Path, text: str) -> None:
    """Replace a file at once, with mode 0600: a reader sees the old text or the new, never a half."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def ensure_secrets(home: Path) -> dict[str, str]:
    """The generated secrets of this home: 32 random bytes each, made at the first start and never changed."""
    path = home / SECRETS_FILE
    known = read_env(path)
    missing = [name for name in GENERATED if not known.get(name)]
    if missing:
        known |= {name: _secret() for name in missing}
        write_env(
            path, known, "Keys of the data in this folder. Keep a copy: without them it cannot be read."
        )
    return known


def _secret() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")
