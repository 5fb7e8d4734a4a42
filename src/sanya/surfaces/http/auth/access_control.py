"""Access control of every request: Host and Origin checks, then the identity of the caller."""

from __future__ import annotations

from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import Unauthorized
from sanya.surfaces.http.asgi import HeaderLines, Headers, HttpRefusal, Scope
from sanya.surfaces.http.auth.authentication import Authenticator
from sanya.surfaces.http.auth.hosts_and_origins import HostCheck, OriginCheck
from sanya.surfaces.http.auth.protected_resource import ProtectedResource


class AccessControl:
    def __init__(
        self,
        hosts: HostCheck,
        origins: OriginCheck,
        authenticator: Authenticator,
        resource: ProtectedResource | None = None,
    ) -> None:
        self._hosts = hosts
        self._origins = origins
        self._authenticator = authenticator
        self._resource = resource

    def check(self, headers: Headers) -> HeaderLines:
        """Check Host and Origin. Returns the CORS headers that let a page of an allowed origin read the response."""
        self._hosts.check(headers.get(b"host"))
        return self._origins.check(headers.get(b"origin"))

    async def identify_caller(self, scope: Scope, headers: Headers) -> Caller:
        try:
            return await self._authenticator.identify_caller(headers)
        except Unauthorized as fault:
            challenge = self._build_challenge(fault, scope, headers)
            raise HttpRefusal(fault, headers=((b"www-authenticate", challenge.encode("ascii", "replace")),)) from None

    def _build_challenge(self, fault: Unauthorized, scope: Scope, headers: Headers) -> str:
        """Build the WWW-Authenticate challenge: RFC 6750, with the RFC 9728 metadata URL where OAuth is configured.

        RFC 6750 wants no error code for a client that sent no credentials.
        """
        parts = ['Bearer realm="sanya"']
        if b"authorization" in headers:
            parts.append(f'error="invalid_token", error_description="{fault.message}"')
        if self._resource is not None:
            url = self._resource.build_metadata_url(scope["path"].rstrip("/"), read_server_origin(scope, headers))
            parts.append(f'resource_metadata="{url}"')
        return ", ".join(parts)


def read_server_origin(scope: Scope, headers: Headers) -> str:
    """Return the origin under which the client reached this server. Its Host has passed the check."""
    return f"{scope['scheme']}://{headers[b'host'].decode('latin-1')}"
