"""The border to a Weaviate server: whatever its client raises becomes our fault here, and no call waits without end."""

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

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient

SOURCE = "weaviate"
_COME_BACK_MS = 5000
_HINT = "`sanya doctor` says whether it can be reached"


@dataclass(frozen=True, slots=True)
class WeaviateAddress:
    url: str
    grpc_port: int = 50051
    key: str = ""
    timeout_s: float = 10.0
    """How long one question may take, the client's own patient retries included."""


class WeaviateFailed(UpstreamFailed):
    """It answered, and not as promised."""

    def __init__(self, message: str, *, source: str = SOURCE, **more: Any) -> None:
        super().__init__(message, source=source, **{"retry_after_ms": _COME_BACK_MS, "hint": _HINT, **more})


class WeaviateSilent(WeaviateFailed):
    """It does not answer, so that asking it something else is a waste of time."""


def _left_alone(wait_ms: int) -> WeaviateSilent:
    return WeaviateSilent("Weaviate does not answer", retry_after_ms=wait_ms)


@asynccontextmanager
async def open_connection(
    address: WeaviateAddress, breakers: Breakers | None = None
) -> AsyncIterator[WeaviateConnection]:
    breaker = (breakers or Breakers()).of("Weaviate", _left_alone)
    connection = WeaviateConnection(_client(address), address, breaker)
    try:
        async with connection.answering("connecting"):
            await connection.client.connect()
        yield connection
    finally:
        await connection.client.close()


class WeaviateConnection:
    def __init__(self, client: WeaviateAsyncClient, address: WeaviateAddress, breaker: Breaker) -> None:
        self.client = client
        self._address = address
        self._breaker = breaker

    @asynccontextmanager
    async def answering(self, doing: str) -> AsyncIterator[None]:
        """The block talks to the server. It ends in time, or with a fault that names Weaviate."""
        with self._breaker.admit() as attempt:
            try:
                async with asyncio.timeout(self._address.timeout_s):
                    yield
                attempt.succeeded()
            except Fault:
                raise
            except TimeoutError as error:
                attempt.failed()
                said = f"did not answer within {self._address.timeout_s:g} s while {doing}"
                raise WeaviateSilent(self._worded(said)) from error
            except Exception as error:  # the client's own errors, its HTTP library's, gRPC's: none may go further
                if not isinstance(getattr(error, "status_code", None), int):  # that would be an answer
                    attempt.failed()
                raise WeaviateFailed(self._worded(f"failed while {doing} ({type(error).__name__})")) from error

    async def version(self) -> str:
        async with self.answering("saying its version"):
            return str((await self.client.get_meta())["version"])

    def _worded(self, what: str) -> str:
        where = urlsplit(self._address.url)
        return f"Weaviate at {where.hostname}:{where.port or 80} {what}"


def _client(address: WeaviateAddress) -> WeaviateAsyncClient:
    if find_spec("weaviate") is None:
        raise Unavailable("the index on Weaviate needs its client; run: pip install 'sanya[weaviate]'")
    from weaviate import WeaviateAsyncClient
    from weaviate.classes.init import AdditionalConfig, Auth, Timeout
    from weaviate.connect import ConnectionParams

    # It logs whole documents where one of a batch fails; the fault says what is needed.
    logging.getLogger("weaviate-client").setLevel(logging.CRITICAL)
    try:
        place = ConnectionParams.from_url(address.url, address.grpc_port)
    except ValueError:
        raise InvalidArgument(
            "weaviate_url cannot be read; it takes an address such as http://localhost:8080, "
            "with another port than weaviate_grpc_port"
        ) from None
    limit = address.timeout_s
    return WeaviateAsyncClient(
        connection_params=place,
        auth_client_secret=Auth.api_key(address.key) if address.key else None,
        additional_config=AdditionalConfig(timeout=Timeout(init=limit, query=limit, insert=limit), trust_env=False),
        # Its own checks would ask the package index for a newer client.
        skip_init_checks=True,
    )
