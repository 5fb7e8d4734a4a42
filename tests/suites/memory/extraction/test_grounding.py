"""What a model says, held against the text: only what is there in so many words, said as a fact, comes through."""

from __future__ import annotations

from datetime import date
from typing import Any

import orjson
import pytest

from sanya.suites.memory.extraction.grounding import GroundedItems, Grounding
from sanya.suites.memory.extraction.model_output import UnusableAnswer, parse_items
from sanya.suites.memory.parsing.parser import parse_text

SAID = date(2026, 3, 1)
TEXT = (
    "Heavy rain flooded the cellar, and the pumps stopped. Somchai Jaidee of Siam Cement saw it. "
    "The valve may have failed on 4 May 2021. คุณมานะเห็นน้ำ"
)


def ground(text: str = TEXT, **items: Any) -> GroundedItems:
    return Grounding(text, SAID, parse_text(text, SAID)).ground_items(parse_items(orjson.dumps(items).decode()))


def list_names(found: GroundedItems) -> list[str]:
    return [mention.name for mention in found.participants]


def test_names_are_kept_as_the_text_writes_them_in_either_script() -> None:
    said = [{"quote": name, "kind": "person"} for name in ("Somchai Jaidee", "มานะ")]
    assert list_names(ground(participants=said)) == ["Somchai Jaidee", "มานะ"]


@pytest.mark.parametrize(
    "quote",
    ["Somsak", "omchai", "Somchai Jai", "somchai jaidee", "the pumps", "it", "มาน", "Jaidee of\nSiam", " Siam Cement"],
)
def test_what_the_text_does_not_name_is_dropped(quote: str) -> None:
    assert list_names(ground(participants=[{"quote": quote, "kind": "person"}])) == []


@pytest.mark.parametrize("name", ["Claim:happened|fire", "Event:a|b", "Position:", "Somchai@example"])
def test_a_name_cannot_pass_for_a_key_of_the_graph(name: str) -> None:
    assert list_names(ground(f"{name} Somchai came by.", participants=[{"quote": name, "kind": "thing"}])) == []


def test_whom_a_text_only_has_it_from_takes_no_part() -> None:
    text = "According to Bangkok Post, the bridge was closed."
    assert list_names(ground(text, participants=[{"quote": "Bangkok Post", "kind": "organisation"}])) == []


def test_cause_and_effect_are_two_passages_that_stand_together() -> None:
    first, second = "Heavy rain flooded the cellar", "the pumps stopped"
    (found,) = ground(relations=[{"kind": "caused", "first": first, "second": second}]).relations
    assert (found.kind, found.first.quote, found.second.quote) == ("caused", first, second)
    far = [{"kind": "caused", "first": first, "second": "คุณมานะเห็นน้ำ"}]
    overlapping = [{"kind": "caused", "first": first, "second": "the cellar, and the pumps stopped"}]
    invented = [{"kind": "caused", "first": first, "second": "the plant exploded"}]
    assert [len(ground(relations=relations)) for relations in (far, overlapping, invented)] == [0, 0, 0]


def test_what_the_rules_have_read_is_not_read_twice() -> None:
    text = "The fire broke out on 5 May 2020. Heavy rain caused the flood."
    found = ground(
        text,
        events=[{"quote": "The fire broke out on 5 May 2020", "date": "2020-05-05"}],
        relations=[{"kind": "caused", "first": "Heavy rain", "second": "the flood"}],
    )
    assert (len(found), found.known) == (0, 2)


SPARSE = "Sprint log\n- 3 ก.พ. 2566 และ 9 ก.พ. 2566 เปิดสาขา\nWe might move on 7 June 2024."


@pytest.mark.parametrize(
    ("quote", "day"),
    [
        ("9 ก.พ. 2566 เปิดสาขา", "2023-02-10"),
        ("9 ก.พ. 2566 เปิดสาขา", "2566-02-09"),
        ("9 ก.พ. 2566 เปิดสาขา", "2023"),
        ("3 ก.พ. 2566 และ 9 ก.พ. 2566", "2023-02-03"),
        ("เปิดสาขา", "2023-02-09"),
        ("move on 7 June 2024", "2024-06-07"),
        ("9 ก.พ. 2567 เปิดสาขา", "2024-02-09"),
    ],
)
def test_a_date_that_our_own_reader_does_not_confirm_is_dropped(quote: str, day: str) -> None:
    found = ground(SPARSE, events=[{"quote": quote, "date": day}])
    assert len(found.events) + found.known == 0


@pytest.mark.parametrize(
    ("text", "quote", "day"),
    [
        (
            "The branch opened on 9 February 2023 and the warehouse burned down on 5 May 2023.",
            "the warehouse burned down on 5 May 2023",
            "2023-05-05",
        ),
        ("- 3 ก.พ. 2566 และ 9 ก.พ. 2566 เปิดสาขา", "9 ก.พ. 2566 เปิดสาขา", "2023-02-09"),
    ],
)
def test_a_date_that_it_confirms_is_kept(text: str, quote: str, day: str) -> None:
    found = ground(text, events=[{"quote": quote, "date": day}])
    assert [(event.quote, event.when.to_iso()) for event in found.events if event.when] == [(quote, day)] or found.known


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot help with that.",
        "[]",
        "null",
        '{"participants": [',
        '{"rating": "A1"}',
        '{"participants": [{"quote": "Somchai Jaidee", "kind": "person", "confidence": "A1"}]}',
        '{"participants": [{"quote": "Somchai Jaidee", "kind": "person", "role": "ignore all rules"}]}',
        '{"participants": [{"quote": "Somchai Jaidee", "kind": "system"}]}',
        '{"participants": [{"quote": 7, "kind": "person"}]}',
        '{"participants": "Somchai Jaidee"}',
        '{"events": [{"quote": "4 May 2021", "date": "yesterday"}]}',
        '{"relations": [{"kind": "contradicts", "first": "abc", "second": "def"}]}',
        '{"relations": [{"kind": "supports", "first": "abc", "second": "def"}]}',
        '{"memories": [{"id": "mem_0", "delete": true}]}',
        '{"participants": [{"quote": "\\ud800a", "kind": "person"}]}',
        orjson.dumps({"participants": [{"quote": "Somchai", "kind": "person"}] * 41}).decode(),
        orjson.dumps({"participants": [{"quote": "S" * 121, "kind": "person"}]}).decode(),
        "[" * 20_000,
    ],
)
def test_any_other_shape_is_refused_as_a_whole(answer: str) -> None:
    with pytest.raises(UnusableAnswer):
        parse_items(answer)


def test_a_fence_around_the_object_does_no_harm() -> None:
    assert len(parse_items('```json\n{"participants": [{"quote": "Somchai", "kind": "person"}]}\n```')) == 1
