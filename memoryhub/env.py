"""Readers of environment variables that fail loudly and say what to do."""

from __future__ import annotations

import os
from urllib.parse import parse_qs, unquote, urlsplit


class EnvError(SystemExit):
    """A setting from the environment is missing or malformed; printed as one line, exit status 1."""


def text(name: str, default: str | None = None) -> str:
    """The variable, or the default; EnvError when it has neither."""
    value = os.environ.get(name, default)
    if value is None:
        raise EnvError(
            f"{name} is not set. Run `make up` (it sets everything up), or set {name} in the environment."
        )
    return value


def boolean(name: str, default: bool) -> bool:
    """1/true/yes/on or 0/false/no/off, in any case."""
    raw = os.environ.get(name)
    if raw is None or raw == "":
        return default
    if raw.lower() in {"1", "true", "yes", "on"}:
        return True
    if raw.lower() in {"0", "false", "no", "off"}:
        return False
    raise EnvError(f"{name} must be one of 1, 0, true, false, yes, no, on, off.")


def integer(name: str, default: int, low: int = 0, high: int = 10**9) -> int:
    """A whole number within [low, high]."""
    raw = os.environ.get(name, "")
    try:
        value = int(raw) if raw else default
    except ValueError:
        raise EnvError(f"{name} must be a whole number.") from None
    if not low <= value <= high:
        raise EnvError(f"{name} must lie between {low} and {high}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list without blanks."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def database(name: str, default: str | None = None) -> dict[str, object]:
    """A postgresql:// URL as Django's settings; `?host=/dir` names a unix socket's folder."""
    url = urlsplit(text(name, default))
    if url.scheme not in {"postgresql", "postgres"} or not url.path.strip("/"):
        raise EnvError(f"{name} must look like postgresql://user:password@host:port/database.")
    query = parse_qs(url.query)
    host = query.pop("host", [url.hostname or ""])[0]
    port = query.pop("port", [str(url.port or "")])[0]
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": host,
        "PORT": port,
        "OPTIONS": {key: values[-1] for key, values in query.items()},
    }
