"""Celery tasks of the sessions app: thin, periodic, taking ids only."""
