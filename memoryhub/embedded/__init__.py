"""The bundled PostgreSQL and Valkey, and `manage.py up`, which runs everything under one supervisor.

Nothing here imports Django: these parts start before it can, and only the processes they start load it.
"""
