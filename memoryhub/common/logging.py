"""Structured logs on standard error: events and ids, never content."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

# At INFO they tell of each request, socket or task.
_NOISY = (
    "asyncio",
    "celery.app.trace",
    "celery.utils.functional",
    "celery.worker.strategy",
    "httpcore",
    "httpcore2",
    "httpx",
    "httpx2",
    "openai",
    "uvicorn.error",
)


def _is_no_health_check(record: logging.LogRecord) -> bool:
    """Whoever asks for /health reads the answer; asked each second, it would fill the log."""
    return getattr(getattr(record, "request", None), "path", "") != "/health"


def configure(config: Mapping[str, Any]) -> None:
    """Django's LOGGING_CONFIG hook; `config` is {"level": name, "json": bool}."""
    as_json = bool(config.get("json"))
    # A person reads the second form in a terminal, beside the program's name.
    stamper = structlog.processors.TimeStamper(fmt="iso" if as_json else "%H:%M:%S", utc=as_json)
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        stamper,
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0, pad_level=False)
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _without_locals,
                *([] if as_json else [_readable]),
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(config.get("level", "INFO"))
    for noisy in _NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)
    logging.getLogger("django.request").addFilter(_is_no_health_check)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _without_locals(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Tracebacks keep file, line and exception class; a message or a local variable could hold what a person said."""
    exc_info = event.pop("exc_info", None)
    if exc_info is True:
        exc_info = sys.exc_info()
    if exc_info and exc_info[0] is not None:
        frames = []
        tb = exc_info[2]
        while tb is not None:
            frames.append(f"{tb.tb_frame.f_code.co_filename}:{tb.tb_lineno} {tb.tb_frame.f_code.co_name}")
            tb = tb.tb_next
        event["exception"] = {"type": exc_info[0].__name__, "frames": frames[-12:]}
    return event


def _readable(_logger: Any, _name: str, event: Any) -> Any:
    """The console prints an exception as text."""
    if isinstance(event.get("exception"), dict):
        event["exception"] = "\n".join([event["exception"]["type"], *event["exception"]["frames"]])
    return event
