"""Middleware of every request: domain errors become answers, rate limits become headers, static files fit ASGI."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

from memoryhub.common.errors import DomainError
from memoryhub.common.problems import answer, of_domain_error


class EdgeMiddleware:
    """Maps a DomainError of a plain view once, and writes RateLimit-* headers that the API's throttle noted."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        limit: tuple[int, int, int] | None = getattr(request, "rate_limit", None)
        if limit is not None:
            response["RateLimit-Limit"], response["RateLimit-Remaining"], response["RateLimit-Reset"] = map(
                str, limit
            )
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, DomainError):
            return answer(request, of_domain_error(exception))
        return None


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise answers with a synchronous file iterator, which ASGI reads whole anyway: read it here, without a warning."""

    def add_files(self, root: str | Path, prefix: str | None = None) -> None:
        """STATIC_ROOT exists only where collectstatic ran; the finders know all files anyway."""
        if Path(root).is_dir():
            super().add_files(root, prefix)

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["content-type"]
        for name, value in found.headers:
            response[name] = value
        return response
