from __future__ import annotations

from sanya.kernel.ledger.redaction import MAX_REFUSED_BYTES, REDACTED, redact

PATHS = (("secret",), ("list", "*", "token"))


def test_only_the_named_fields_are_taken_out() -> None:
    given = {"secret": "a", "list": [{"token": "b", "name": "c"}, {"name": "d"}], "other": 1}
    kept, redacted = redact(b"unused", given, PATHS)
    assert kept == f'{{"list":[{{"name":"c","token":"{REDACTED}"}},{{"name":"d"}}],"other":1,"secret":"{REDACTED}"}}'
    assert redacted


def test_what_holds_no_secret_is_kept_as_it_is() -> None:
    assert redact(b"unused", {"secret": None, "other": 1}, PATHS) == ('{"other":1,"secret":null}', False)
    assert redact(b'{"a":1}', {"a": 1}, ()) == ('{"a":1}', False)


def test_refused_arguments_are_kept_where_no_secret_can_be_in_them() -> None:
    assert redact(b'{"a":1}', None, ()) == ('{"a":1}', False)
    assert redact(b'{"a":1}', None, PATHS) == ("{}", True)


def test_refused_arguments_beyond_all_bounds_are_not_kept() -> None:
    largest = b'"' + b"x" * (MAX_REFUSED_BYTES - 2) + b'"'
    assert redact(largest, None, ()) == (largest.decode("ascii"), False)
    assert redact(largest + b" ", None, ()) == ("{}", True)
