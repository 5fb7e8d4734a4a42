"""Builds a real Weaviate server from its Go module, and runs one node or a cluster of it on loopback.

    python -m scripts.weaviate build              # a few minutes, once; into the user's cache
    python -m scripts.weaviate serve --nodes 3    # prints the addresses, ends with Ctrl-C
    python -m scripts.weaviate run COMMAND        # runs a command with SANYA_WEAVIATE_URL set to a fresh server

Weaviate publishes no package for a plain machine, but its module builds with nothing but Go. The binary stays outside
the repository.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

VERSION = "v1.35.2"
MODULE = "github.com/weaviate/weaviate/cmd/weaviate-server"
_START_TIMEOUT_S = 180.0
_STOP_TIMEOUT_S = 20.0
_POLL_S = 0.1


class WeaviateMissing(RuntimeError):
    """The server is not built and cannot be built here."""


@dataclass(frozen=True, slots=True)
class NodePorts:
    """The ports of a node. Weaviate derives the second of a pair by adding one in clusters on one machine."""

    http: int
    grpc: int
    gossip: int
    data: int
    raft: int
    raft_rpc: int


class WeaviateNode:
    """One server process with a folder of its own. It can be killed and started again on the same ports."""

    def __init__(self, name: str, folder: Path, ports: NodePorts, cluster: Sequence[tuple[str, NodePorts]]) -> None:
        self.name = name
        self.ports = ports
        self._folder = folder
        self._cluster = cluster
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ports.http}"

    @property
    def log(self) -> Path:
        return self._folder / f"{self.name}.log"

    def start(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        command = [str(find_binary()), "--scheme=http", "--host=127.0.0.1", f"--port={self.ports.http}"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--read-timeout=600s", "--write-timeout=600s"],
                env=os.environ | self._build_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def wait(self) -> None:
        """Wait until the node is ready. Raise with the end of its log if it exits or stays silent."""
        deadline = time.monotonic() + _START_TIMEOUT_S
        while not self.is_ready():
            self._check_running(deadline)
            time.sleep(_POLL_S)

    def wait_for_peers(self) -> None:
        """Wait until other nodes can join this one."""
        deadline = time.monotonic() + _START_TIMEOUT_S
        while not _is_listening(self.ports.gossip):
            self._check_running(deadline)
            time.sleep(_POLL_S)

    def is_ready(self) -> bool:
        try:
            with closing(urlopen(f"{self.url}/v1/.well-known/ready", timeout=2)) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False

    def kill(self) -> None:
        """End the process without letting it save anything."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOP_TIMEOUT_S)
            self._process = None
        except subprocess.TimeoutExpired:
            self.kill()

    def _check_running(self, deadline: float) -> None:
        exited = self._process is None or self._process.poll() is not None
        if exited or time.monotonic() > deadline:
            tail = "\n".join(self.log.read_text("utf-8", "replace").splitlines()[-5:])
            raise RuntimeError(f"Weaviate {self.name} {'exited' if exited else 'is not ready'}; its log ends:\n{tail}")

    def _build_environment(self) -> dict[str, str]:
        environment = {
            "PERSISTENCE_DATA_PATH": str(self._folder / self.name),
            "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": "true",
            "DEFAULT_VECTORIZER_MODULE": "none",
            "DISABLE_TELEMETRY": "true",
            "GO_PROFILING_DISABLE": "true",
            "LOG_LEVEL": "warning",
            # The newer word index skips hits that are still in memory: of five equal best rows it returned two.
            "USE_INVERTED_SEARCHABLE": "false",
            "GRPC_PORT": str(self.ports.grpc),
            "CLUSTER_HOSTNAME": self.name,
            "CLUSTER_IN_LOCALHOST": "true",
            "CLUSTER_BIND_ADDR": "127.0.0.1",
            "CLUSTER_ADVERTISE_ADDR": "127.0.0.1",
            "CLUSTER_GOSSIP_BIND_PORT": str(self.ports.gossip),
            "CLUSTER_DATA_BIND_PORT": str(self.ports.data),
            "RAFT_PORT": str(self.ports.raft),
            "RAFT_INTERNAL_RPC_PORT": str(self.ports.raft_rpc),
            "RAFT_JOIN": ",".join(f"{name}:{ports.raft}" for name, ports in self._cluster),
            "RAFT_BOOTSTRAP_TIMEOUT": str(int(_START_TIMEOUT_S)),
            "RAFT_BOOTSTRAP_EXPECT": str(len(self._cluster)),
        }
        first = self._cluster[0][1]
        return environment | ({"CLUSTER_JOIN": f"127.0.0.1:{first.gossip}"} if self.ports != first else {})


