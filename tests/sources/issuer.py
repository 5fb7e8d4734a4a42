"""A token issuer on loopback: real keys, real metadata, and tokens as good or as bad as a test needs them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from tests.sources.pages import Pages, local_pages

AUDIENCE = "https://sanya.example.com"


@cache
def private_key(kind: str, number: int = 1) -> Any:
    """One key a kind and number for the whole run: making them is slow."""
    match kind:
        case "RSA":
            return rsa.generate_private_key(65537, 2048)
        case "weak RSA":
            return rsa.generate_private_key(65537, 1024)
        case "P-256":
            return ec.generate_private_key(ec.SECP256R1())
        case "P-384":
            return ec.generate_private_key(ec.SECP384R1())
        case _:
            return ed25519.Ed25519PrivateKey.generate()


_WRITERS: dict[str, Any] = {
    "RSA": jwt.algorithms.RSAAlgorithm,
    "weak RSA": jwt.algorithms.RSAAlgorithm,
    "P-256": jwt.algorithms.ECAlgorithm,
    "P-384": jwt.algorithms.ECAlgorithm,
    "Ed25519": jwt.algorithms.OKPAlgorithm,
}


def public_jwk(kind: str, key_id: str, number: int = 1, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = _WRITERS[kind].to_jwk(private_key(kind, number).public_key(), as_dict=True)
    return {**made, "kid": key_id, **more}


@dataclass
class Issuer:
    pages: Pages
    keys: list[dict[str, Any]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.pages.url

    def publish(self, *keys: dict[str, Any]) -> None:
        self.keys = list(keys)
        self.pages.put_json("/keys", {"keys": self.keys})

    def claims(self, **changes: Any) -> dict[str, Any]:
        """Good claims, with changes; a change to None leaves a claim out."""
        now = int(time.time())
        good = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "somchai",
            "exp": now + 600,
            "iat": now,
            "scope": "tasks:read demo:read",
        }
        return {name: value for name, value in {**good, **changes}.items() if value is not None}

    def token(
        self, *, kind: str = "RSA", number: int = 1, algorithm: str = "RS256", kid: str | None = "k1", **changes: Any
    ) -> str:
        headers = {} if kid is None else {"kid": kid}
        return jwt.encode(self.claims(**changes), private_key(kind, number), algorithm, headers=headers)


@asynccontextmanager
async def local_issuer() -> AsyncIterator[Issuer]:
    async with local_pages() as pages:
        issuer = Issuer(pages)
        issuer.publish(public_jwk("RSA", "k1"))
        pages.put_json("/.well-known/openid-configuration", {"issuer": pages.url, "jwks_uri": f"{pages.url}/keys"})
        yield issuer
