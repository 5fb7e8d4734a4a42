"""The pattern language of paths: node types joined by arrows, `herb-[contains]->constituent->*`.

    pattern  node (arrow node)*
    node     a type | *
    arrow    -> | -[edges]->
    edges    an edge type (| an edge type)* | *

An arrow goes along an edge in either direction. What does not parse is refused with the column of the fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import cast

from sanya.kernel.faults import InvalidArgument
from sanya.suites.herbs.graph.model import EDGE_TYPES, NODE_TYPES, EdgeType, NodeType

_TOKEN = re.compile(r"\s*(?:(?P<word>(?:\w|[^\x00-\x7f\s])+)|(?P<sign>->|-\[|\]->|[*|]))")


@dataclass(frozen=True, slots=True)
class Step:
    """One edge and the node behind it; empty and None mean any."""

    edges: tuple[EdgeType, ...] = ()
    node: NodeType | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """`starts` says where the first node and then each arrow stand in the text."""

    start: NodeType | None
    steps: tuple[Step, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    at: int
    is_word: bool = False


@lru_cache(maxsize=256)
def parse_pattern(text: str) -> Pattern:
    return _Parser(text, "pattern").pattern()


def parse_edges(text: str, field: str) -> tuple[EdgeType, ...]:
    """Edge types alone, as they stand within an arrow; `field` is where the text came from."""
    return _Parser(text, field).edges()


def pattern_fault(text: str, at: int, problem: str, field: str = "pattern") -> InvalidArgument:
    """`at` counts characters from 0; people count from 1."""
    shown = "".join(" " if letter.isspace() else letter for letter in text)
    message = f"{field}, column {at + 1}: {problem}\n{shown}\n{' ' * at}^"
    return InvalidArgument(message, field=field, details={"field": field, "column": at + 1})


class _Parser:
    def __init__(self, text: str, field: str) -> None:
        self._text = text
        self._field = field
        self._tokens = list(self._read())
        self._next = 0

    def _read(self) -> Iterator[_Token]:
        at = 0
        while found := _TOKEN.match(self._text, at):
            kind = found.lastgroup or ""
            yield _Token(found[kind], found.start(kind), kind == "word")
            at = found.end()
        rest = self._text[at:].lstrip()
        if rest:
            raise self._fault(
                len(self._text) - len(rest), f"{rest[0]!r} has no meaning here; arrows are -> and -[edge]->"
            )
        yield _Token("", len(self._text))

    def pattern(self) -> Pattern:
        steps, starts = [], [self._tokens[0].at]
        start = self._node()
        while (arrow := self._take()).text:
            starts.append(arrow.at)
            steps.append(Step(self._arrow(arrow), self._node()))
        return Pattern(start, tuple(steps), tuple(starts))

    def edges(self, end: str = "") -> tuple[EdgeType, ...]:
        """Up to the token `end`; a * among them is any."""
        edges: list[EdgeType] = []
        is_any = False
        while True:
            token = self._take()
            if token.text == "*":
                is_any = True
            else:
                edges.append(cast(EdgeType, self._one_of(token, EDGE_TYPES, "edge type")))
            following = self._take()
            if following.text == end:
                return () if is_any else tuple(dict.fromkeys(edges))
            if following.text != "|":
                raise self._expected(following, f"| or {end}" if end else "|")

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def _node(self) -> NodeType | None:
        token = self._take()
        if token.text == "*":
            return None
        return cast(NodeType, self._one_of(token, NODE_TYPES, "node type"))

    def _arrow(self, arrow: _Token) -> tuple[EdgeType, ...]:
        if arrow.text == "->":
            return ()
        if arrow.text != "-[":
            raise self._expected(arrow, "-> or -[edge]->")
        return self.edges("]->")

    def _one_of(self, token: _Token, known: Sequence[str], what: str) -> str:
        if token.text in known:
            return token.text
        if not token.is_word:
            raise self._expected(token, f"a{'n' if what[0] in 'aeiou' else ''} {what} or *")
        near = get_close_matches(token.text.lower(), known, 1)
        advice = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        raise self._fault(token.at, f"{token.text[:40]!r} is no {what}; {advice}")

    def _expected(self, token: _Token, what: str) -> InvalidArgument:
        found = f"found {token.text!r}" if token.text else "the text ends"
        return self._fault(token.at, f"{what} is expected, {found}")

    def _fault(self, at: int, problem: str) -> InvalidArgument:
        return pattern_fault(self._text, at, problem, self._field)
