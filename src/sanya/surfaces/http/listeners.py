"""The sockets that a server listens on, bound together: by the server, or by the supervisor of its workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from sanya.settings import Settings
from sanya.surfaces.grpc.runner import bind_grpc
from sanya.surfaces.http.listener import Bind, Listener, bind, join


@dataclass(frozen=True, slots=True)
class Listeners:
    http: Listener
    grpc: Listener | None = None

    def list_descriptors(self) -> tuple[int, ...]:
        return tuple(listener.fileno() for listener in (self.http, self.grpc) if listener is not None)

    @contextmanager
    def join(self) -> Iterator[Listeners]:
        """Yield sockets on the same addresses for a worker that is started now, and close them here."""
        with ExitStack() as stack:
            http = stack.enter_context(join(self.http))
            yield Listeners(http, None if self.grpc is None else stack.enter_context(join(self.grpc)))


@contextmanager
def bind_listeners(settings: Settings, bind: Bind = bind) -> Iterator[Listeners]:
    """Bind the addresses in the settings."""
    with ExitStack() as stack:
        http = stack.enter_context(bind(settings.host, settings.port))
        grpc = bind_grpc(settings, bind)
        if grpc is not None:
            stack.enter_context(grpc)
        yield Listeners(http, grpc)
