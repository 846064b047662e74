"""The Celery application: tasks are thin, take ids, and ring the bell for work that stands in Postgres."""

from __future__ import annotations

import os

from celery import Celery

from memoryhub.common.heartbeat import install

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")

app = Celery("memoryhub")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
install(app)
