"""`detail: short`: what is left out of an answer."""

from __future__ import annotations

from sanya.kernel.contracts.detail import shorten_body


def test_what_is_empty_is_left_out_but_not_from_lists_that_are_read_side_by_side() -> None:
    body = {"a": None, "b": "", "c": [], "d": {}, "e": 0, "f": False, "g": [1.5, None], "h": {"i": None}}
    assert shorten_body(body, ()) == {"e": 0, "f": False, "g": [1.5, None], "b": "", "d": {}, "h": {}}


def test_an_answer_that_found_nothing_still_says_so() -> None:
    assert shorten_body({"items": [], "next_cursor": None, "nearest": []}, ()) == {"items": []}
    assert shorten_body({"items": [], "more": [1]}, ()) == {"more": [1]}


def test_a_sentence_is_printed_once_within_an_object_and_those_inside_it() -> None:
    warned = {
        "evidence": "Bleeding may become more likely; additive effect",
        "effect": "Bleeding may become more likely",
        "statements": [{"id": "s1", "effect": "Bleeding may become more likely", "note": "Seen in one trial only."}],
    }
    assert shorten_body({"results": [warned]}, ()) == {
        "results": [{"evidence": warned["evidence"], "statements": [{"id": "s1", "note": "Seen in one trial only."}]}]
    }


def test_a_sentence_of_another_object_stays_where_it_says_something_about_this_one() -> None:
    pairs = [{"drug": drug, "effect": "Bleeding may become more likely"} for drug in ("warfarin", "aspirin")]
    assert shorten_body({"pairs": pairs}, ()) == {"pairs": pairs}


def test_ids_and_times_are_no_sentences() -> None:
    task = {"created_at": "2025-06-02T06:20:00.000Z", "updated_at": "2025-06-02T06:20:00.000Z"}
    assert shorten_body({"task": task}, ()) == {"task": task}


def test_an_object_that_stood_before_is_named_by_its_id() -> None:
    task = {"id": "t1", "title": "Order coffee beans from Chiang Rai", "status": "TODO", "due_at": None}
    changed = {**task, "status": "DONE"}
    short = shorten_body({"open": [task], "due": [task], "done": [changed]}, ())
    assert short["due"] == [{"id": "t1"}]
    assert short["done"][0]["status"] == "DONE"


def test_decimals_are_rounded_and_tiny_figures_kept() -> None:
    assert shorten_body({"a": 0.651301383972168, "b": 0.00001234}, ()) == {"a": 0.6513, "b": 0.00001234}


def test_named_fields_are_left_out() -> None:
    body = {"hits": [{"id": "a", "score_parts": {"words": 1.0}}]}
    assert shorten_body(body, (("hits", "*", "score_parts"),)) == {"hits": [{"id": "a"}]}
