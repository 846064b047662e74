#!/usr/bin/env python
"""Runs MemoryHub's management commands."""

import os
import sys


def main() -> None:
    # These start, stop or inspect what Django's settings need, so they run before settings load.
    if len(sys.argv) > 1 and sys.argv[1] in ("up", "down", "reset", "credentials", "doctor"):
        from memoryhub.embedded import cli

        sys.exit(cli.run(sys.argv[1], sys.argv[2:]))
    if len(sys.argv) > 1 and sys.argv[1] in ("evaluate", "bench") and "DATABASE_URL" not in os.environ:
        # They measure in services of their own, so they need none to run, and leave alone what does.
        from memoryhub.embedded.ephemeral import start_for_measurement

        start_for_measurement(keep=sys.argv[1] == "bench" and "--keep" in sys.argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
