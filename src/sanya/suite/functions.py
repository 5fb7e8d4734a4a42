"""The short form of a suite: async functions with types, each of which becomes a tool.

    suite = FunctionSuite("glossary", title="Glossary")

    @suite.tool(example={"term": "SLA"})
    async def define(term: Annotated[str, "The term to explain"]) -> Definition:
        "Explain a term."

The parameters become the input, the docstring the description, the return type the answer. A parameter of the type
`Context` or `Store` is filled in by the server. A result that is no `Shape` is returned as `{"result": …}`.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from pydantic import Field, create_model
from pydantic.fields import FieldInfo

from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.dialect import Dialect
from sanya.kernel.contracts.shapes import Integer, Shape, Text
from sanya.kernel.contracts.suite import Content, Prompt, PromptArgument, Resource, Suite
from sanya.kernel.contracts.tool import Effect, Example, Handler, Tool
from sanya.kernel.storage.migrations import Migration
from sanya.suite.definition import HoldingCounts, SuiteDefinition, SuiteHome
from sanya.suite.guest_store import Store
from sanya.suite.plain_dialect import PLAIN_DIALECT

MAX_TEXT_CHARS = 10_000
"""Bound of a text argument that declares none."""

ToolFunction = TypeVar("ToolFunction", bound=Callable[..., Awaitable[Any]])
PromptFunction = TypeVar("PromptFunction", bound=Callable[..., str])
# A validator before them, or a bound: types that take what JSON holds, and no more than the kernel can store.
_BOUNDED: dict[Any, Any] = {str: Annotated[Text, Field(max_length=MAX_TEXT_CHARS)], int: Integer}

# The server fills in a parameter of these types.
_PROVIDED = (Context, Store, SuiteHome)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FunctionTool:
    function: Callable[..., Awaitable[Any]]
    title: str
    effect: Effect
    timeout_ms: int
    example: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _FunctionResource:
    function: Callable[..., Awaitable[Any]]
    uri: str
    title: str
    mime_type: str


class FunctionSuite:
    """A suite made of decorated functions. `name` is also the prefix of its tools and the name of its scopes."""

    def __init__(
        self,
        name: str,
        *,
        title: str = "",
        dialect: Dialect = PLAIN_DIALECT,
        migrations: tuple[Migration, ...] = (),
        contracts: Traversable | None = None,
    ) -> None:
        self.name = name
        self.title = title or name.capitalize()
        self._dialect = dialect
        self._functions: list[_FunctionTool] = []
        self._resources: list[_FunctionResource] = []
        self._prompts: list[Prompt] = []
        self.definition = SuiteDefinition(
            name=name,
            open=self._open,
            migrations=migrations,
            contracts=contracts,
            holdings=HoldingCounts(_count_tables(name, migrations)),
        )

    def tool(
        self,
        *,
        title: str = "",
        effect: Effect = "read",
        timeout_ms: int = 30_000,
        example: Mapping[str, Any] | None = None,
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Return a decorator that makes an async function a tool called `SUITE.FUNCTION`."""

        def register(function: ToolFunction) -> ToolFunction:
            if not _is_asynchronous(function):
                raise TypeError(f"{function.__name__} must be an async function")
            shown = title or _write_title(function)
            self._functions.append(
                _FunctionTool(function=function, title=shown, effect=effect, timeout_ms=timeout_ms, example=example)
            )
            return function

        return register

    def resource(
        self, uri: str, *, title: str = "", mime_type: str = "text/plain"
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Return a decorator that makes an async function a resource. Parts of the URI such as `{term}` are its
        parameters. A `Shape` or a dictionary becomes JSON, a text stays one."""

        def register(function: ToolFunction) -> ToolFunction:
            if not _is_asynchronous(function):
                raise TypeError(f"{function.__name__} must be an async function")
            shown = title or _write_title(function)
            self._resources.append(_FunctionResource(function=function, uri=uri, title=shown, mime_type=mime_type))
            return function

        return register

    def prompt(self, *, title: str = "") -> Callable[[PromptFunction], PromptFunction]:
        """Return a decorator that makes a function from texts to a text a prompt called `SUITE_FUNCTION`."""

        def register(function: PromptFunction) -> PromptFunction:
            self._prompts.append(build_function_prompt(self.name, function, title or _write_title(function)))
            return function

        return register

    async def _open(self, home: SuiteHome) -> Suite:
        return Suite(
            name=self.name,
            title=self.title,
            dialect=self._dialect,
            tools=tuple(self._build_tool(declared, home) for declared in self._functions),
            resources=tuple(self._build_resource(declared, home) for declared in self._resources),
            prompts=tuple(self._prompts),
        )

    def _build_resource(self, declared: _FunctionResource, home: SuiteHome) -> Resource:
        function = declared.function
        hints = get_type_hints(function, include_extras=True)
        provided = _list_provided(hints)
        is_json = hints.get("return") is not str

        async def read(parts: Mapping[str, str], context: Context) -> Content:
            result = await function(**parts, **_fill_provided(provided, home, context))
            if isinstance(result, Shape):
                return Content(data=result.model_dump(mode="json", by_alias=True))
            return (
                Content(data=result) if isinstance(result, dict) else Content(text=result, mime_type=declared.mime_type)
            )

        return Resource(
            uri=declared.uri,
            suite=self.name,
            name=function.__name__,
            title=declared.title,
            description=inspect.cleandoc(function.__doc__ or ""),
            read=read,
            mime_type="application/json" if is_json else declared.mime_type,
        )

    def _build_tool(self, declared: _FunctionTool, home: SuiteHome) -> Tool:
        function = declared.function
        hints = get_type_hints(function, include_extras=True)
        output, is_wrapped = _build_output(function, hints.get("return", type(None)))
        return Tool(
            name=f"{self.name}.{function.__name__}",
            suite=self.name,
            title=declared.title,
            description=inspect.cleandoc(function.__doc__ or ""),
            input=_build_input(function, hints),
            output=output,
            handler=_build_handler(function, hints, home, output if is_wrapped else None),
            dialect=self._dialect,
            effect=declared.effect,
            timeout_ms=declared.timeout_ms,
            examples=() if declared.example is None else (Example(declared.title, declared.example),),
        )


def _count_tables(suite: str, migrations: tuple[Migration, ...]) -> dict[str, str]:
    """Return the tables by the label that the console shows: `guest_glossary_terms` is shown as "terms"."""
    tables = (table for migration in migrations for table in migration.list_tables())
    return {table.removeprefix(f"guest_{suite}_").replace("_", " "): table for table in tables}


def _is_asynchronous(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function)


def _build_handler(
    function: Callable[..., Awaitable[Any]], hints: Mapping[str, Any], home: SuiteHome, wrapper: type[Shape] | None
) -> Handler:
    provided = _list_provided(hints)
    given = [name for name in inspect.signature(function).parameters if name not in provided]

    async def handle(request: Shape, context: Context) -> Shape:
        arguments = {name: getattr(request, name) for name in given}
        result = await function(**arguments, **_fill_provided(provided, home, context))
        return result if wrapper is None else wrapper.model_validate({"result": result})

    return handle


def _list_provided(hints: Mapping[str, Any]) -> dict[str, type]:
    """List the arguments that the server fills in, once for a function: to compare types takes 3 % of a call's time."""
    return {name: hint for name, hint in hints.items() if name != "return" and hint in _PROVIDED}


def _fill_provided(provided: Mapping[str, type], home: SuiteHome, context: Context) -> dict[str, Any]:
    return {
        name: context if kind is Context else home.store if kind is Store else home for name, kind in provided.items()
    }


def _write_title(function: Callable[..., Any]) -> str:
    return function.__name__.replace("_", " ").capitalize()


def build_function_prompt(suite: str, function: Callable[..., str], title: str) -> Prompt:
    """Return a prompt whose arguments are the parameters of the function; one without a default is required."""
    hints = get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters

    def render(given: Mapping[str, str]) -> str:
        return function(**given)

    def build_argument(name: str) -> PromptArgument:
        notes = get_args(hints.get(name)) if get_origin(hints.get(name)) is Annotated else ()
        text = next((note for note in notes if isinstance(note, str)), name.replace("_", " ").capitalize())
        return PromptArgument(name, text, required=parameters[name].default is inspect.Parameter.empty)

    return Prompt(
        name=f"{suite}_{function.__name__}",
        suite=suite,
        title=title,
        description=inspect.cleandoc(function.__doc__ or ""),
        arguments=tuple(map(build_argument, parameters)),
        render=render,
    )


def _build_input(function: Callable[..., Any], hints: Mapping[str, Any]) -> type[Shape]:
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if hints.get(name) in _PROVIDED:
            continue
        if name not in hints:
            raise TypeError(f"{function.__name__}: the parameter {name} needs a type")
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[name] = (_describe_hint(hints[name], name), default)
    return create_model(_make_class_name(function, "Input"), __base__=Shape, __module__=function.__module__, **fields)


def _build_output(function: Callable[..., Any], hint: Any) -> tuple[type[Shape], bool]:
    """Return the shape of the answer, and whether it wraps the result."""
    if isinstance(hint, type) and issubclass(hint, Shape):
        return hint, False
    fields: dict[str, Any] = {"result": (_describe_hint(hint, "result", bounded=False), ...)}
    name = _make_class_name(function, "Answer")
    return create_model(name, __base__=Shape, __module__=function.__module__, **fields), True


def _describe_hint(hint: Any, name: str, *, bounded: bool = True) -> Any:
    """Return the type with a description: the text of `Annotated[type, "text"]`, else the name in words."""
    base, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    text = next((note for note in notes if isinstance(note, str)), name.replace("_", " ").capitalize())
    others = [note for note in notes if not isinstance(note, str)]
    is_described = any(isinstance(note, FieldInfo) and note.description for note in others)
    bounds = _BOUNDED.get(base, base) if bounded and not others else base
    for note in (*others, *(() if is_described else (Field(description=text),))):
        bounds = Annotated[bounds, note]
    return bounds


def _make_class_name(function: Callable[..., Any], ending: str) -> str:
    return function.__name__.title().replace("_", "") + ending
