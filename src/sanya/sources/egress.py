"""The egress guard: every connection to another host goes through a client made here.

A client reaches only the destinations it was made for. It resolves names itself and connects to the address that it
checked, so that a name cannot point elsewhere between the check and the use (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from types import TracebackType
from typing import Self

import httpx

from sanya.kernel.faults import UpstreamFailed
from sanya.kernel.spans import open_span

Address = IPv4Address | IPv6Address

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAT64 = IPv6Network("64:ff9b::/96")
# All of IPv6 that is allocated. `ipaddress` calls public what lies outside it, such as ::127.0.0.1 and fec0::1.
_ALLOCATED = IPv6Network("2000::/3")
# Some versions of `ipaddress` call these public: protocol assignments, 6to4 relays, documentation.
_RESERVED = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))
_MAX_REDIRECTS = 3
_USER = re.compile(r"//[^/?#]*@")


class BadDestination(ValueError):
    """An address that no client may reach. The message says why."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A host that may be reached. `private` is set only where the owner wrote the address into a setting: it then may
    be a private or loopback one. Everything else must be public."""

    scheme: str
    host: str
    port: int
    private: bool = False

    @classmethod
    def from_url(cls, url: str, *, private: bool = False) -> Destination:
        shown = _USER.sub("//", url)  # the reader of the error may not be the author of the address
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL:
            raise BadDestination(f"{shown!r} is not an address") from None
        if parsed.scheme not in _DEFAULT_PORTS or not parsed.host:
            raise BadDestination(f"{shown!r} must begin with https:// (or http://) and name a host")
        if parsed.scheme == "http" and not private:
            raise BadDestination(f"{shown!r} must use https")
        return cls(parsed.scheme, parsed.host, _get_port(parsed), private)

    def can_reach(self, url: httpx.URL) -> bool:
        return (url.scheme, url.host, _get_port(url)) == (self.scheme, self.host, self.port)


@dataclass(frozen=True, slots=True)
class EgressLimits:
    """`total_s` bounds a whole exchange; `max_bytes` bounds an answer, before and after decompression."""

    max_bytes: int = 1024 * 1024
    connect_s: float = 5.0
    total_s: float = 15.0


class EgressClient:
    """Client for the destinations of one source. Every failure is an UpstreamFailed that names the source."""

    def __init__(self, source: str, destinations: Iterable[Destination], limits: EgressLimits | None = None) -> None:
        self.source = source
        self.limits = limits or EgressLimits()
        self._transport = _GuardedTransport(source, tuple(destinations), self.limits)
        self.client = httpx.AsyncClient(
            transport=self._transport,
            timeout=httpx.Timeout(self.limits.total_s, connect=self.limits.connect_s),
            follow_redirects=True,
            max_redirects=_MAX_REDIRECTS,
            trust_env=False,
            headers={"user-agent": "sanya"},
        )

    def allow(self, destination: Destination) -> None:
        """Allow one more destination, such as one that the metadata of the source names."""
        if destination not in self._transport.destinations:
            self._transport.destinations += (destination,)

    async def get(self, url: str) -> bytes:
        """Return the whole body of a successful response, within the limits."""
        try:
            async with asyncio.timeout(self.limits.total_s), self.client.stream("GET", url) as response:
                if response.status_code != httpx.codes.OK:
                    raise self._make_fault(f"answered {response.status_code}")
                return await self._read(response)
        except TimeoutError:
            raise self._make_fault(f"did not answer within {self.limits.total_s:g} s") from None
        except httpx.TooManyRedirects:
            raise self._make_fault(f"redirected more than {_MAX_REDIRECTS} times") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._make_fault(f"failed ({type(error).__name__})") from error

    async def _read(self, response: httpx.Response) -> bytes:
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            if len(body) > self.limits.max_bytes:
                raise self._make_fault(f"answered with more than {self.limits.max_bytes} bytes")
        return bytes(body)

    def _make_fault(self, what: str) -> UpstreamFailed:
        return UpstreamFailed(f"{self.source} {what}", source=self.source)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.client.aclose()


class _GuardedTransport(httpx.AsyncBaseTransport):
    """Checks every request, redirected ones included, and sends it to an address that passed."""

    def __init__(self, source: str, destinations: tuple[Destination, ...], limits: EgressLimits) -> None:
        self.destinations = destinations
        self._source = source
        self._limits = limits
        # One pool for each name: pools are keyed by address here, and a connection whose certificate was checked for
        # one name must not serve another name on the same address.
        self._pools: dict[str, httpx.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        destination = self._find_destination(request.url)
        attributes = {
            "http.request.method": request.method,
            "server.address": destination.host,
            "server.port": destination.port,
        }
        with open_span(request.method, attributes) as shown:
            response = await self._exchange(request, destination)
            shown["http.response.status_code"] = response.status_code
            return response

    async def _exchange(self, request: httpx.Request, destination: Destination) -> httpx.Response:
        addresses = await resolve(destination.host, destination.port, self._source)
        for address in addresses:
            self._check(destination, address)
        pool = self._pools.get(destination.host)
        if pool is None:  # lazily: loading the certificates takes longer than most responses
            pool = self._pools[destination.host] = httpx.AsyncHTTPTransport()
        response = await self._send(pool, request, addresses)
        response.stream = _CountedStream(response, self._limits.max_bytes, self._source)
        return response

    def _find_destination(self, url: httpx.URL) -> Destination:
        found = next((destination for destination in self.destinations if destination.can_reach(url)), None)
        if found is None:
            raise UpstreamFailed(
                f"{self._source} led to {url.scheme}://{url.netloc.decode('ascii', 'replace')}, which is not allowed",
                source=self._source,
            )
        return found

    def _check(self, destination: Destination, address: Address) -> None:
        if not destination.private and not is_public(address):
            raise UpstreamFailed(
                f"{destination.host} has the address {address}, which is not a public one", source=self._source
            )

    async def _send(
        self, pool: httpx.AsyncHTTPTransport, request: httpx.Request, addresses: list[Address]
    ) -> httpx.Response:
        """Tries the addresses in turn until one accepts the connection."""
        named = request.url
        request.extensions = {**request.extensions, "sni_hostname": named.host}
        last: httpx.TransportError | None = None
        for address in addresses:
            request.url = named.copy_with(host=str(address))
            try:
                return await pool.handle_async_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                last = error
            except httpx.TransportError as error:
                raise self._make_fault(error) from error
            finally:
                request.url = named
        raise self._make_fault(last) from last

    def _make_fault(self, error: httpx.TransportError | None) -> UpstreamFailed:
        return UpstreamFailed(f"{self._source} cannot be reached ({type(error).__name__})", source=self._source)

    async def aclose(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()


class _CountedStream(httpx.AsyncByteStream):
    def __init__(self, response: httpx.Response, max_bytes: int, source: str) -> None:
        assert isinstance(response.stream, httpx.AsyncByteStream)
        self._inner = response.stream
        self._max_bytes = max_bytes
        self._source = source

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        try:
            async for part in self._inner:
                count += len(part)
                if count > self._max_bytes:
                    raise UpstreamFailed(
                        f"{self._source} answered with more than {self._max_bytes} bytes", source=self._source
                    )
                yield part
        except httpx.TransportError as error:
            raise UpstreamFailed(f"{self._source} broke off ({type(error).__name__})", source=self._source) from error

    async def aclose(self) -> None:
        await self._inner.aclose()


async def resolve(host: str, port: int, source: str) -> list[Address]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise UpstreamFailed(f"{source}: the name {host} does not resolve", source=source) from None
    return [ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]


def is_public(address: Address) -> bool:
    """Return whether the address is public. An IPv4 address inside an IPv6 one counts as itself."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is None and address in _NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address not in _ALLOCATED:
            return False
    return address.is_global and not address.is_multicast and not any(address in network for network in _RESERVED)


def _get_port(url: httpx.URL) -> int:
    return url.port or _DEFAULT_PORTS.get(url.scheme, 0)
