"""`manage.py up`: see memoryhub/embedded/cli.py, which manage.py calls before Django loads."""

from memoryhub.management.early import EarlyCommand


class Command(EarlyCommand):
    name = "up"
