"""The web process: uvicorn on a socket that the supervisor bound, so that a restart refuses no connection."""

from __future__ import annotations

import argparse
import socket
import sys

import uvicorn


def main() -> None:
    """Serve until told to stop; exit status 3 when the application refuses to start."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fd", type=int, required=True, help="file descriptor of the listening socket")
    listening = socket.socket(fileno=parser.parse_args().fd)
    config = uvicorn.Config(
        "memoryhub.asgi:application",
        lifespan="on",
        log_config=None,  # Django's logging, as in worker and beat.
        access_log=False,  # A path can hold what a person searched for.
        proxy_headers=False,  # Settings say how many proxies to believe.
        server_header=False,
        timeout_graceful_shutdown=5,
        ws_max_size=1_048_576,
    )
    server = uvicorn.Server(config)
    server.run(sockets=[listening])
    if not server.started:
        sys.exit(3)


if __name__ == "__main__":
    main()