def find_binary() -> Path:
    """Return the path of the built server."""
    path = _find_cache() / "weaviate-server"
    if not path.is_file():
        raise WeaviateMissing("Weaviate is not built; run: python -m scripts.weaviate build (it needs Go)")
    return path


def build() -> Path:
    """Build the server if it is not there yet."""
    folder = _find_cache()
    if (folder / "weaviate-server").is_file():
        return folder / "weaviate-server"
    go = shutil.which("go")
    if go is None:
        raise WeaviateMissing("Building Weaviate needs Go, which is not installed; see https://go.dev/dl")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as unfinished:
        # Without debug symbols it is half as large.
        command = [go, "install", "-ldflags=-s -w", f"{MODULE}@{VERSION}"]
        subprocess.run(command, check=True, env=os.environ | {"GOBIN": unfinished, "GOFLAGS": "-buildvcs=false"})
        folder.mkdir(exist_ok=True)
        (Path(unfinished) / "weaviate-server").replace(folder / "weaviate-server")
    return folder / "weaviate-server"


@contextmanager
def run_nodes(folder: Path, count: int = 1) -> Iterator[list[WeaviateNode]]:
    """Run a node, or a cluster of several, until the block ends."""
    cluster = [(f"node{number}", ports) for number, ports in enumerate(_choose_ports(count), start=1)]
    nodes = [WeaviateNode(name, folder, ports, cluster) for name, ports in cluster]
    try:
        for node in nodes:
            node.start()
            # A node exits if it cannot join the first at once.
            node.wait_for_peers()
        for node in nodes:
            node.wait()
        yield nodes
    finally:
        for node in nodes:
            node.stop()


def _find_cache() -> Path:
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "sanya" / f"weaviate-{VERSION}"


def _choose_ports(count: int) -> list[NodePorts]:
    """Return free ports for so many nodes. All are held until the last is chosen, so that none is chosen twice."""
    with ExitStack() as held:
        pairs = [_hold_free_pair(held) for _ in range(3 * count)]
    return [NodePorts(*http, *gossip, *raft) for http, gossip, raft in zip(*[iter(pairs)] * 3, strict=True)]


def _hold_free_pair(held: ExitStack) -> tuple[int, int]:
    """Return two free ports that follow each other."""
    while True:
        first, second = held.enter_context(socket.socket()), held.enter_context(socket.socket())
        first.bind(("127.0.0.1", 0))
        port = int(first.getsockname()[1])
        try:
            second.bind(("127.0.0.1", port + 1))
        except (OSError, OverflowError):
            continue
        return port, port + 1


def _is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_options(sys.argv[1:] if arguments is None else arguments)
    try:
        print(build(), flush=True)
    except WeaviateMissing as error:
        print(error, file=sys.stderr)
        return 1
    if options.action == "build":
        return 0
    with tempfile.TemporaryDirectory() as passing, run_nodes(options.folder or Path(passing), options.nodes) as nodes:
        for node in nodes:
            print(f"SANYA_WEAVIATE_URL={node.url} SANYA_WEAVIATE_GRPC_PORT={node.ports.grpc}", flush=True)
        return _run(options.command, nodes[0]) if options.action == "run" else _wait_for_interrupt()


def parse_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the options. Those of the command that `run` starts stay its own."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.weaviate",
        description="A real Weaviate, built from its module.",
        epilog="run [options] COMMAND starts a command with the address of a fresh server in its environment.",
    )
    parser.add_argument("action", choices=("build", "serve", "run"))
    parser.add_argument("--nodes", type=int, default=1, help="nodes of the cluster, 1 by default")
    parser.add_argument("--folder", type=Path, help="where the data stays; by default it is gone with the server")
    # argparse gives every option behind the action to a positional argument that takes the rest.
    begin = 1
    while begin < len(arguments) and arguments[begin].startswith("--"):
        begin += 1 if "=" in arguments[begin] else 2
    is_run = list(arguments[:1]) == ["run"]
    options = parser.parse_args(arguments[:begin] if is_run else arguments)
    options.command = list(arguments[begin:]) if is_run else []
    if is_run and not options.command:
        parser.error("run needs a command")
    return options


def _run(command: Sequence[str], node: WeaviateNode) -> int:
    addresses = {"SANYA_WEAVIATE_URL": node.url, "SANYA_WEAVIATE_GRPC_PORT": str(node.ports.grpc)}
    return subprocess.run(command, env=os.environ | addresses).returncode


def _wait_for_interrupt() -> int:
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
