"""Suites of other packages: served beside ours, in a namespace of their own, and never in the way of the others."""

from __future__ import annotations

import logging
import re
import sys
from pathlib import Path

import pytest

import sanya
from sanya.app import CallRefused
from sanya.checkup.home import check_home
from sanya.kernel.calls.call import Answered, Call, Caller, Refused
from sanya.overview import list_holdings
from sanya.settings import load_settings
from sanya.surfaces.cli.main import main
from sanya.surfaces.graphql.schema import build_valid_schema
from sanya.surfaces.grpc.server import GrpcServer
from sanya.surfaces.guest_names import build_with_guests
from sanya.surfaces.http.openapi import build_openapi
from sanya.surfaces.setting_changes import replace_setting
from sanya.transfer import back_up, restore
from tests.suite.conftest import GLOSSARY, Installer

HEAD = "from sanya.suite import FunctionSuite, Migration, NotFound, Store, SuiteHome, Context\n"


async def test_an_installed_suite_answers_and_is_listed_with_its_version(install: Installer, tmp_path: Path) -> None:
    install("glossary")
    async with sanya.open(tmp_path / "home") as app:
        await app.call("glossary.add", {"term": "SLA", "meaning": "service level agreement"})
        assert await app.call("glossary_define", {"term": "SLA"}) == {
            "term": "SLA",
            "meaning": "service level agreement",
        }
        assert await app.call("glossary.count") == {"result": 1}
        assert [(guest.name, guest.version, guest.state) for guest in app.guests] == [("glossary", "1.2", "served")]
        assert "/tools/glossary.define" in build_openapi(app.kernel.catalogue, needs_credentials=False)["paths"]
        app.check_contracts()


async def test_a_wrong_argument_is_refused_by_name_and_bound(install: Installer, tmp_path: Path) -> None:
    install("glossary")
    async with sanya.open(tmp_path / "home") as app:
        with pytest.raises(CallRefused, match="term"):
            await app.call("glossary.define", {"term": "x" * 10_001})
        with pytest.raises(CallRefused) as refused:
            await app.call("glossary.define", {"term": "unknown"})
        assert refused.value.error["code"] == "NOT_FOUND"


async def test_a_caller_needs_the_scope_of_the_guest(install: Installer, tmp_path: Path) -> None:
    install("glossary")
    async with sanya.open(tmp_path / "home") as app:
        reader = Caller("reader", frozenset({"glossary:read"}))
        assert isinstance(await app.kernel.call(Call("glossary.count", {}, caller=reader)), Answered)
        written = await app.kernel.call(Call("glossary.add", {"term": "a", "meaning": "b"}, caller=reader))
        assert isinstance(written, Refused)
        assert written.error["code"] == "FORBIDDEN"


async def test_the_console_counts_the_rows_of_a_guest(install: Installer, tmp_path: Path) -> None:
    install("glossary")
    async with sanya.open(tmp_path / "home") as app:
        await app.call("glossary.add", {"term": "SLA", "meaning": "service level agreement"})
        holdings = await list_holdings(app, frozenset({"glossary"}), Caller("owner", frozenset({"*"})))
        assert [(held.suite, dict(held.counts), held.revision) for held in holdings] == [("glossary", {"terms": 1}, 1)]


BROKEN = {
    "explodes at import": ("\nraise RuntimeError('no licence file')", "RuntimeError: no licence file (sanya_broken"),
    "needs a library": ("import no_such_library", "No module named 'no_such_library'"),
    "has a migration that fails": (
        HEAD + 'suite = FunctionSuite("broken", migrations=(Migration(1, "x", "CREATE TABLE guest_broken_t (a,,);"),))',
        "migration 1 (x) of broken fails: ",
    ),
    "ends the process": ("raise SystemExit('bye')", "bye"),
    "is no suite": ("suite = 5", "SuiteDefinition or a FunctionSuite"),
    "has another name": (HEAD + 'suite = FunctionSuite("other")', "use one name"),
    "takes a foreign table": (
        HEAD + 'suite = FunctionSuite("broken", migrations=(Migration(1, "x", "DROP TABLE ledger;"),))',
        "must change only tables",
    ),
    "has a parameter without type": (
        HEAD + 'suite = FunctionSuite("broken")\n@suite.tool()\nasync def find(term) -> int:\n    """Finds."""',
        "needs a type",
    ),
}


