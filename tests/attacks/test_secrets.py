"""Secrets never leave: not in logs, the ledger, errors, metrics, checks or files."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from sanya.logs import _build_formatter
from sanya.surfaces.cli.main import main
from tests.attacks.conftest import SECRET_SETTINGS, GuardedServer
from tests.attacks.grpc_client import GrpcClient
from tests.attacks.raw_http import RawConnection, bearer

PASSWORD = "hunter2-canary-5dba"
ADDRESS = f"https://owner:{PASSWORD}@db.example/x"
# Secrets that people paste into a memory by mistake.
PASTED = (
    f"password={PASSWORD}",
    f"The database is at postgresql://owner:{PASSWORD}@db.example/x",
    f"Authorization: Bearer {PASSWORD}",
    "The key is sk-proj-canary5dbaAAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH1234",
    "AKIAIOSFODNN7CANARY5 is the id",
)
PASTED_SECRETS = (PASSWORD, "sk-proj-canary5dba", "AKIAIOSFODNN7CANARY5")


def secrets_of(guarded: GuardedServer) -> list[str]:
    return [*(key.split("_", 2)[2] for key in (guarded.alice, guarded.bob, guarded.gone)), *SECRET_SETTINGS.values()]


async def _mix(guarded: GuardedServer, connection: RawConnection, grpc: GrpcClient, token: str) -> list[bytes]:
    """Make all kinds of calls with every credential and return the responses."""
    key, heard = guarded.alice, []
    for credential in (key, token, guarded.gone, key[:-1] + "x", token[:-3] + "abc", f"{key}.{key}.{key}"):
        for reply in (
            await connection.call_tool("get_projects", {"limit": 1}, credential),
            await connection.call_tool("get_projects", {"limit": -1}, credential),
            await connection.call_tool("pubmed.sync.incremental", {"query": "x"}, credential),
            await connection.send_mcp("tools/call", {"name": "get_projects", "arguments": {}}, credential),
            await connection.send_mcp("nothing", {}, credential),
            await connection.post("/graphql", {"query": "{ get_projects { next_cursor } }"}, credential),
            await connection.post("/graphql", {"query": "{ nothing }"}, credential),
            await connection.request("GET", f"/tools?key={credential}", bearer(credential)),
            await connection.request("GET", f"/nothing/{credential}", bearer(key)),
            await connection.request("GET", "/metrics", bearer(credential)),
            await connection.request("GET", "/openapi.json", bearer(credential)),
            await connection.request("GET", "/console/api/session", bearer(credential)),
            await connection.request("GET", "/console/api/clients", bearer(credential)),
        ):
            said = reply.body + str(reply.headers).encode()
            # A 404 repeats the path that the caller sent, which is no leak.
            heard.append(said if b"Nothing at" not in said else b"")
        heard.append(str(await grpc.call("get_projects", credential)).encode())
    return heard


async def test_no_secret_appears_in_any_response(
    guarded: GuardedServer, connection: RawConnection, grpc: GrpcClient
) -> None:
    guarded.logged.clear()
    token = guarded.issuer.token(scope="tasks:read papers:write metrics:read")
    heard = await _mix(guarded, connection, grpc, token)
    measured = await connection.request("GET", "/metrics", bearer(token))
    assert measured.status == 200
    secrets = [*secrets_of(guarded), token, token.split(".")[2]]
    for name, text in {
        "answers": b"\n".join(heard).decode("utf-8", "replace"),
        "log": guarded.logged.getvalue(),
        "ledger": await _kept(guarded),
        "metrics": measured.body.decode(),
    }.items():
        for secret in secrets:
            assert secret not in text, (name, secret)
    assert len(guarded.logged.lines()) >= 12
    assert guarded.upstream.asked, "PubMed was asked, with the key"


async def test_secrets_pasted_into_a_memory_are_not_stored(guarded: GuardedServer, connection: RawConnection) -> None:
    guarded.logged.clear()
    heard = []
    for number, text in enumerate(PASTED):
        sent = await connection.call_tool(
            "send_memory", {"content": text}, guarded.alice, request_id=f"pasted-{number}"
        )
        refused = await connection.call_tool("send_memory", {"content": text, "unknown": text}, guarded.alice)
        target = sent.json["data"]["memory_id"]
        noted = {"target_id": target, "action": "annotate", "payload": {"note": text}}
        corrected = await connection.call_tool("correct_memory", noted, guarded.alice)
        await connection.call_tool("correct_memory", {**noted, "action": text}, guarded.alice)
        await connection.call_tool(
            "correct_memory", {**noted, "action": "contest", "payload": {"reason": text}}, guarded.alice
        )
        kind = {"new_type": text}
        await connection.call_tool("correct_memory", {**noted, "action": "reclassify", "payload": kind}, guarded.alice)
        parts = {"split_into": [text, "another part"]}
        split = await connection.call_tool(
            "correct_memory", {**noted, "action": "split_entity", "payload": parts}, guarded.alice
        )
        found = await connection.call_tool("get_memory", {"query": "database key id"}, guarded.alice)
        await connection.call_tool("get_memory", {"query": text}, guarded.alice)
        await connection.call_tool("get_memory", {"query": text, "unknown": text}, guarded.alice)
        heard += [sent.body, refused.body, corrected.body, split.body, found.body]
    kept = await _kept(guarded) + guarded.logged.getvalue()
    for secret in PASTED_SECRETS:
        assert secret not in kept, secret
        assert not any(secret.encode() in body for body in heard), secret
        assert _files_with(guarded.home, secret) == []


async def test_no_file_of_a_home_holds_a_key(guarded: GuardedServer) -> None:
    for secret in secrets_of(guarded):
        assert _files_with(guarded.home, secret) == []


def test_a_check_and_the_settings_show_no_secret(
    guarded: GuardedServer, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, secret in SECRET_SETTINGS.items():
        monkeypatch.setenv(f"SANYA_{name.upper()}", secret)
    for name in ("entrez_url", "thai_sec_url", "phrasing_url", "embedder_url", "weaviate_url", "oauth_jwks_url"):
        monkeypatch.setenv(f"SANYA_{name.upper()}", ADDRESS)
    home = ["--home", str(guarded.home)]
    for words in (["doctor"], ["doctor", "--json"], ["settings"], ["settings", "--json"], ["keys", "list"]):
        main([*home, *words])
    said = capfd.readouterr()
    for secret in (*SECRET_SETTINGS.values(), *secrets_of(guarded), PASSWORD):
        assert secret not in said.out + said.err, secret


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("database_url", f"mysql://owner:{PASSWORD}@db.example/x"),
        ("database_url", f"postgresql://owner:{PASSWORD}@127.0.0.1:1/x?connect_timeout=1"),
        ("redis_url", f"redis://:{PASSWORD}@127.0.0.1:1/0"),
        ("redis_url", f"nothing://:{PASSWORD}@127.0.0.1:1/0"),
        ("weaviate_url", f"ftp://owner:{PASSWORD}@db.example/x"),
        ("otel_endpoint", f"ftp://owner:{PASSWORD}@db.example/x"),
        ("embedder_url", f"ftp://owner:{PASSWORD}@db.example/x"),
        ("entrez_url", f"ftp://owner:{PASSWORD}@db.example/x"),
        ("phrasing_url", f"ftp://owner:{PASSWORD}@db.example/x"),
        ("oauth_issuer", f"ftp://owner:{PASSWORD}@db.example/x"),
    ],
)
def test_a_refused_setting_does_not_show_its_password(
    name: str, address: str, guarded: GuardedServer, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"SANYA_{name.upper()}", address)
    monkeypatch.setenv("SANYA_OAUTH_AUDIENCE", "https://sanya.example")
    monkeypatch.setenv("SANYA_PHRASING_MODEL", "m")
    if name.startswith("embedder"):
        monkeypatch.setenv("SANYA_EMBEDDER", "openai")
        monkeypatch.setenv("SANYA_EMBEDDER_MODEL", "m")
    if name.startswith("weaviate"):
        monkeypatch.setenv("SANYA_INDEX", "weaviate")
    calls = (["call", "get_projects"], ["call", "pubmed.sync.incremental", '{"query": "x"}'], ["doctor"])
    # Each connection attempt to these takes seconds.
    for words in calls[2:] if name in ("redis_url", "weaviate_url") else calls:
        assert main(["--home", str(guarded.home), *words]) in (0, 1, 2, 3)
    said = capfd.readouterr()
    assert PASSWORD not in said.out + said.err


@pytest.fixture
def text_log() -> Iterator[io.StringIO]:
    """Capture the log in the text format of a terminal."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_build_formatter(as_json=False, colours=False))
    logging.getLogger("sanya").addHandler(handler)
    yield stream
    logging.getLogger("sanya").removeHandler(handler)


async def test_control_characters_are_escaped_in_the_log(
    guarded: GuardedServer, connection: RawConnection, text_log: io.StringIO
) -> None:
    for text in ("\x1b[2J\x1b[1;1H", "\x1b]0;title\x07", "a\nb", "a\rb", "\x08\x08", "\x9b2J", "\u202eabc", "a\u2028b"):
        await connection.call_tool("get_projects", {}, guarded.alice, context={"trace_id": text})
    lines = text_log.getvalue().split("\n")[:-1]
    assert len(lines) == 8
    assert all(line.isprintable() for line in lines), lines


async def _kept(guarded: GuardedServer) -> str:
    await guarded.app.ledger.flush()
    tables = ("ledger", "answers", "memories", "memory_corrections", "keys")
    rows = [await guarded.app.database.fetch(f"SELECT * FROM {table}") for table in tables]
    return str(rows)


def _files_with(home: Path, secret: str) -> list[str]:
    return [str(path) for path in home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
