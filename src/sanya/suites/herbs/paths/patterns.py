"""Parser of path patterns: node types joined by arrows, `herb-[contains]->constituent->*`.

    pattern  node (arrow node)*
    node     a type | *
    arrow    -> | -[edges]->
    edges    an edge type (| an edge type)* | *

An arrow follows an edge in either direction. A pattern that does not parse is refused with the column of the fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import cast

from sanya.suite import InvalidArgument
from sanya.suites.herbs.graph.model import EDGE_TYPES, NODE_TYPES, EdgeType, NodeType

_TOKEN = re.compile(r"\s*(?:(?P<word>(?:\w|[^\x00-\x7f\s])+)|(?P<sign>->|-\[|\]->|[*|]))")


@dataclass(frozen=True, slots=True)
class Step:
    """An edge and the node it leads to; empty and None mean any."""

    edges: tuple[EdgeType, ...] = ()
    node: NodeType | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern. `starts` are the offsets in the text of the first node and of each arrow."""

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
    return _Parser(text, "pattern").parse_pattern()


def parse_edges(text: str, field: str) -> tuple[EdgeType, ...]:
    """Parse edge types as they stand within an arrow; `field` names the input field for the fault."""
    return _Parser(text, field).parse_edges()


def build_pattern_fault(text: str, at: int, problem: str, field: str = "pattern") -> InvalidArgument:
    """Build a fault that points at offset `at` of the text. Columns in the message count from 1."""
    one_line = "".join(" " if letter.isspace() else letter for letter in text)
    message = f"{field}, column {at + 1}: {problem}\n{one_line}\n{' ' * at}^"
    return InvalidArgument(message, field=field, details={"field": field, "column": at + 1})


class _Parser:
    def __init__(self, text: str, field: str) -> None:
        self._text = text
        self._field = field
        self._tokens = list(self._tokenize())
        self._next = 0

    def _tokenize(self) -> Iterator[_Token]:
        at = 0
        while match := _TOKEN.match(self._text, at):
            kind = match.lastgroup or ""
            yield _Token(match[kind], match.start(kind), kind == "word")
            at = match.end()
        rest = self._text[at:].lstrip()
        if rest:
            raise self._build_fault(
                len(self._text) - len(rest), f"{rest[0]!r} has no meaning here; arrows are -> and -[edge]->"
            )
        yield _Token("", len(self._text))

    def parse_pattern(self) -> Pattern:
        steps, starts = [], [self._tokens[0].at]
        start = self._parse_node()
        while (arrow := self._take()).text:
            starts.append(arrow.at)
            steps.append(Step(self._parse_arrow(arrow), self._parse_node()))
        return Pattern(start, tuple(steps), tuple(starts))

    def parse_edges(self, end: str = "") -> tuple[EdgeType, ...]:
        """Parse edge types up to the token `end`; a * among them means any type."""
        edges: list[EdgeType] = []
        is_any = False
        while True:
            token = self._take()
            if token.text == "*":
                is_any = True
            else:
                edges.append(cast(EdgeType, self._match_word(token, EDGE_TYPES, "edge type")))
            separator = self._take()
            if separator.text == end:
                return () if is_any else tuple(dict.fromkeys(edges))
            if separator.text != "|":
                raise self._build_expectation_fault(separator, f"| or {end}" if end else "|")

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def _parse_node(self) -> NodeType | None:
        token = self._take()
        if token.text == "*":
            return None
        return cast(NodeType, self._match_word(token, NODE_TYPES, "node type"))

    def _parse_arrow(self, arrow: _Token) -> tuple[EdgeType, ...]:
        if arrow.text == "->":
            return ()
        if arrow.text != "-[":
            raise self._build_expectation_fault(arrow, "-> or -[edge]->")
        return self.parse_edges("]->")

    def _match_word(self, token: _Token, known: Sequence[str], word_kind: str) -> str:
        if token.text in known:
            return token.text
        if not token.is_word:
            raise self._build_expectation_fault(token, f"a{'n' if word_kind[0] in 'aeiou' else ''} {word_kind} or *")
        near = get_close_matches(token.text.lower(), known, 1)
        advice = f"did you mean {near[0]}?" if near else f"use one of {', '.join(known)}"
        raise self._build_fault(token.at, f"{token.text[:40]!r} is no {word_kind}; {advice}")

    def _build_expectation_fault(self, token: _Token, expected: str) -> InvalidArgument:
        actual = f"found {token.text!r}" if token.text else "the text ends"
        return self._build_fault(token.at, f"expected {expected}, {actual}")

    def _build_fault(self, at: int, problem: str) -> InvalidArgument:
        return build_pattern_fault(self._text, at, problem, self._field)
