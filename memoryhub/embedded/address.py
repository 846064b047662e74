"""The address that people open: a bound socket, its URL, and the host names it answers to."""

from __future__ import annotations

import errno
import http.client
import ipaddress
import json
import socket
from dataclasses import dataclass

from memoryhub.embedded.errors import StartError


@dataclass(frozen=True)
class Address:
    """Where the web process listens."""

    host: str
    port: int
    listening: socket.socket

    @property
    def url(self) -> str:
        """What to open in a browser on this machine."""
        host = self._reachable()
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def allowed_hosts(self) -> list[str]:
        """Host names to accept: the loopback ones, the one asked for, and for a wildcard address the machine's own."""
        names = ["localhost", "127.0.0.1", "[::1]"]
        if not self._is_wildcard():
            return list(dict.fromkeys([*names, f"[{self.host}]" if ":" in self.host else self.host]))
        own = socket.gethostname()
        names += [own, f"{own}.local"]
        try:
            found = {str(entry[4][0]) for entry in socket.getaddrinfo(own, None)}
        except OSError:
            found = set()
        # The address of the interface that leads out; connecting a datagram socket sends nothing.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))
                found.add(probe.getsockname()[0])
            except OSError:
                pass
        names += sorted(f"[{one}]" if ":" in one else one for one in found if "%" not in one)
        return list(dict.fromkeys(names))

    def _is_wildcard(self) -> bool:
        try:
            return ipaddress.ip_address(self.host).is_unspecified
        except ValueError:
            return False

    def _reachable(self) -> str:
        if not self._is_wildcard():
            return self.host
        return "::1" if ":" in self.host else "127.0.0.1"

    def health(self, host_header: str, seconds: float = 3.0) -> tuple[int, dict[str, object]]:
        """Status and body of /health; status 0 when nobody answers in time."""
        connection = http.client.HTTPConnection(self._reachable(), self.port, timeout=seconds)
        try:
            # Behind TLS the application would send a plain request elsewhere.
            connection.request("GET", "/health", headers={"Host": host_header, "X-Forwarded-Proto": "https"})
            response = connection.getresponse()
            body = json.loads(response.read() or b"{}")
            return response.status, body if isinstance(body, dict) else {}
        except (OSError, ValueError, http.client.HTTPException):
            return 0, {}
        finally:
            connection.close()


def listen(host: str, port: int) -> Address:
    """Bind the address at once, before anything slow; StartError says what to do when that fails."""
    if not 1 <= port <= 65535:
        raise StartError(f"PORT={port} is no port: choose one between 1 and 65535.")
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(512)
    except socket.gaierror:
        raise StartError(
            f"HOST={host} is no address of this machine: use 127.0.0.1, or 0.0.0.0 for all."
        ) from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise StartError(
                f"Port {port} is taken by another program: choose another, `make up PORT={port + 1}`."
            ) from None
        if error.errno == errno.EACCES:
            raise StartError(
                f"Port {port} needs special rights: choose one above 1023, `make up PORT=8000`."
            ) from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise StartError(
                f"HOST={host} is no address of this machine: use 127.0.0.1, or 0.0.0.0 for all."
            ) from None
        raise StartError(f"Cannot listen on {host}:{port}: {error.strerror}.") from None
    listening.setblocking(False)
    return Address(host, port, listening)
