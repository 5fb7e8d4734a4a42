"""The egress guard: what may be reached, and that nothing else can be, whatever names and redirects say."""

from __future__ import annotations

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator
from ipaddress import ip_address
from typing import Any

import httpx
import pytest

from sanya.kernel.faults import UpstreamFailed
from sanya.sources.egress import BadDestination, Destination, EgressClient, EgressLimits, is_public
from tests.sources.pages import Page, Pages, local_pages

WAIT_S = 20.0


@pytest.fixture
async def pages() -> AsyncIterator[Pages]:
    async with local_pages() as served:
        yield served


def to(pages: Pages, limits: EgressLimits | None = None, *, private: bool = True) -> EgressClient:
    return EgressClient("test", [Destination("http", "127.0.0.1", pages.port, private)], limits)


async def test_a_page_of_an_allowed_destination_is_read(pages: Pages) -> None:
    pages.pages["/a"] = Page(b"hello")
    async with to(pages) as outside:
        assert await outside.get(f"{pages.url}/a") == b"hello"
    assert pages.asked[0].headers["host"] == f"127.0.0.1:{pages.port}"


async def test_a_private_address_is_refused_unless_the_owner_wrote_it(pages: Pages) -> None:
    pages.pages["/a"] = Page(b"secret")
    async with to(pages, private=False) as outside:
        with pytest.raises(UpstreamFailed, match="not a public one"):
            await outside.get(f"{pages.url}/a")
    assert pages.asked == []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
async def test_another_host_port_or_scheme_is_refused(pages: Pages, host: str) -> None:
    urls = [
        f"http://{host}:{pages.port + 1}/",
        f"https://{host}:{pages.port}/",
        "http://example.com/",
        "ftp://x/",
        "file:///x",
    ]
    async with to(pages) as outside:
        for url in urls:
            with pytest.raises(UpstreamFailed):
                await outside.get(url)
    assert pages.asked == []


async def test_a_redirect_is_followed_only_to_allowed_destinations(pages: Pages) -> None:
    pages.pages["/a"] = Page(status=302, headers={"location": "/b"})
    pages.pages["/b"] = Page(b"moved")
    pages.pages["/out"] = Page(status=302, headers={"location": "http://169.254.169.254/latest/meta-data/"})
    pages.pages["/loop"] = Page(status=302, headers={"location": "/loop"})
    async with to(pages) as outside:
        assert await outside.get(f"{pages.url}/a") == b"moved"
        with pytest.raises(UpstreamFailed, match=r"169\.254\.169\.254.* not allowed"):
            await outside.get(f"{pages.url}/out")
        with pytest.raises(UpstreamFailed, match="redirected more than"):
            await outside.get(f"{pages.url}/loop")


async def test_a_redirect_to_an_allowed_name_with_a_private_address_is_refused(pages: Pages) -> None:
    pages.pages["/a"] = Page(status=302, headers={"location": f"http://localhost:{pages.port}/b"})
    async with to(pages) as outside:
        outside.allow(Destination("http", "localhost", pages.port, private=False))
        with pytest.raises(UpstreamFailed, match="not a public one"):
            await outside.get(f"{pages.url}/a")


