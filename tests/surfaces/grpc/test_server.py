"""The gRPC server, called by grpcio's client: answers, faults, deadlines, credentials and abuse."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import grpc
import grpc.aio
import pytest
from google.protobuf import struct_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from sanya.kernel.faults import list_fault_kinds
from sanya.surfaces.grpc.status import STATUSES, find_status
from tests.surfaces.grpc.conftest import GrpcDemoServer, OpenGrpc
from tests.surfaces.http.conftest import SECRET, WAIT_S

FULL = grpc.StatusCode.RESOURCE_EXHAUSTED
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
PING = b"\0\0\x08\6\0\0\0\0\0" + b"12345678"
NOISES = (
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01" * 20,
    b"\0" * 500,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 99,
)


async def expect_error(call: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value


def parse_details(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    return status_pb2.Status.FromString(error.trailing_metadata()["grpc-status-details-bin"])


async def test_a_call_is_answered_with_its_receipt(server: GrpcDemoServer) -> None:
    answer = await server.call("DemoSay", text="hi", times=2)
    assert list(answer.body.said) == ["hi", "hi"]
    assert answer.body.next_cursor == "more"
    stamp = answer.receipt.stamp
    assert stamp.seed == int(stamp.in_hash[:16], 16)
    assert stamp.status == "ok"
    once = await server.call("DemoSay", text="hi")
    assert not once.body.HasField("next_cursor")
    stamped = await server.call("OtherSay", "OtherService", text="hi")
    assert stamped.body.audit.seed == stamped.receipt.stamp.seed


async def test_a_refusal_has_a_status_with_details(server: GrpcDemoServer) -> None:
    error = await expect_error(server.call("DemoSay", text="hi", times=6))
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    status = parse_details(error)
    assert (status.code, status.message) == (3, error.details())
    info, bad, ours = (
        error_details_pb2.ErrorInfo(),
        error_details_pb2.BadRequest(),
        server.messages.get_message_class("Fault")(),
    )
    assert status.details[0].Unpack(info)
    assert status.details[1].Unpack(bad)
    assert (info.domain, info.reason, bad.field_violations[0].field) == ("sanya", "INVALID_ARGUMENT", "times")
    ours.ParseFromString(status.details[2].value)
    assert (ours.kind, ours.error["code"]) == ("invalid_argument", "INVALID_ARGUMENT")
    assert ours.receipt.stamp.status == "error"
    missing = await expect_error(server.call("DemoSay"))
    assert "text" in missing.details()


async def test_every_fault_has_a_status_and_no_secret_leaves(server: GrpcDemoServer) -> None:
    expected = {
        "DemoLost": grpc.StatusCode.NOT_FOUND,
        "DemoUpstream": grpc.StatusCode.UNAVAILABLE,
        "DemoStore": grpc.StatusCode.UNAVAILABLE,
        "DemoMistake": grpc.StatusCode.INTERNAL,
        "DemoLie": grpc.StatusCode.INTERNAL,
        "DemoSlow": grpc.StatusCode.DEADLINE_EXCEEDED,
    }
    for method, code in expected.items():
        error = await expect_error(server.call(method, text="a"))
        assert error.code() == code, method
        assert SECRET not in str(error) + str(parse_details(error))
    retry = error_details_pb2.RetryInfo()
    assert parse_details(await expect_error(server.call("DemoStore", text="a"))).details[1].Unpack(retry)
    assert retry.retry_delay.ToMilliseconds() == 1500
    assert {find_status(fault) for fault in list_fault_kinds().values()} == set(STATUSES.values())


async def test_resources_are_listed_and_read(server: GrpcDemoServer) -> None:
    listed = await server.call("ListResources", "ResourcesService")
    assert "tasks://task/{id}" in [resource.uri for resource in listed.resources]
    read = await server.call("ReadResource", "ResourcesService", uri="tasks://task/sample-sales-report")
    assert read.body.json["id"] == "sample-sales-report"
    page = await server.call("ReadResource", "ResourcesService", uri="component://rmf-fund-card")
    assert page.body.text.startswith("<!doctype html>")
    assert not page.body.HasField("json")
    nothing = await expect_error(server.call("ReadResource", "ResourcesService", uri="nope://x"))
    assert nothing.code() == grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("letter", ["9", "ก", "%"])
async def test_a_long_refusal_is_clipped_to_what_clients_accept(server: GrpcDemoServer, letter: str) -> None:
    uri = f"resource://pubmed/paper/{letter * 2000}"
    error = await expect_error(server.call("ReadResource", "ResourcesService", uri=uri))
    assert error.code() in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT)
    sent = len(quote(str(error.details()))) + len(parse_details(error).SerializeToString()) * 4 // 3
    assert sent < 7000, "grpcio may refuse more than 8 KiB of headers"
    assert str(error.details()).endswith("…")


async def test_a_deadline_and_a_cancelled_call_reach_the_handler(server: GrpcDemoServer) -> None:
    waiting = server.call("DemoWait", text="a")
    async with asyncio.timeout(WAIT_S):
        await server.control.started.wait()
        waiting.cancel()
        await server.control.stopped.wait()
    server.control.stopped.clear()
    late = await expect_error(
        server.send("DemoWait", server.messages.get_message_class("DemoWaitRequest")(text="a"), timeout=0.3)
    )
    assert late.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    async with asyncio.timeout(WAIT_S):
        await server.control.stopped.wait()


async def test_a_lost_connection_cancels_its_call(server: GrpcDemoServer) -> None:
    waiting = server.call("DemoWait", text="a")
    async with asyncio.timeout(WAIT_S):
        await server.control.started.wait()
        await server.channel.close(grace=None)
        await server.control.stopped.wait()
    await asyncio.gather(waiting, return_exceptions=True)


async def test_keys_scopes_limits_and_request_ids_hold(open_grpc: OpenGrpc) -> None:
    server = await open_grpc(require_auth=True)
    request = server.messages.get_message_class("DemoSayRequest")(text="hi")
    assert (await expect_error(server.send("DemoSay", request))).code() == grpc.StatusCode.UNAUTHENTICATED
    wrong = await expect_error(server.send("DemoSay", request, metadata=(("authorization", "Bearer nothing"),)))
    assert wrong.code() == grpc.StatusCode.UNAUTHENTICATED
    reader = (("authorization", f"Bearer {await server.app.keys.create('reader', ('tasks:read',))}"),)
    assert (
        await expect_error(server.send("DemoSay", request, metadata=reader))
    ).code() == grpc.StatusCode.PERMISSION_DENIED
    free = (("authorization", f"Bearer {await server.app.keys.create('free', ('demo:read',))}"),)
    first = await server.send("DemoSay", request, metadata=(*free, ("x-request-id", "mine")))
    again = await server.send("DemoSay", request, metadata=(*free, ("x-request-id", "mine")))
    assert (first.receipt.request_id, again.receipt.replayed) == ("mine", True)
    key = await server.app.keys.create("limited", ("demo:read",), calls_per_minute=1)
    limited = (("authorization", f"Bearer {key}"),)
    await server.send("DemoSay", request, metadata=limited)
    assert (await expect_error(server.send("DemoSay", request, metadata=limited))).code() == FULL
    health = health_pb2_grpc.HealthStub(server.channel)
    assert (await health.Check(health_pb2.HealthCheckRequest())).status == health_pb2.HealthCheckResponse.SERVING
    stub = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    # Send nothing: if the refusal arrived before the client's message, the client would report a failure of its own.
    assert (await expect_error(stub.ServerReflectionInfo().read())).code() == grpc.StatusCode.UNAUTHENTICATED


async def test_health_and_reflection_follow_the_standard_protocols(server: GrpcDemoServer) -> None:
    health = health_pb2_grpc.HealthStub(server.channel)
    serving = health_pb2.HealthCheckResponse.SERVING
    named = health_pb2.HealthCheckRequest(service="sanya.v1.TasksService")
    assert (await health.Check(named)).status == serving
    unknown = await expect_error(health.Check(health_pb2.HealthCheckRequest(service="nobody")))
    assert unknown.code() == grpc.StatusCode.NOT_FOUND
    watching = health.Watch(named)
    assert (await watching.read()).status == serving
    watching.cancel()

    asked = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="sanya.v1.TasksService.GetTasks"),
        reflection_pb2.ServerReflectionRequest(file_by_filename="google/protobuf/struct.proto"),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="nobody"),
        reflection_pb2.ServerReflectionRequest(all_extension_numbers_of_type="sanya.v1.Stamp"),
    ]
    for version in ("v1", "v1alpha"):
        stream = server.channel.stream_stream(
            f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )
        services, symbol, file, nobody, extensions = [response async for response in stream(iter(asked))]
        names = [service.name for service in services.list_services_response.service]
        assert {"sanya.v1.TasksService", "grpc.health.v1.Health", f"grpc.reflection.{version}.ServerReflection"} <= set(
            names
        )
        assert len(symbol.file_descriptor_response.file_descriptor_proto) == 2
        assert len(file.file_descriptor_response.file_descriptor_proto) == 1
        assert (nobody.error_response.error_code, extensions.error_response.error_code) == (5, 12)


async def test_malformed_calls_are_refused_and_the_next_call_works(open_grpc: OpenGrpc) -> None:
    server = await open_grpc(max_body_bytes=100_000)
    request = server.messages.get_message_class("DemoSayRequest")
    unknown = request(text="x").SerializeToString() + b"\x98\x06\x01"
    abuses: dict[str, tuple[str, bytes, dict[str, Any], grpc.StatusCode]] = {
        "garbage": ("DemoSay", b"\xff" * 50, {}, grpc.StatusCode.INVALID_ARGUMENT),
        "broken text": ("DemoSay", b"\x0a\x02\xff\xff", {}, grpc.StatusCode.INVALID_ARGUMENT),
        "an unknown field": ("DemoSay", unknown, {}, grpc.StatusCode.INVALID_ARGUMENT),
        "too large": (
            "DemoSay",
            request(text="x" * 200_000).SerializeToString(),
            {},
            grpc.StatusCode.RESOURCE_EXHAUSTED,
        ),
        "compressed": (
            "DemoSay",
            request(text="x" * 5000).SerializeToString(),
            {"compression": grpc.Compression.Gzip},
            grpc.StatusCode.UNIMPLEMENTED,
        ),
        "a page": (
            "DemoSay",
            request(text="x").SerializeToString(),
            {"metadata": (("origin", "https://evil.example"),)},
            grpc.StatusCode.PERMISSION_DENIED,
        ),
        "an id without end": (
            "DemoSay",
            request(text="x").SerializeToString(),
            {"metadata": (("x-request-id", "x" * 200),)},
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        "an id twice": (
            "DemoSay",
            request(text="x").SerializeToString(),
            {"metadata": (("x-request-id", "a"), ("x-request-id", "b"))},
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
    }
    for name, (method, payload, more, code) in abuses.items():
        assert (await expect_error(server.send(method, payload, **more))).code() == code, name
        assert list((await server.call("DemoSay", text="on")).body.said) == ["on"], name
    for path in ("/sanya.v1.DemoService/Nothing", "/sanya.v1.DemoService/DemoWrite", "/nobody/At", "/"):
        unknown_method = server.channel.unary_unary(path)(b"", timeout=WAIT_S)
        assert (await expect_error(unknown_method)).code() == grpc.StatusCode.UNIMPLEMENTED, path
    two = server.channel.stream_unary("/sanya.v1.DemoService/DemoSay")(iter([b"", b""]), timeout=WAIT_S)
    assert (await expect_error(two)).code() == grpc.StatusCode.UNIMPLEMENTED
    none = server.channel.stream_unary("/sanya.v1.DemoService/DemoSay")(iter([]), timeout=WAIT_S)
    assert (await expect_error(none)).code() == grpc.StatusCode.UNIMPLEMENTED
    big = await expect_error(
        server.send("DemoSay", request(text="x").SerializeToString(), metadata=(("a", "b" * 100_000),))
    )
    assert big.code() in (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNAVAILABLE)
    assert list((await server.call("DemoSay", text="on")).body.said) == ["on"]


async def test_bytes_that_are_not_http2_close_only_their_own_connection(server: GrpcDemoServer) -> None:
    for noise in NOISES:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(noise)
        async with asyncio.timeout(WAIT_S):
            await reader.read()
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
    assert list((await server.call("DemoSay", text="on")).body.said) == ["on"]


async def test_useless_connections_are_closed_and_others_survive(open_grpc: OpenGrpc) -> None:
    server = await open_grpc(max_connections_per_peer=3, head_timeout_s=1)

    async def ended(*sent: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for part in sent:
            writer.write(part)
        async with asyncio.timeout(WAIT_S):
            with suppress(ConnectionError):
                while await reader.read(65_536):
                    pass
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    assert list((await server.call("DemoSay", text="on")).body.said) == ["on"]
    await ended(PREFACE, *[PING * 5000] * 20)
    await asyncio.gather(*(ended(sent) for sent in (b"", PREFACE[:10], b"", PREFACE[:20], b"")))
    assert list((await server.call("DemoSay", text="on")).body.said) == ["on"]


async def test_a_full_server_makes_room_by_closing_the_oldest_idle_connection(open_grpc: OpenGrpc) -> None:
    server = await open_grpc(max_connections=16)
    opened = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(20)]
    assert list((await server.call("DemoSay", text="on")).body.said) == ["on"]
    async with asyncio.timeout(WAIT_S):
        with suppress(ConnectionError):
            await opened[0][0].read()  # it ends
    for _, writer in opened:
        writer.close()
    await asyncio.gather(*(writer.wait_closed() for _, writer in opened), return_exceptions=True)


async def test_streams_are_counted_for_each_caller_and_end_when_idle(open_grpc: OpenGrpc) -> None:
    server = await open_grpc(max_streams_per_caller=2, stream_idle_s=1)
    watch = server.channel.unary_stream("/grpc.health.v1.Health/Watch")
    first, second = watch(b"", timeout=WAIT_S), watch(b"", timeout=WAIT_S)
    await first.read()
    await second.read()
    refused = watch(b"", timeout=WAIT_S)
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await refused.read()
    assert error.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await first.read()
    assert ended.value.code() == grpc.StatusCode.UNAVAILABLE and "Watch again" in str(ended.value.details())
    reflect = server.channel.stream_stream("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")
    idle = reflect(timeout=WAIT_S)
    assert await idle.read() is grpc.aio.EOF


async def test_a_message_that_does_not_arrive_times_out(open_grpc: OpenGrpc) -> None:
    server = await open_grpc(body_timeout_s=1)
    never = server.channel.stream_unary("/sanya.v1.DemoService/DemoSay")(timeout=WAIT_S)
    await never.write(b"")
    error = await expect_error(never)
    assert (error.code(), error.details()) == (
        grpc.StatusCode.DEADLINE_EXCEEDED,
        "The message did not arrive within 1 s.",
    )


async def test_a_stopping_server_lets_calls_finish(server: GrpcDemoServer) -> None:
    waiting = server.call("DemoWait", text="a")
    async with asyncio.timeout(WAIT_S):
        await server.control.started.wait()
        stopping = asyncio.create_task(server.grpc.stop(WAIT_S, asyncio.Event()))
        server.control.resume.set()
        assert list((await waiting).body.said) == ["a"]
        await stopping


def test_any_json_survives_a_round_trip_through_value() -> None:
    from sanya.surfaces.grpc.encoding import as_value, from_value

    for value in (None, True, 0, -1.5, "ก", [1, [None, {"a": {}}], "x"], {"a": [], "b": {"c": None}}, 2**53 - 1):
        assert from_value(struct_pb2.Value(**as_value(value))) == value
