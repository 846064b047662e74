"""Where messages may go: public addresses under https, checked after the name was resolved, and connected to as checked."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from memories.adapters import webhook_http
from memories.adapters.webhook_http import AddressRefusedError, Rules, checked_url, is_public, post, resolved
from tests.support.receiver import receiver

PUBLIC = Rules()
LOCAL = Rules(private=True, plain=True, seconds=5)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::1",
        "2002:a9fe:a9fe::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "2001:db8::1",
    ],
)
def test_an_address_that_is_not_public_is_refused_in_every_wrapping(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefusedError) as caught:
        checked_url(f"https://{host}/hook", PUBLIC)
    assert caught.value.code == "private_address"


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_a_public_address_is_allowed(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "https://",
        "https:///path",
        "https://user:word@example.com/",
        "https://user@example.com/",
        "https://example.com/#part",
        "https://example.com:99999/",
        "https://example.com:0/",
        "https://exa mple.com/",
        "https://example.com/\r\nX: y",
        "https://example.com\\@127.0.0.1/",
        "https://例え.example/",
        "https://[::1/",
        "example.com/hook",
        "",
    ],
)
def test_what_is_no_plain_https_address_is_refused(url: str) -> None:
    with pytest.raises(AddressRefusedError):
        checked_url(url, PUBLIC)


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1"])
def test_another_spelling_of_this_machine_is_refused_when_it_is_resolved(host: str) -> None:
    with pytest.raises(AddressRefusedError):
        resolved(host, 443, PUBLIC)


@contextmanager
def names(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> Iterator[list[str]]:
    """The resolver says these in turn, the last one for ever; yields what was asked. Addresses are what they are."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def look(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        if host[-1].isdigit():
            return real(host, port, *args, **kwargs)
        found = answers[min(len(asked), len(answers) - 1)]
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found]

    with monkeypatch.context() as patched:
        patched.setattr(webhook_http.socket, "getaddrinfo", look)
        yield asked


def test_a_name_with_a_public_and_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with names(monkeypatch, ["93.184.216.34", "10.0.0.1"]):
        assert post("https://two.example/", b"{}", {}, PUBLIC).error == "no_public_address"


def test_whether_a_private_name_exists_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with names(monkeypatch, ["10.0.0.1"], []):
        answers = [post("https://intranet.example/", b"{}", {}, PUBLIC) for _ in range(2)]
    assert answers[0] == answers[1]


def test_where_the_first_address_cannot_be_reached_another_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver() as found, names(monkeypatch, ["127.0.0.2", "127.0.0.1"]):
        port = found.url.rsplit(":", 1)[1].split("/")[0]
        assert post(f"http://hooks.example:{port}/", b"{}", {}, LOCAL).ok


def test_a_name_that_changes_its_mind_is_connected_to_as_it_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DNS rebinding: asked once, and the connection goes to that address whatever the name stands for by then."""
    reached: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], **kwargs: Any) -> socket.socket:
        reached.append(address)
        raise ConnectionRefusedError

    with names(monkeypatch, ["93.184.216.34"], ["127.0.0.1"]) as asked:
        monkeypatch.setattr(webhook_http.socket, "create_connection", connect)
        answer = post("https://rebinding.example/", b"{}", {}, PUBLIC)
    assert answer.error == "no_connection"
    assert asked == ["rebinding.example"]
    assert reached == [("93.184.216.34", 443)]


def test_the_name_that_was_asked_for_stands_in_the_header(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver() as found, names(monkeypatch, ["127.0.0.1"]):
        port = found.url.rsplit(":", 1)[1].split("/")[0]
        assert post(f"http://hooks.example:{port}/a?b=c", b"{}", {}, LOCAL).ok
        assert found.messages[0].headers["host"] == f"hooks.example:{port}"


def test_a_private_receiver_is_reached_only_where_the_setting_allows_it() -> None:
    with receiver() as found:
        assert post(found.url, b"{}", {}, Rules(plain=True)).error == "private_address"
        assert post(found.url, b"{}", {}, Rules(private=True)).error == "not_https"
        assert found.messages == []
        assert post(found.url, b"{}", {}, LOCAL).status == 200


@contextmanager
def talker(*pieces: bytes, endless: bytes = b"") -> Iterator[str]:
    """A server that sends these bytes and then `endless` over and over, until the other side is gone; its URL."""
    listening = socket.create_server(("127.0.0.1", 0))
    gone = threading.Event()

    def talk() -> None:
        connection, _ = listening.accept()
        with connection:
            try:
                for piece in pieces:
                    connection.sendall(piece)
                while endless and not gone.wait(0.05):
                    connection.sendall(endless)
                gone.wait(20)
            except OSError:
                return

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        gone.set()
        listening.close()
        thread.join(5)


@pytest.mark.parametrize(
    ("pieces", "endless"),
    [
        ((), b""),
        ((b"HTTP/1.1 200 OK\r\n",), b"x: y\r\n"),
        ((b"HTTP/1.1 ",), b"2"),
        ((b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",), b""),
    ],
    ids=["silent", "headers without end", "a status without end", "no body"],
)
def test_a_receiver_that_never_comes_to_its_end_is_cut_off(pieces: tuple[bytes, ...], endless: bytes) -> None:
    with talker(*pieces, endless=endless) as url:
        answer = post(url, b"{}", {}, Rules(private=True, plain=True, seconds=1))
    assert not answer.ok
    assert answer.error in {"timeout", "no_connection"}


def test_of_a_long_answer_only_the_beginning_is_read() -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n"
    with talker(head, b"x" * 10_000) as url:
        assert post(url, b"{}", {}, LOCAL).status == 200


def test_a_certificate_that_nobody_vouches_for_is_refused() -> None:
    with talker(b"this is no TLS") as url:
        answer = post(url.replace("http:", "https:"), b"{}", {}, Rules(private=True, seconds=5))
    assert answer.error == "bad_certificate"
