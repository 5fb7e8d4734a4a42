"""The pattern language: every text parses or is refused at the column of its fault."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.kernel.faults import InvalidArgument
from sanya.suites.herbs.graph.model import EDGE_TYPES, NODE_TYPES
from sanya.suites.herbs.paths.patterns import Pattern, Step, parse_edges, parse_pattern
from tests.long_form import often

PIECES = st.sampled_from(
    [*NODE_TYPES, *EDGE_TYPES, "->", "-[", "]->", "|", "*", " ", "\n", "-", ">", "herbs", "สมุนไพร", "[", "]", "", "\t*"]
)


def test_nodes_are_joined_by_arrows() -> None:
    found = parse_pattern("herb->constituent->indication")
    assert found.start == "herb"
    assert found.steps == (Step((), "constituent"), Step((), "indication"))


def test_an_edge_may_be_named_and_anything_may_be_a_star() -> None:
    found = parse_pattern(" herb -[contains|treats|contains]-> * -[*]-> drug ")
    assert found.steps == (Step(("contains", "treats"), None), Step((), "drug"))
    assert found.starts == (1, 6, 38)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 1, "expected a node type or *, the text ends"),
        ("herbs", 1, "did you mean herb?"),
        ("herb->", 7, "the text ends"),
        ("herb->->drug", 7, "found '->'"),
        ("herb drug", 6, "expected -> or -[edge]->, found 'drug'"),
        ("herb-[contains->drug", 15, "expected | or ]->"),
        ("herb-[contain]->drug", 7, "did you mean contains?"),
        ("herb-[]->drug", 7, "expected an edge type or *"),
        ("herb-[contains|]->drug", 16, "expected an edge type or *"),
        ("herb -> constituent => drug", 21, "'=' has no meaning here"),
        ("herb--drug", 5, "'-' has no meaning here"),
        ("ขิง->drug", 1, "'ขิง' is no node type; use one of herb, constituent"),
    ],
)
def test_a_fault_is_shown_at_its_column(text: str, column: int, words: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        parse_pattern(text)
    assert refused.value.details == {"field": "pattern", "column": column}
    head, shown, caret = refused.value.message.split("\n")
    assert words in head
    assert f"column {column}:" in head
    assert (shown, caret.index("^")) == (text, column - 1)


def test_edges_alone_are_read_the_same_way() -> None:
    assert parse_edges("treats | contains", "filters.edges") == ("treats", "contains")
    assert parse_edges("*", "filters.edges") == ()
    with pytest.raises(InvalidArgument) as refused:
        parse_edges("treats, contains", "filters.edges")
    assert refused.value.details == {"field": "filters.edges", "column": 7}


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=40))
@settings(max_examples=often(250, 1000), deadline=None)
def test_every_text_parses_or_points_at_its_fault(text: str) -> None:
    try:
        found = parse_pattern(text)
    except InvalidArgument as refused:
        assert 1 <= refused.details["column"] <= len(text) + 1
    else:
        assert parse_pattern(written(found)).steps == found.steps


def written(pattern: Pattern) -> str:
    """Write a pattern in its simplest form."""
    arrows = [f"-[{'|'.join(step.edges)}]->" if step.edges else "->" for step in pattern.steps]
    nodes = [step.node or "*" for step in pattern.steps]
    return (pattern.start or "*") + "".join(map("".join, zip(arrows, nodes, strict=True)))
