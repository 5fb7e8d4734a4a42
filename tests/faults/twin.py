"""A failing twin of any port: it forwards to the real one until the step where it fails.

A step is one question to the port: a call, the beginning of a transaction, a statement in it, its commit. The twin
fails before the real one is asked, or after it has answered and the answer is lost; once, or from then on.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar, cast

Port = TypeVar("Port")

COMMIT = "commit"


@dataclass(frozen=True)
class Failure:
    """A failure to inject. `late`: the step is done and its answer is lost. Not `once`: the port stays away from this
    step on."""

    at: int
    error: Callable[[], Exception]
    once: bool = True
    late: bool = False

    def __str__(self) -> str:
        error = self.error()
        since = "once" if self.once else "from then on"
        return f"step {self.at} {'after' if self.late else 'before'} it is done, {since}, {type(error).__name__}"


@dataclass
class Steps:
    """Counts steps while it is `counting`, and fails at the chosen one."""

    failure: Failure | None = None
    counting: bool = False
    names: list[str] = field(default_factory=list)
    raised: list[Exception] = field(default_factory=list)
    on_commit: Callable[[], Any] | None = None

    def begin(self, name: str) -> int:
        if not self.counting:
            return 0
        self.names.append(name)
        number = len(self.names)
        if self.failure is not None and self._is_away(self.failure, number):
            self._fail(self.failure)
        return number

    def end(self, number: int) -> None:
        if number and self.failure is not None and self.failure.late and number == self.failure.at:
            self._fail(self.failure)

    @property
    def has_failed(self) -> bool:
        return bool(self.raised)

    @staticmethod
    def _is_away(failure: Failure, number: int) -> bool:
        if number == failure.at:
            return not failure.late
        return number > failure.at and not failure.once

    def _fail(self, failure: Failure) -> None:
        self.raised.append(failure.error())
        raise self.raised[-1]


def make_twin(port: Port, steps: Steps) -> Port:
    return cast(Port, _Twin(port, steps))


class _Twin:
    def __init__(self, port: Any, steps: Steps) -> None:
        self._port = port
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._port, name)
        return self._step(name, found) if callable(found) else found

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._step("call", self._port)(*arguments, **named)

    def _step(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            asked = method(*arguments, **named)
            if hasattr(asked, "__aenter__"):
                return _Entered(asked, self._steps, name)
            if hasattr(asked, "__aiter__"):
                return self._read(name, asked)
            return self._answer(name, asked) if inspect.isawaitable(asked) else asked

        return call

    async def _answer(self, name: str, asked: Any) -> Any:
        try:
            number = self._steps.begin(name)
        except BaseException:
            if inspect.iscoroutine(asked):
                asked.close()
            raise
        answer = await asked
        self._steps.end(number)
        return answer

    async def _read(self, name: str, asked: AsyncIterator[Any]) -> AsyncIterator[Any]:
        self._steps.begin(name)
        async for item in asked:
            yield item


class _Entered:
    """What is entered and left, such as a transaction: to begin it is a step, and so is its end, if that is a good
    one. An end that fails before it is done leaves everything undone."""

    def __init__(self, entered: Any, steps: Steps, name: str) -> None:
        self._entered = entered
        self._steps = steps
        self._name = name

    async def __aenter__(self) -> Any:
        number = self._steps.begin(self._name)
        inside = await self._entered.__aenter__()
        try:
            self._steps.end(number)
        except Exception as error:
            await self._leave(error)
            raise
        return _Twin(inside, self._steps)

    async def __aexit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> Any:
        if error is not None:
            return await self._entered.__aexit__(kind, error, trace)
        try:
            number = self._steps.begin(COMMIT)
        except Exception as failure:
            await self._leave(failure)
            raise
        await self._entered.__aexit__(None, None, None)
        if number and self._steps.on_commit is not None:
            await self._steps.on_commit()
        self._steps.end(number)
        return None

    async def _leave(self, error: Exception) -> None:
        try:
            await self._entered.__aexit__(type(error), error, error.__traceback__)
        except Exception as raised:
            if raised is not error:
                raise