async def test_the_connection_goes_to_the_address_that_was_checked(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that changes its address between two questions is asked about once only."""
    answers = iter([[_info("127.0.0.1", pages.port)], [_info("192.0.2.1", pages.port)]])
    questions: list[str] = []

    async def resolve(_: Any, host: str, port: int, **more: Any) -> list[Any]:
        questions.append(host)
        return next(answers)

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolve)
    pages.pages["/a"] = Page(b"hello")
    async with EgressClient("test", [Destination("http", "rebind.example", pages.port, private=True)]) as outside:
        assert await outside.get(f"http://rebind.example:{pages.port}/a") == b"hello"
    assert questions == ["rebind.example"]
    assert pages.asked[0].headers["host"] == f"rebind.example:{pages.port}"


async def test_one_bad_address_among_good_ones_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(*_: Any, **__: Any) -> list[Any]:
        return [_info("93.184.216.34", 443), _info("10.0.0.1", 443)]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolve)
    async with EgressClient("test", [Destination.from_url("https://mixed.example/")]) as outside:
        with pytest.raises(UpstreamFailed, match=r"10\.0\.0\.1"):
            await outside.get("https://mixed.example/")


async def test_the_next_address_is_tried_when_one_does_not_answer(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def resolve(*_: Any, **__: Any) -> list[Any]:
        return [_info("::1", pages.port), _info("127.0.0.1", pages.port)]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolve)
    pages.pages["/a"] = Page(b"hello")
    async with EgressClient("test", [Destination("http", "two.example", pages.port, private=True)]) as outside:
        assert await outside.get(f"http://two.example:{pages.port}/a") == b"hello"


async def test_a_name_that_does_not_resolve_is_a_fault_of_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(*_: Any, **__: Any) -> list[Any]:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolve)
    async with EgressClient("test", [Destination.from_url("https://nowhere.example")]) as outside:
        with pytest.raises(UpstreamFailed, match="does not resolve") as failed:
            await outside.get("https://nowhere.example/")
    assert failed.value.source == "test"


async def test_an_answer_over_the_limit_is_not_read_to_its_end(pages: Pages) -> None:
    pages.pages["/big"] = Page(b"x" * 2000)
    pages.pages["/fits"] = Page(b"x" * 1000)
    pages.pages["/bomb"] = Page(gzip.compress(b"x" * 500_000), headers={"content-encoding": "gzip"})
    async with to(pages, EgressLimits(max_bytes=1000)) as outside:
        assert len(await outside.get(f"{pages.url}/fits")) == 1000
        for path in ("/big", "/bomb"):
            with pytest.raises(UpstreamFailed, match="more than 1000 bytes"):
                await outside.get(pages.url + path)


async def test_an_answer_that_never_ends_is_given_up(pages: Pages) -> None:
    pages.pages["/hang"] = Page(b"half of this", hang=True)
    async with to(pages, EgressLimits(total_s=0.2)) as outside, asyncio.timeout(WAIT_S):
        with pytest.raises(UpstreamFailed):
            await outside.get(f"{pages.url}/hang")


@pytest.mark.parametrize(("status", "said"), [(404, "answered 404"), (500, "answered 500"), (204, "answered 204")])
async def test_another_answer_than_ok_is_a_fault_of_the_source(pages: Pages, status: int, said: str) -> None:
    pages.pages["/a"] = Page(status=status)
    async with to(pages) as outside:
        with pytest.raises(UpstreamFailed, match=said):
            await outside.get(f"{pages.url}/a")


async def test_a_closed_port_is_a_fault_of_the_source() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    async with EgressClient("test", [Destination("http", "127.0.0.1", port, private=True)]) as outside:
        with pytest.raises(UpstreamFailed, match="cannot be reached"):
            await outside.get(f"http://127.0.0.1:{port}/")


async def test_proxies_of_the_environment_are_not_used(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    pages.pages["/a"] = Page(b"direct")
    async with to(pages) as outside:
        assert await outside.get(f"{pages.url}/a") == b"direct"


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("127.9.9.9", False),
        ("0.0.0.0", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("172.31.255.255", False),
        ("192.168.0.1", False),
        ("169.254.169.254", False),
        ("100.100.100.200", False),
        ("198.18.0.1", False),
        ("192.0.2.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fc00::1", False),
        ("fd00:ec2::254", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:169.254.169.254", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("64:ff9b::808:808", True),
        ("2002:7f00:1::", False),
        ("2002:a9fe:a9fe::1", False),
        ("2001:db8::1", False),
    ],
)
def test_only_public_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(ip_address(address)) is public


@pytest.mark.parametrize(
    "url", ["http://example.com", "ftp://example.com", "example.com", "", "https://", "file:///etc/passwd"]
)
def test_a_destination_must_be_an_https_address(url: str) -> None:
    with pytest.raises(BadDestination):
        Destination.from_url(url)


def test_http_is_taken_only_from_the_owner() -> None:
    assert Destination.from_url("http://127.0.0.1:9000/x", private=True) == Destination("http", "127.0.0.1", 9000, True)
    assert Destination.from_url("https://example.com/x").port == 443


def test_a_destination_covers_its_own_addresses_only() -> None:
    destination = Destination.from_url("https://example.com")
    assert destination.can_reach(httpx.URL("https://example.com:443/any?x"))
    for url in (
        "https://example.com:444/",
        "http://example.com/",
        "https://example.com.evil.com/",
        "https://evil.com/",
    ):
        assert not destination.can_reach(httpx.URL(url))


def _info(address: str, port: int) -> Any:
    return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
