"""Server reflection, v1 and v1alpha: gives the schema to clients without a proto file, such as grpcurl."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.protobuf import descriptor_pb2, struct_pb2
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from sanya.surfaces.grpc.descriptors import Descriptors
from sanya.surfaces.grpc.exchange import Exchange
from sanya.surfaces.grpc.status import NOT_FOUND, UNIMPLEMENTED

# Both versions have the same messages in different packages.
SERVICES = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")
PATHS = tuple(f"/{service}/ServerReflectionInfo" for service in SERVICES)


class Reflection:
    def __init__(self, descriptors: Descriptors) -> None:
        files = [descriptors.file, *map(_as_proto, (struct_pb2, health_pb2, reflection_pb2)), _build_v1_reflection()]
        self._files = {file.name: file for file in files}
        self._symbols = {symbol: file for file in files for symbol in _iter_symbols(file)}
        self._services = sorted(f"{file.package}.{service.name}" for file in files for service in file.service)

    async def serve(self, exchange: Exchange, idle_s: float) -> None:
        """Answer requests until the client ends the stream or sends nothing for this time."""
        async for payload in exchange.iter_messages(idle_s):
            request = reflection_pb2.ServerReflectionRequest.FromString(payload)
            await exchange.send(self._answer(request).SerializeToString())
        await exchange.finish()

    def _answer(self, request: Any) -> Any:
        answer = reflection_pb2.ServerReflectionResponse(valid_host=request.host, original_request=request)
        match request.WhichOneof("message_request"):
            case "list_services":
                answer.list_services_response.service.extend(
                    reflection_pb2.ServiceResponse(name=service) for service in self._services
                )
            case "file_by_filename":
                self._add_file(answer, self._files.get(request.file_by_filename))
            case "file_containing_symbol":
                self._add_file(answer, self._symbols.get(request.file_containing_symbol.lstrip(".")))
            case _:
                _refuse(answer, UNIMPLEMENTED, "Extensions are not supported.")
        return answer

    def _add_file(self, answer: Any, file: descriptor_pb2.FileDescriptorProto | None) -> None:
        if file is None:
            _refuse(answer, NOT_FOUND, "No file or symbol of this name.")
            return
        files = [file, *(self._files[name] for name in file.dependency if name in self._files)]
        answer.file_descriptor_response.file_descriptor_proto.extend(each.SerializeToString() for each in files)


def _refuse(answer: Any, code: int, message: str) -> None:
    answer.error_response.error_code = code
    answer.error_response.error_message = message


def _as_proto(module: Any) -> descriptor_pb2.FileDescriptorProto:
    made = descriptor_pb2.FileDescriptorProto()
    module.DESCRIPTOR.CopyToProto(made)
    return made


def _build_v1_reflection() -> descriptor_pb2.FileDescriptorProto:
    older = _as_proto(reflection_pb2)
    newer = descriptor_pb2.FileDescriptorProto()
    newer.CopyFrom(older)
    newer.name, newer.package = "grpc/reflection/v1/reflection.proto", "grpc.reflection.v1"
    for message in newer.message_type:
        for field in message.field:
            if field.type_name:
                field.type_name = field.type_name.replace(".v1alpha.", ".v1.")
    for service in newer.service:
        for method in service.method:
            method.input_type = method.input_type.replace(".v1alpha.", ".v1.")
            method.output_type = method.output_type.replace(".v1alpha.", ".v1.")
    DescriptorPool().Add(newer)  # an incomplete descriptor fails here and not at a client
    return newer


def _iter_symbols(file: descriptor_pb2.FileDescriptorProto) -> Iterable[str]:
    for message in file.message_type:
        yield f"{file.package}.{message.name}"
        for enum in message.enum_type:
            yield f"{file.package}.{message.name}.{enum.name}"
    for enum in file.enum_type:
        yield f"{file.package}.{enum.name}"
    for service in file.service:
        yield f"{file.package}.{service.name}"
        for method in service.method:
            yield f"{file.package}.{service.name}.{method.name}"