@pytest.mark.parametrize(("source", "reason"), BROKEN.values(), ids=list(BROKEN))
async def test_a_suite_that_fails_is_named_and_takes_nobody_down(
    source: str, reason: str, install: Installer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install("broken", source)
    install("glossary")
    caplog.set_level(logging.CRITICAL)
    async with sanya.open(tmp_path / "home") as app:
        broken, glossary = app.guests
        assert (broken.name, broken.state, glossary.state) == ("broken", "failed", "served")
        assert reason in broken.reason
        assert await app.call("get_tasks", {"limit": 1})
        assert await app.call("glossary.count") == {"result": 0}


UNNAMEABLE = """
from sanya.suite import FunctionSuite, Shape
from pydantic import Field
suite = FunctionSuite("names")

class Twins(Shape):
    a_b: int
    \"\"\"One\"\"\"
    aB: int
    \"\"\"Two\"\"\"

class Thai(Shape):
    name: int = Field(alias="ชื่อ", description="ชื่อ")

@suite.tool()
async def twins(x: int) -> Twins:
    \"\"\"Returns two members of one name in proto.\"\"\"
    return Twins(a_b=x, aB=x)

@suite.tool()
async def thai(x: int) -> Thai:
    \"\"\"Returns a member without a Latin letter.\"\"\"
    return Thai.model_validate({"ชื่อ": x})

@suite.tool()
async def plain(x: int) -> int:
    \"\"\"Returns it.\"\"\"
    return x
"""


async def test_a_tool_that_a_typed_surface_cannot_name_is_left_out_there_alone(
    install: Installer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install("names", UNNAMEABLE)
    caplog.set_level(logging.CRITICAL)
    async with sanya.open(tmp_path / "home", suites_disabled="herbs,papers,memory,funds") as app:
        GrpcServer(app)
        schema = build_with_guests(app.kernel.catalogue, build_valid_schema, "GraphQL")
        assert schema.query_type is not None
        assert {"get_tasks", "names_twins", "names_plain"} <= schema.query_type.fields.keys()
        assert "names_thai" not in schema.query_type.fields
        assert await app.call("names.thai", {"x": 1}) == {"ชื่อ": 1}
        assert await app.call("names.twins", {"x": 1}) == {"a_b": 1, "aB": 1}


def test_a_guest_has_a_command_with_an_option_for_each_argument(
    install: Installer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install("glossary")
    home = ["--home", str(tmp_path / "home")]
    assert main([*home, "glossary", "add", "--term", "SLA", "--meaning", "5"]) == 0
    assert '"meaning":"5"' in capsys.readouterr().out
    assert main([*home, "glossary", "define", "--term", "x"]) == 1
    assert "NOT_FOUND" in capsys.readouterr().out
    assert main([*home, "glossary"]) == 0
    assert "Explains a term." in capsys.readouterr().out
    assert main([*home, "glossary", "defin"]) == 1
    assert "it has: add, define, count" in capsys.readouterr().err


async def test_a_disabled_suite_is_not_loaded_and_its_data_stays(install: Installer, tmp_path: Path) -> None:
    install("glossary")
    async with sanya.open(tmp_path / "home") as app:
        await app.call("glossary.add", {"term": "SLA", "meaning": "service level agreement"})
    async with sanya.open(tmp_path / "home", suites_disabled="glossary,funds") as app:
        assert [guest.state for guest in app.guests] == ["disabled"]
        assert {suite.name for suite in app.kernel.catalogue.suites} == {"tasks", "memory", "herbs", "papers"}
        app.check_contracts()
    async with sanya.open(tmp_path / "home") as app:
        assert await app.call("glossary.count") == {"result": 1}


REACHES = (
    GLOSSARY
    + '''

@suite.tool()
async def steal(sql: str, store: Store) -> int:
    """Runs a statement."""
    return len(await store.fetch(sql))
'''
)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM secrets",
        "SELECT * FROM guest_glossary_terms, memories",
        "SELECT * FROM guest_glossary_terms JOIN ledger ON TRUE",
        "SELECT * FROM guest_glossary_terms a JOIN guest_glossary_terms b ON a.term = b.term, keys",
        "SELECT (SELECT value FROM secrets LIMIT 1) FROM guest_glossary_terms",
        'SELECT * FROM "secrets"',
        "SELECT * FROM main.secrets",
        "SELECT * FROM guest_other_terms",
        "SELECT * FROM/**/secrets",
        "SELECT sql FROM sqlite_master",
        "WITH x AS (SELECT * FROM secrets) SELECT * FROM x",
        "DROP TABLE guest_glossary_terms",
        "SELECT 1; SELECT 2",
        "PRAGMA table_list",
    ],
)
async def test_a_guest_reaches_no_table_but_its_own(sql: str, install: Installer, tmp_path: Path) -> None:
    install("glossary", REACHES)
    async with sanya.open(tmp_path / "home") as app:
        with pytest.raises(CallRefused) as refused:
            await app.call("glossary.steal", {"sql": sql})
        assert refused.value.error["code"] == "INTERNAL"


async def test_a_guest_may_join_group_and_nest_its_own_tables(install: Installer, tmp_path: Path) -> None:
    install("glossary", REACHES)
    sql = (
        "WITH long AS (SELECT term FROM guest_glossary_terms WHERE length(meaning) > 3) "
        "SELECT a.term, COUNT(*) FROM guest_glossary_terms a JOIN long ON long.term = a.term "
        "WHERE a.term IN (SELECT term FROM long) GROUP BY a.term, a.meaning ORDER BY 1, 2"
    )
    async with sanya.open(tmp_path / "home") as app:
        assert await app.call("glossary.steal", {"sql": sql}) == {"result": 0}


CALLS_OTHERS = (
    HEAD
    + '''
suite = FunctionSuite("bridge")

@suite.tool()
async def first_task(home: SuiteHome, context: Context) -> str:
    """Returns the title of a task."""
    return (await home.call("get_tasks", {"limit": 1}, context))["items"][0]["title"]
'''
)


async def test_a_guest_calls_other_suites_with_the_scopes_of_its_caller(install: Installer, tmp_path: Path) -> None:
    install("bridge", CALLS_OTHERS)
    async with sanya.open(tmp_path / "home") as app:
        assert (await app.call("bridge.first_task"))["result"]
        limited = Caller("limited", frozenset({"bridge:read"}))
        outcome = await app.kernel.call(Call("bridge.first_task", {}, caller=limited))
        assert isinstance(outcome, Refused)
        assert outcome.error["code"] == "FORBIDDEN"


async def test_a_backup_keeps_the_rows_of_a_guest_that_is_gone(
    install: Installer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as installed:
        installed.syspath_prepend(install("glossary"))
        async with sanya.open(tmp_path / "home") as app:
            await app.call("glossary.add", {"term": "SLA", "meaning": "service level agreement"})
            async with app.database.transaction() as transaction:
                await transaction.execute("CREATE TABLE stray (id INTEGER PRIMARY KEY)")
    monkeypatch.setattr("sys.path", [path for path in sys.path if "site-glossary" not in path])
    copied = await back_up(load_settings({"home": tmp_path / "home"}), tmp_path / "backup")
    assert copied.tables["guest_glossary_terms"].rows == 1
    assert copied.left_out == ("stray",)
    await restore(load_settings({"home": tmp_path / "restored"}), tmp_path / "backup")
    findings = {finding.check: finding.found for finding in await check_home({"home": tmp_path / "home"})}
    assert findings["suite glossary"] == "not installed; its tables are kept"
    assert findings["tables"] == "no suite owns stray"
    monkeypatch.syspath_prepend(tmp_path / "site-glossary")
    async with sanya.open(tmp_path / "restored") as app:
        assert await app.call("glossary.count") == {"result": 1}


DOCUMENT = Path(__file__).parents[2] / "docs" / "build-a-suite.md"


async def test_the_first_page_of_the_docs_works_and_is_short(install: Installer, tmp_path: Path) -> None:
    match = re.search(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert match is not None
    assert len(match[1].splitlines()) < 40
    install("glossary", match[1])
    async with sanya.open(tmp_path / "home") as app:
        await app.call("glossary.add", {"term": "SLA", "meaning": "service level agreement"})
        assert (await app.call("glossary.define", {"term": "SLA"}))["meaning"] == "service level agreement"


WITH_SETTINGS = '''
from sanya.suite import Example, PLAIN_DIALECT, Shape, Suite, SuiteDefinition, Tool

class Options(Shape):
    greeting: str = "hello"
    """Greeting"""
    times: int = 1
    """Repetitions"""

class Nothing(Shape):
    pass

class Greeting(Shape):
    text: str
    """Text"""

async def open_suite(home):
    async def greet(request, context):
        return Greeting(text=" ".join([home.settings.greeting] * home.settings.times))
    tool = Tool(name="greeter.greet", suite="greeter", title="Greet", description="Greets.", input=Nothing,
                output=Greeting, handler=greet, dialect=PLAIN_DIALECT)
    return Suite(name="greeter", title="Greeter", dialect=PLAIN_DIALECT, tools=(tool,))

suite = SuiteDefinition(name="greeter", open=open_suite, settings=Options)
'''


async def test_a_guest_has_settings_of_its_own(
    install: Installer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install("greeter", WITH_SETTINGS)
    home = tmp_path / "home"
    home.mkdir()
    (home / "sanya.toml").write_text('log_level = "error"\n[greeter]\ngreeting = "sawasdee"\n', "utf-8")
    monkeypatch.setenv("SANYA_GREETER_TIMES", "2")
    async with sanya.open(home) as app:
        assert await app.call("greeter.greet") == {"text": "sawasdee sawasdee"}
    monkeypatch.setenv("SANYA_GREETER_TIMES", "often")
    caplog.set_level(logging.CRITICAL)
    async with sanya.open(home) as app:
        assert "greeter.times" in app.guests[0].reason


def test_disabling_keeps_the_settings_of_suites_in_place(tmp_path: Path) -> None:
    assert replace_setting('port = 1\n[greeter]\ngreeting = "a"\n', "suites_disabled", ("funds",)) == (
        'port = 1\nsuites_disabled = ["funds"]\n[greeter]\ngreeting = "a"\n'
    )
