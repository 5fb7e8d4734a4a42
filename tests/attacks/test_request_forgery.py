"""Server-side request forgery: the server contacts only hosts that the owner configured."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from sanya.kernel.faults import UpstreamFailed
from sanya.sources.egress import BadDestination, Destination, EgressClient
from tests.attacks.conftest import GuardedServer
from tests.attacks.raw_http import RawConnection
from tests.sources.pages import Page, Pages, local_pages

# Addresses that a public host name may resolve to but that are not public.
PRIVATE_ADDRESSES = (
    "127.0.0.1", "127.0.0.2", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1",
    "172.31.255.255", "192.168.0.1", "192.168.255.255", "169.254.169.254", "169.254.170.2", "100.64.0.1",
    "100.100.100.200", "192.0.0.1", "192.0.0.8", "192.0.0.170", "192.0.2.1", "198.18.0.1", "198.19.255.255",
    "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::7f00:1", "::127.0.0.1", "::10.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "::ffff:0:169.254.169.254", "64:ff9b::127.0.0.1",
    "64:ff9b::169.254.169.254", "64:ff9b::10.0.0.1", "64:ff9b:1::7f00:1", "64:ff9b:1::a9fe:a9fe", "100::1",
    "2001::1", "2001:0:7f00:1::", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::1",
    "2002:a00:1::1", "2002:a9fe:a9fe::1", "2002:c0a8:1::1", "3fff::1", "5f00::1", "fc00::1", "fd00::1",
    "fd00:ec2::254", "fe80::1", "fe80::a9fe:a9fe", "fec0::1", "feff::1", "ff02::1", "ff0e::1", "4000::1", "1::1",
)  # fmt: skip
PUBLIC_ADDRESSES = ("93.184.216.34", "8.8.8.8", "2606:4700::1111", "2a00:1450:4001::1", "64:ff9b::8.8.8.8")

# Redirect targets in the response of a trusted host. `{port}` belongs to a local server that counts requests.
REDIRECTS = (
    "http://localhost:{port}/x", "http://127.0.0.2:{port}/x", "http://127.1:{port}/x", "http://127.0.1:{port}/x",
    "http://0:{port}/x", "http://0.0.0.0:{port}/x", "http://2130706433:{port}/x", "http://0x7f000001:{port}/x",
    "http://0x7f.0.0.1:{port}/x", "http://0177.0.0.1:{port}/x", "http://017700000001:{port}/x",
    "http://127.0.0.1.:{port}/x", "http://[::1]:{port}/x", "http://[::ffff:127.0.0.1]:{port}/x",
    "http://[::ffff:7f00:1]:{port}/x", "http://[0:0:0:0:0:0:0:1]:{port}/x", "http://[::127.0.0.1]:{port}/x",
    "http://[fe80::1%25lo]:{port}/x", "http://LOCALHOST:{port}/x", "http://localhost.:{port}/x",
    "http://127.0.0.1.nip.io:{port}/x", "http://localtest.me:{port}/x", "http://evil.example:{port}/x",
    "http://\u2460\u2461\u2466.0.0.1:{port}/x",
    "http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3:{port}/x",
    "http://127\u30020\u30020\u30021:{port}/x", "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/latest/", "http://0xa9fea9fe/latest/", "http://0251.0376.0251.0376/",
    "http://[::ffff:a9fe:a9fe]/", "http://[fd00:ec2::254]/", "http://metadata.google.internal/computeMetadata/v1/",
    "http://metadata/computeMetadata/v1/", "http://100.100.100.200/latest/meta-data/",
    "http://169.254.170.2/v2/credentials", "http://192.168.0.1/", "http://10.0.0.1/",
    "http://172.17.0.1:2375/containers/json", "http://kubernetes.default.svc/", "https://127.0.0.1:{port}/x",
    "https://localhost:{port}/x", "http://127.0.0.1:22/", "http://127.0.0.1:25/", "http://127.0.0.1:6379/",
    "http://127.0.0.1:5432/", "http://127.0.0.1:9200/", "http://127.0.0.1:65535/", "http://127.0.0.1/",
    "http://127.0.0.1:0/", "http://127.0.0.1:80@evil.example/", "http://evil.example@localhost:{port}/",
    "http://127.0.0.1:{port}@evil.example/", "http://127.0.0.1:{port}#@evil.example:1/../../x@169.254.169.254/",
    "http://127.0.0.1:{port}\\@169.254.169.254/", "http://169.254.169.254\\@127.0.0.1:{port}/",
    "//169.254.169.254/latest/", "//localhost:{port}/x", "\\\\169.254.169.254\\x", "///169.254.169.254/x",
    "file:///etc/passwd", "file://127.0.0.1/etc/passwd", "ftp://127.0.0.1:{port}/x", "gopher://127.0.0.1:{port}/_x",
    "dict://127.0.0.1:{port}/x", "ldap://127.0.0.1:{port}/x", "tftp://127.0.0.1/x", "jar:http://127.0.0.1!/x",
    "data:text/plain,x", "javascript:alert(1)", "ws://127.0.0.1:{port}/x", "unix:/var/run/docker.sock",
    "http+unix://%2fvar%2frun%2fdocker.sock/x", "HTTP://LOCALHOST:{port}/", "http:127.0.0.2:{port}", "http:///x",
    "http://", "https://", "://x", "http://[", "http://[::1", "http://127.0.0.1:99999/", "http://127.0.0.1:-1/",
    "http://\x00@localhost:{port}/", "http://localhost%00.evil.example/", "http://local%68ost:{port}/x",
)  # fmt: skip
# URLs in arguments, whether or not the tool treats them as URLs.
ADDRESSES = (
    *REDIRECTS,
    "http://127.0.0.1:{port}/x",
    "file:///proc/self/environ",
    "smb://evil.example/share",
    "s3://bucket/key",
)
ARGUMENTS = (
    ("get_tasks", lambda text: {"search": text}),
    ("search_tasks", lambda text: {"query": text}),
    ("search_rmf_funds", lambda text: {"search": text}),
    ("get_rmf_fund_detail", lambda text: {"fundCode": text}),
    ("rag.get", lambda text: {"doc_id": text}),
    ("send_memory", lambda text: {"content": text, "source": {"type": "web", "ref": text, "citation": text}}),
    ("tool.ingest.run", lambda text: {"batch": [{"uri": text, "kind": "pdf"}], "dry_run": True, "wait_s": 0}),
    ("pubmed.sync.incremental", lambda text: {"query": text, "limit": 1}),
    ("pubmed.fetch", lambda text: {"doc_ids": [text]}),
    ("pubmed.sync_delta", lambda text: {"query_key": text[:60], "term": text}),
)  # fmt: skip


class Connections:
    """Record every connection and name lookup of this process; names resolve as the test says."""

    def __init__(self) -> None:
        self.made: list[Any] = []
        self.asked: list[str] = []
        self.answers: dict[str, str] = {}


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connections]:
    seen, connect, resolve = Connections(), socket.socket.connect, socket.getaddrinfo

    def connecting(self: socket.socket, address: Any) -> None:
        seen.made.append(address)
        connect(self, address)

    def resolving(host: Any, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0) -> Any:
        seen.asked.append(str(host))
        # Other than the test's names only literal addresses resolve, so no DNS query leaves this machine.
        return resolve(seen.answers.get(host, host), port, family, type, proto, flags | socket.AI_NUMERICHOST)

    monkeypatch.setattr(socket.socket, "connect", connecting)
    monkeypatch.setattr(socket, "getaddrinfo", resolving)
    yield seen


@pytest_asyncio.fixture(loop_scope="session")
async def pages() -> AsyncIterator[Pages]:
    async with local_pages() as served:
        yield served


def test_there_are_more_than_150_of_them() -> None:
    assert len(set(PRIVATE_ADDRESSES)) + len(set(REDIRECTS)) >= 150
    assert len(ADDRESSES) * len(ARGUMENTS) >= 700


async def test_a_host_with_a_private_address_is_not_contacted(connections: Connections) -> None:
    async with EgressClient("test", [Destination.from_url("https://api.example/")]) as outside:
        for address in PRIVATE_ADDRESSES:
            connections.answers["api.example"] = address
            with pytest.raises(UpstreamFailed, match="not a public one"):
                await outside.get("https://api.example/x")
                pytest.fail(address)
    assert connections.made == []


async def test_no_redirect_to_another_host_is_followed(pages: Pages, connections: Connections) -> None:
    async with local_pages() as other:
        here = f"http://127.0.0.1:{pages.port}"
        async with EgressClient("test", [Destination.from_url(here, private=True)]) as outside:
            for number, target in enumerate(REDIRECTS):
                where = target.replace("{port}", str(other.port)).encode().decode("latin-1")
                pages.pages["/go"] = Page(status=(301, 302, 303, 307, 308)[number % 5], headers={"location": where})
                with pytest.raises(UpstreamFailed):
                    await outside.get(f"{here}/go")
                    pytest.fail(target)
        assert other.asked == []
    assert {address[:2] for address in connections.made} == {("127.0.0.1", pages.port)}


def test_an_invalid_url_is_not_contacted() -> None:
    for target in REDIRECTS:
        if target.startswith("https://") and len(target) > len("https://"):
            continue
        with pytest.raises(BadDestination):
            Destination.from_url(target.replace("{port}", "8080"))
            pytest.fail(target)


async def test_no_tool_argument_causes_an_outgoing_request(
    guarded: GuardedServer, connection: RawConnection, pages: Pages, connections: Connections
) -> None:
    await connection.request("GET", "/tools")  # so that our own connection is not among those counted
    ours = {("127.0.0.1", port) for port in (connection.port, guarded.upstream.port)}
    for number, address in enumerate(ADDRESSES):
        text = address.replace("{port}", str(pages.port))
        # Each argument gets every third URL. The readers and the egress guard have tests with all of them.
        for tool, arguments in ARGUMENTS[number % 3 :: 3]:
            reply = await connection.call_tool(tool, arguments(text), guarded.alice)
            assert reply.status != 500, (tool, text, reply.body)
            assert b"root:x" not in reply.body
    assert pages.asked == []
    assert {address[:2] for address in connections.made if isinstance(address, tuple)} <= ours
    assert set(connections.asked) <= {"127.0.0.1"}
    assert all(request.path.startswith(("/esearch.fcgi", "/efetch.fcgi")) for request in guarded.upstream.asked)
