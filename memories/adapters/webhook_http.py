"""Sends one message to an address that a tenant named, and to no other: checked after it was resolved, no redirects, all bounded."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass
from functools import cache
from urllib.parse import SplitResult, urlsplit

import certifi

READ_AT_MOST = 4_096
"""Bytes of an answer's body that are read, and dropped: only its status counts."""
TRIED = 3
"""Addresses of one name: where the first cannot be reached, another may."""
_resolving = ThreadPoolExecutor(8, thread_name_prefix="webhook-dns")


class AddressRefusedError(Exception):
    """The URL, or what its name stands for, is not to be called; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Rules:
    """Where messages may go. `private` allows addresses that are not public ones, `plain` allows http."""

    private: bool = False
    plain: bool = False
    seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, or the code of what went wrong before there was one; `retry_after` is the header as it came."""

    status: int | None
    error: str = ""
    retry_after: str = ""

    @property
    def ok(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def checked_url(url: str, rules: Rules) -> SplitResult:
    """The URL's parts; AddressRefusedError for what is never called, whatever its name stands for."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressRefusedError("bad_url") from None
    if not url.isascii() or any(char <= " " or char == "\x7f" or char == "\\" for char in url):
        raise AddressRefusedError("bad_url")
    if parts.scheme not in ({"https", "http"} if rules.plain else {"https"}):
        raise AddressRefusedError("not_https")
    if not parts.hostname or parts.username is not None or parts.password is not None or port == 0:
        raise AddressRefusedError("bad_url")
    if parts.fragment:
        raise AddressRefusedError("bad_url")
    try:
        literal = ipaddress.ip_address(parts.hostname)
    except ValueError:
        return parts
    if not (rules.private or is_public(literal)):
        raise AddressRefusedError("private_address")
    return parts


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether it is an address of the public internet, also where another one is wrapped in it (mapped, 6to4, Teredo, NAT64)."""
    if isinstance(address, ipaddress.IPv6Address):
        wrapped = address.ipv4_mapped or address.sixtofour
        if address.teredo is not None:
            return False
        if wrapped is None and (address in _NAT64 or address.packed[:12] == bytes(12)):
            wrapped = ipaddress.IPv4Address(address.packed[-4:])
        if wrapped is not None:
            return is_public(wrapped)
        if address.is_site_local or address in _LOCAL_NAT64:
            return False
    if any(address in network for network in _NEVER if network.version == address.version):
        return False
    # Some of multicast counts as global.
    return address.is_global and not address.is_multicast and not address.is_reserved


# What versions of Python disagree about, and public addresses behind which a cloud keeps its own services (Oracle's, Azure's).
_NEVER = tuple(
    ipaddress.ip_network(one) for one in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32", "2001::/23")
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")


def resolved(host: str, port: int, rules: Rules) -> list[str]:
    """The addresses of the name, the best first. AddressRefusedError when any of them is not public: a name that stands for a public and
    a private one is a trick, not a service. Whether a name that is not public exists is not told."""
    missing = "no_such_host" if rules.private else "no_public_address"
    asked = _resolving.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        found = asked.result(timeout=rules.seconds)
    except (TookTooLong, OSError, UnicodeError):
        raise AddressRefusedError(missing) from None
    addresses = list(dict.fromkeys(str(row[4][0]).partition("%")[0] for row in found))
    if not addresses:
        raise AddressRefusedError(missing)
    if not rules.private and not all(is_public(ipaddress.ip_address(one)) for one in addresses):
        raise AddressRefusedError("no_public_address")
    return addresses[:TRIED]


def post(url: str, body: bytes, headers: Mapping[str, str], rules: Rules) -> Answer:
    """What the receiver answers to the message. Never raises for what the other side does, or does not do.

    The connection is made to an address that was checked, so that a name that changes its mind in between leads nowhere; the certificate is
    checked against the name. No proxy, no redirect; after `rules.seconds` in all the connection is cut.
    """
    try:
        parts = checked_url(url, rules)
        host, port = str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)
        addresses = resolved(host, port, rules)
    except AddressRefusedError as error:
        return Answer(None, error.code)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = _Connection(
        host, port, addresses, rules.seconds, _tls() if parts.scheme == "https" else None
    )
    # Timeouts of a socket begin anew with each byte; this one does not.
    guillotine = threading.Timer(rules.seconds, connection.cut)
    guillotine.daemon = True
    guillotine.start()
    try:
        connection.request("POST", target, body=body, headers=dict(headers))
        with connection.getresponse() as answer:
            found = Answer(answer.status, retry_after=(answer.getheader("retry-after") or "")[:64])
            answer.read(READ_AT_MOST)
        # What was cut off reads like an end.
        return Answer(None, "timeout") if connection.was_cut else found
    except ssl.SSLError:
        return Answer(None, "timeout" if connection.was_cut else "bad_certificate")
    except TimeoutError:
        return Answer(None, "timeout")
    except (OSError, http.client.HTTPException, ValueError):
        return Answer(None, "timeout" if connection.was_cut else "no_connection")
    finally:
        guillotine.cancel()
        connection.close()


class _Connection(http.client.HTTPConnection):
    """To checked addresses under the name that was asked for."""

    def __init__(
        self, host: str, port: int, addresses: list[str], seconds: float, tls: ssl.SSLContext | None
    ) -> None:
        super().__init__(host, port, timeout=seconds)
        self._addresses, self._tls, self.was_cut = addresses, tls, False
        # http.client names a port in the header Host unless it is this one.
        self.default_port = 443 if tls is not None else 80

    def connect(self) -> None:
        self.sock = self._reached()
        if self.was_cut:
            raise TimeoutError
        if self._tls is not None:
            secured = self._tls.wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            # Known before the handshake, so that it can be cut, too.
            self.sock = secured
            secured.do_handshake()

    def _reached(self) -> socket.socket:
        last = self._addresses[-1]
        for address in self._addresses:
            try:
                return socket.create_connection((address, self.port), timeout=self.timeout)
            except OSError:
                if address == last or self.was_cut:
                    raise
        raise AssertionError("there is at least one address")

    def cut(self) -> None:
        """Ends whatever waits for a byte."""
        self.was_cut = True
        try:
            if self.sock is not None:
                # The plain socket's: that of TLS would first wait for a goodbye.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
        except OSError:
            return


@cache
def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
