"""MemoryHub: layered memory for assistants, for many tenants."""

from memoryhub.celery import app as celery_app

__all__ = ["celery_app"]
