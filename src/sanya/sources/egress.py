"""The one egress guard: nothing of ours reaches another host but through a client made here.

A client reaches the destinations it was made for and no others. Names are resolved here and the connection goes to the
address that was checked, so that a name cannot point elsewhere between the check and the use.
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

Address = IPv4Address | IPv6Address

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAT64 = IPv6Network("64:ff9b::/96")
# All of IPv6 that is given out. The library calls public what lies beside it: ::127.0.0.1, fec0::1.
_GIVEN_OUT = IPv6Network("2000::/3")
# What the library of some versions calls public: protocols' own addresses, the old 6to4 relays, documentation.
_RESERVED = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))
_MAX_REDIRECTS = 3
_USER = re.compile(r"//[^/?#]*@")


class BadDestination(ValueError):
    """An address that no client may be made for; the message says why."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A host that may be reached. `private` is set only where the owner wrote the address into a setting: it then may
    be a private or loopback one. Everything else must be public."""

    scheme: str
    host: str
    port: int
    private: bool = False

    @classmethod
    def of(cls, url: str, *, private: bool = False) -> Destination:
        shown = _USER.sub("//", url)  # whoever reads the refusal need not be who wrote the address
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL:
            raise BadDestination(f"{shown!r} is not an address") from None
        if parsed.scheme not in _DEFAULT_PORTS or not parsed.host:
            raise BadDestination(f"{shown!r} must begin with https:// (or http://) and name a host")
        if parsed.scheme == "http" and not private:
            raise BadDestination(f"{shown!r} must use https")
        return cls(parsed.scheme, parsed.host, _port_of(parsed), private)

    def covers(self, url: httpx.URL) -> bool:
        return (url.scheme, url.host, _port_of(url)) == (self.scheme, self.host, self.port)


@dataclass(frozen=True, slots=True)
class Limits:
    """`total_s` bounds a whole exchange; `max_bytes` bounds an answer, before and after decompression."""

    max_bytes: int = 1024 * 1024
    connect_s: float = 5.0
    total_s: float = 15.0


class Outside:
    """A way to the destinations of one source. Every failure is an UpstreamFailed that names the source."""

    def __init__(self, source: str, destinations: Iterable[Destination], limits: Limits | None = None) -> None:
        self.source = source
        self.limits = limits or Limits()
        self._transport = _GuardedTransport(source, tuple(destinations), self.limits)
        self.client = httpx.AsyncClient(
            transport=self._transport,
            timeout=httpx.Timeout(self.limits.total_s, connect=self.limits.connect_s),
            follow_redirects=True,
            max_redirects=_MAX_REDIRECTS,
            trust_env=False,
            headers={"user-agent": "sanya"},
        )

    def also(self, destination: Destination) -> None:
        """Opens the way to one more destination, e.g. one that the source's own metadata names."""
        if destination not in self._transport.destinations:
            self._transport.destinations += (destination,)

    async def get(self, url: str) -> bytes:
        """The body of a good answer, whole and within the limits."""
        try:
            async with asyncio.timeout(self.limits.total_s), self.client.stream("GET", url) as response:
                if response.status_code != httpx.codes.OK:
                    raise self._failed(f"answered {response.status_code}")
                return await self._read(response)
        except TimeoutError:
            raise self._failed(f"did not answer within {self.limits.total_s:g} s") from None
        except httpx.TooManyRedirects:
            raise self._failed(f"redirected more than {_MAX_REDIRECTS} times") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._failed(f"failed ({type(error).__name__})") from error

    async def _read(self, response: httpx.Response) -> bytes:
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            if len(body) > self.limits.max_bytes:
                raise self._failed(f"answered with more than {self.limits.max_bytes} bytes")
        return bytes(body)

    def _failed(self, what: str) -> UpstreamFailed:
        return UpstreamFailed(f"{self.source} {what}", source=self.source)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.client.aclose()


class _GuardedTransport(httpx.AsyncBaseTransport):
    """Checks every request, redirected ones included, and sends it to an address that passed."""

    def __init__(self, source: str, destinations: tuple[Destination, ...], limits: Limits) -> None:
        self.destinations = destinations
        self._source = source
        self._limits = limits
        # One pool for each name: pools are keyed by address here, and a connection whose certificate was checked for
        # one name must not serve another name on the same address.
        self._pools: dict[str, httpx.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        destination = self._destination_of(request.url)
        addresses = await resolve(destination.host, destination.port, self._source)
        for address in addresses:
            self._check(destination, address)
        pool = self._pools.get(destination.host)
        if pool is None:  # made only then: its certificates take longer to read than most answers to come
            pool = self._pools[destination.host] = httpx.AsyncHTTPTransport()
        response = await self._send(pool, request, addresses)
        response.stream = _CountedStream(response, self._limits.max_bytes, self._source)
        return response

    def _destination_of(self, url: httpx.URL) -> Destination:
        found = next((one for one in self.destinations if one.covers(url)), None)
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
                raise self._unreachable(error) from error
            finally:
                request.url = named
        raise self._unreachable(last) from last

    def _unreachable(self, error: httpx.TransportError | None) -> UpstreamFailed:
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
    """Whether anybody on the internet could reach this address. IPv4 addresses inside IPv6 ones count as themselves."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is None and address in _NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address not in _GIVEN_OUT:
            return False
    return address.is_global and not address.is_multicast and not any(address in one for one in _RESERVED)


def _port_of(url: httpx.URL) -> int:
    return url.port or _DEFAULT_PORTS.get(url.scheme, 0)
