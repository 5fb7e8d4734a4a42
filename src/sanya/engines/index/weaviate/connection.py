"""The connection to a Weaviate server. It turns every error of the client into a fault, and bounds the time of a
call."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sanya.kernel.breaker import Breaker, Breakers
from sanya.kernel.faults import Fault, InvalidArgument, Unavailable, UpstreamFailed
from sanya.kernel.spans import open_span

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient

SOURCE = "weaviate"
_RETRY_AFTER_MS = 5000
_HINT = "run `sanya doctor` to see whether it can be reached"


@dataclass(frozen=True, slots=True)
class WeaviateAddress:
    url: str
    grpc_port: int = 50051
    key: str = ""
    timeout_s: float = 10.0
    """The time limit of one request, with the client's own retries."""


class WeaviateFailed(UpstreamFailed):
    """Weaviate answered with an error."""

    def __init__(self, message: str, *, source: str = SOURCE, **more: Any) -> None:
        super().__init__(message, source=source, **{"retry_after_ms": _RETRY_AFTER_MS, "hint": _HINT, **more})


class WeaviateSilent(WeaviateFailed):
    """Weaviate does not answer, so another request would only wait too."""


def _build_open_circuit_fault(wait_ms: int) -> WeaviateSilent:
    return WeaviateSilent("Weaviate does not answer", retry_after_ms=wait_ms)


@asynccontextmanager
async def open_connection(
    address: WeaviateAddress, breakers: Breakers | None = None
) -> AsyncIterator[WeaviateConnection]:
    breaker = (breakers or Breakers()).get("Weaviate", _build_open_circuit_fault)
    connection = WeaviateConnection(_create_client(address), address, breaker)
    try:
        async with connection.request("connecting"):
            await connection.client.connect()
        yield connection
    finally:
        await connection.client.close()


class WeaviateConnection:
    def __init__(self, client: WeaviateAsyncClient, address: WeaviateAddress, breaker: Breaker) -> None:
        self.client = client
        self._address = address
        self._breaker = breaker
        where = urlsplit(address.url)
        self._attributes = {
            "db.system.name": "weaviate",
            "server.address": where.hostname or "",
            "server.port": where.port or 80,
        }

    @asynccontextmanager
    async def request(self, doing: str) -> AsyncIterator[None]:
        """Bound the time of requests in the block, and turn their errors into faults that name Weaviate."""
        with self._breaker.admit() as attempt, open_span(f"weaviate {doing}", self._attributes):
            try:
                async with asyncio.timeout(self._address.timeout_s):
                    yield
                attempt.report_success()
            except Fault:
                raise
            except TimeoutError as error:
                attempt.report_failure()
                what = f"did not answer within {self._address.timeout_s:g} s while {doing}"
                raise WeaviateSilent(self._format_message(what)) from error
            except Exception as error:  # errors of the client, of its HTTP library or of gRPC share no base class
                if not isinstance(getattr(error, "status_code", None), int):  # a status code is an answer
                    attempt.report_failure()
                raise WeaviateFailed(self._format_message(f"failed while {doing} ({type(error).__name__})")) from error

    async def read_version(self) -> str:
        async with self.request("saying its version"):
            return str((await self.client.get_meta())["version"])

    def _format_message(self, what: str) -> str:
        where = urlsplit(self._address.url)
        return f"Weaviate at {where.hostname}:{where.port or 80} {what}"


def _create_client(address: WeaviateAddress) -> WeaviateAsyncClient:
    if find_spec("weaviate") is None:
        raise Unavailable("the Weaviate client is not installed; run: pip install 'sanya[weaviate]'")
    from weaviate import WeaviateAsyncClient
    from weaviate.classes.init import AdditionalConfig, Auth, Timeout
    from weaviate.connect import ConnectionParams

    # The client logs whole documents when one of a batch fails. The fault says enough.
    logging.getLogger("weaviate-client").setLevel(logging.CRITICAL)
    try:
        parameters = ConnectionParams.from_url(address.url, address.grpc_port)
    except ValueError:
        raise InvalidArgument(
            "weaviate_url is not valid; set it to an address such as http://localhost:8080, "
            "with another port than weaviate_grpc_port"
        ) from None
    limit = address.timeout_s
    return WeaviateAsyncClient(
        connection_params=parameters,
        auth_client_secret=Auth.api_key(address.key) if address.key else None,
        additional_config=AdditionalConfig(timeout=Timeout(init=limit, query=limit, insert=limit), trust_env=False),
        # The checks would ask the package index for a newer client.
        skip_init_checks=True,
    )
