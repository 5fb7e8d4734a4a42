"""The proto file: numbers never change, the text matches the server, and generated clients work."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from google.protobuf import descriptor_pb2

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.suite import Suite
from sanya.published_contracts import find_published_folder
from sanya.suites.tasks.dialect import DIALECT
from sanya.surfaces.grpc.descriptors import Descriptors
from sanya.surfaces.grpc.field_numbers import FieldNumberConflict, FieldNumbers
from sanya.surfaces.grpc.proto import ProtoNameConflict, build_proto
from sanya.surfaces.grpc.proto_text import render_proto
from sanya.surfaces.schema_files import build_schema_files, parse_field_numbers, read_numbers
from tests.surfaces.grpc.conftest import GrpcDemoServer
from tests.surfaces.http.conftest import DemoControl, demo_suites

ROOT = Path(__file__).parents[3]


def catalogue(*names: str) -> Catalogue:
    """Build a catalogue with only these demo tools."""
    demo, _ = demo_suites(DemoControl())
    tools = tuple(tool for tool in demo.tools if tool.name in names)
    return Catalogue([Suite(name="demo", title="Demo", dialect=DIALECT, tools=tools)])


def compile_proto(folder: Path, name: str = "sanya.proto") -> descriptor_pb2.FileDescriptorProto:
    """Compile the file with protoc, which must print nothing."""
    out = folder / "set.bin"
    words = [sys.executable, "-m", "grpc_tools.protoc", f"-I{folder}", f"--descriptor_set_out={out}", name]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    (file,) = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    return file


def test_the_text_compiles_to_the_same_descriptors(tmp_path: Path) -> None:
    file = build_proto(catalogue("demo.say", "demo.wait"), FieldNumbers())
    (tmp_path / "sanya.proto").write_text(render_proto(file), "utf-8")
    assert compile_proto(tmp_path) == Descriptors(file).file


def test_the_published_proto_file_follows_the_style_and_is_fully_described(tmp_path: Path) -> None:
    text = (find_published_folder() / "sanya.proto").read_text("utf-8")
    shutil.copy(str(find_published_folder() / "sanya.proto"), tmp_path)
    file = compile_proto(tmp_path)
    assert (file.package, file.syntax) == ("sanya.v1", "proto3")
    for message in file.message_type:
        assert re.fullmatch(r"(?:[A-Z][a-z0-9]*)+", message.name), message.name
        assert all(re.fullmatch(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*", field.name) for field in message.field), message.name
    for service in file.service:
        assert service.name.endswith("Service")
        for method in service.method:
            assert re.fullmatch(r"(?:[A-Z][a-z0-9]*)+", method.name)
            assert method.input_type == f".sanya.v1.{method.name}Request"
            assert method.output_type == f".sanya.v1.{method.name}Response"
    lines = text.splitlines()
    for above, line in pairwise(lines):
        if re.match(r"(message|service|  rpc|  .* = \d+)", line) and "reserved" not in line:
            assert above.strip().startswith("//"), line


def test_numbers_only_grow_and_removed_fields_stay_reserved(tmp_path: Path) -> None:
    first = FieldNumbers(
        {"DemoSayRequest": {"fields": {"old": [1, "optional string"], "text": [2, "optional string"]}}}
    )
    text = render_proto(build_proto(catalogue("demo.say"), first))
    assert parse_field_numbers(text)["DemoSayRequest.text"] == 2
    assert parse_field_numbers(text)["DemoSayRequest.times"] == 3
    assert '  reserved 1;\n  reserved "old";' in text
    (tmp_path / "sanya.proto").write_text(text, "utf-8")
    assert compile_proto(tmp_path)
    again = FieldNumbers(first.as_json())
    assert render_proto(build_proto(catalogue("demo.say"), again)) == text
    assert again.as_json() == first.as_json()


def test_a_changed_number_type_or_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FieldNumberConflict, match="text was published as optional int64"):
        build_proto(
            catalogue("demo.say"), FieldNumbers({"DemoSayRequest": {"fields": {"text": [1, "optional int64"]}}})
        )
    with pytest.raises(FieldNumberConflict, match="text is reserved"):
        build_proto(catalogue("demo.say"), FieldNumbers({"DemoSayRequest": {"fields": {}, "reserved": {"text": 1}}}))
    for name, content in build_schema_files(catalogue("demo.say"), tmp_path).items():
        (tmp_path / name).write_bytes(content)
    assert build_schema_files(catalogue("demo.say"), tmp_path)
    numbers = tmp_path / "proto_numbers.json"
    whole = json.loads(numbers.read_text())
    fields = whole["DemoSayRequest"]["fields"]
    fields["text"][0], fields["times"][0] = fields["times"][0], fields["text"][0]
    numbers.write_text(json.dumps(whole))
    with pytest.raises(FieldNumberConflict, match=r"DemoSayRequest\.text was published as number 1"):
        build_schema_files(catalogue("demo.say"), tmp_path)


def test_conflicting_message_names_are_refused() -> None:
    demo, _ = demo_suites(DemoControl())
    say = demo.tools[0]
    same = Suite(name="demo", title="Demo", dialect=DIALECT, tools=(say, replace(say, name="demo_say")))
    with pytest.raises(ProtoNameConflict, match="DemoSayRequest"):
        build_proto(_UnguardedCatalogue([same]), FieldNumbers())


class _UnguardedCatalogue(Catalogue):
    """A catalogue without the checks of the real one."""

    def __init__(self, suites: list[Suite]) -> None:
        super().__init__([])
        self.suites = tuple(suites)


def test_the_published_numbers_match_the_published_proto_file() -> None:
    published = parse_field_numbers((find_published_folder() / "sanya.proto").read_text("utf-8"))
    numbers = read_numbers(find_published_folder()).as_json()
    assert published == {
        f"{message}.{name}": number
        for message, content in numbers.items()
        for name, (number, _) in content["fields"].items()
    }


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """Python code that protoc generates from the published file."""
    outs = [f"--python_out={tmp_path}", f"--grpc_python_out={tmp_path}"]
    words = [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT / 'contracts'}", *outs, "sanya.proto"]
    subprocess.run(words, check=True, timeout=60)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("sanya_pb2"), importlib.import_module("sanya_pb2_grpc")
    for name in ("sanya_pb2", "sanya_pb2_grpc"):
        sys.modules.pop(name, None)


async def test_a_python_client_made_from_the_published_file_works(
    server: GrpcDemoServer, generated: tuple[Any, Any]
) -> None:
    messages, stubs = generated
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        answer = await stubs.TasksServiceStub(channel).GetTasks(messages.GetTasksRequest(limit=2))
        assert len(answer.body.items) == 2
        funds = stubs.FundsServiceStub(channel)
        fund = await funds.GetRmfFundDetail(messages.GetRmfFundDetailRequest(fund_code="ABAPAC-RMF"))
        assert fund.body.structured_content.fund.symbol == "ABAPAC-RMF"
        assert fund.receipt.stamp.seed == int(fund.receipt.stamp.in_hash[:16], 16)


NODE = """
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");
const [file, address] = process.argv.slice(2);
const { sanya } = grpc.loadPackageDefinition(loader.loadSync(file, { keepCase: true, longs: String }));
const tasks = new sanya.v1.TasksService(address, grpc.credentials.createInsecure());
tasks.GetTasks({ limit: 2 }, (error, answer) => {
  if (error) throw error;
  tasks.GetTasks({ limit: 501 }, (refused) => {
    const details = refused.metadata.get("grpc-status-details-bin").length;
    const { items } = answer.body;
    console.log(JSON.stringify({ items: items.length, seed: answer.receipt.stamp.seed, code: refused.code, details }));
    process.exit(0);
  });
});
"""


async def test_a_node_client_made_from_the_published_file_works(server: GrpcDemoServer, tmp_path: Path) -> None:
    node, modules = shutil.which("node"), ROOT / "web" / "node_modules"
    if node is None or not (modules / "@grpc" / "grpc-js").is_dir():
        pytest.skip("Node and the packages of web/ are not here (`make web` brings them)")
    script = tmp_path / "client.cjs"
    script.write_text(NODE, "utf-8")
    process = await asyncio.create_subprocess_exec(
        node,
        str(script),
        str(ROOT / "contracts" / "sanya.proto"),
        f"127.0.0.1:{server.port}",
        env={"NODE_PATH": str(modules)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    said = json.loads(out)
    assert said["seed"].isdigit()
    assert (said["items"], said["code"], said["details"]) == (2, 3, 1)
