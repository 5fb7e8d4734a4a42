"""The public API of suites: what it lists is there, sorted, and nothing of it is gone."""

from __future__ import annotations

import sanya.suite

PROMISED = """
BadCursor Caller CodeTable Content Context Cursors Dialect Example Fault FaultResponse Forbidden FunctionSuite
HoldingCounts Integer InvalidArgument MAX_CURSOR_CHARS Migration NotFound PLAIN_DIALECT Progress Prompt PromptArgument
RateLimited Resource Shape Store StoreTransaction Suite SuiteDefinition SuiteHome TableDialect Text TooLarge Tool
Transaction Unavailable UpstreamFailed Worker read_migrations
"""


def test_every_promised_name_is_there() -> None:
    assert set(PROMISED.split()) <= set(sanya.suite.__all__)
    assert all(hasattr(sanya.suite, name) for name in sanya.suite.__all__)


def test_every_listed_name_is_promised() -> None:
    assert set(sanya.suite.__all__) <= set(PROMISED.split()), "add the new name to PROMISED: from now on it is kept"
    assert len(sanya.suite.__all__) == len(set(sanya.suite.__all__))


def test_every_public_class_and_function_says_what_it_is() -> None:
    described = ("FunctionSuite", "HoldingCounts", "SuiteDefinition", "SuiteHome", "Store", "StoreTransaction")
    assert [name for name in described if not getattr(sanya.suite, name).__doc__] == []
