from __future__ import annotations

from sanya.kernel.storage.sql import build_insert, expand_in_list, format_placeholders


def test_there_is_a_placeholder_for_each_value() -> None:
    assert format_placeholders(["a", "b", "c"]) == "?, ?, ?"
    assert format_placeholders([]) == ""
    assert expand_in_list("SELECT 1 FROM t WHERE id IN (:values)", ["a", "b"]) == "SELECT 1 FROM t WHERE id IN (?, ?)"
    assert build_insert("t", ("a", "b")) == "INSERT INTO t (a, b) VALUES (?, ?)"
