"""A replay gives the same answer, or names what changed: contract, code or data."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from sanya.engines.ledger import SqlLedgerStore
from sanya.kernel.calls.call import OWNER, Call, Caller, Context, Outcome
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.replay import Replay, replay
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.contracts.shapes import Shape, Text
from sanya.kernel.contracts.suite import Content, Resource, Suite
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import Forbidden, InvalidArgument, NotFound
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database
from sanya.kernel.storage.revisions import advance_revision
from sanya.suites.tasks.dialect import DIALECT


class Question(Shape):
    text: Text = "hi"
    """What to say."""
    secret: Text | None = None
    """Never kept."""


class Reply(Shape):
    said: str
    """What was said, and when."""


@dataclass
class House:
    """A kernel whose code, contract and data a test may change."""

    database: Database
    code: str = "code 1"
    data: str = "data 1"
    description: str = "For tests."
    failing: bool = False
    seconds: int = 0
    moments: list[datetime] = field(default_factory=list)
    callers: list[Caller] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = SqlLedgerStore(self.database, code_hash=lambda: self.code)
        self.ledger = Ledger(self.store, group_ms=0)

    @property
    def kernel(self) -> Kernel:
        suite = Suite(name="demo", title="Demo", dialect=DIALECT, tools=self._tools(), resources=self._resources())
        return Kernel([suite], ledger=self.ledger, limiter=LocalRateLimiter(), window=RequestWindow(), clock=self._tick)

    def _tick(self) -> datetime:
        """A clock that moves on by a second each time it is read."""
        self.seconds += 1
        return datetime(2026, 11, 16, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def _tools(self) -> tuple[Tool, ...]:
        read = Tool(
            name="demo.read",
            suite="demo",
            title="Read",
            description=self.description,
            input=Question,
            output=Reply,
            handler=self._answer,
            dialect=DIALECT,
        )
        return (
            read,
            replace(read, name="demo.write", effect="write"),
            replace(read, name="demo.keep", redacted=("secret",)),
        )

    def _resources(self) -> tuple[Resource, ...]:
        async def read(parts: object, context: Context) -> Content:
            return Content(data={"said": self.data})

        template = Resource(uri="demo://{id}", suite="demo", name="x", title="X", description="An x.", read=read)
        return template, replace(template, uri="demo://all/x")

    async def _answer(self, question: Question, context: Context) -> Reply:
        self.moments.append(context.now)
        self.callers.append(context.caller)
        if self.failing:
            raise RuntimeError("broken")
        if question.text == "nothing":
            raise NotFound("there is nothing")
        return Reply(said=f"{question.text} {self.data} {context.now.isoformat()}")

    async def call(self, tool: str = "demo.read", *, caller: Caller = OWNER, **arguments: object) -> Outcome:
        outcome = await self.kernel.call(Call(tool, arguments, caller))
        await self.ledger.flush()
        return outcome

    async def replay(self, past: Outcome | str, asker: Caller = OWNER) -> Replay:
        await self.ledger.flush()
        id = past if isinstance(past, str) else past.id
        return await replay(self.kernel, self.ledger, self.store, id, asker)


@pytest.fixture
async def house(database: Database) -> AsyncIterator[House]:
    made = House(database)
    made.ledger.start()
    yield made
    await made.ledger.close()


async def test_an_unchanged_call_is_the_same_at_its_own_moment(house: House) -> None:
    past = await house.call(text="ก")
    found = await house.replay(past)
    assert (found.same, found.changed) == (True, ())
    assert house.moments[0] == house.moments[1]
    assert found.again is not None
    assert found.again.entry.surface == "replay"
    assert found.again.seq == found.past.seq + 1, "a replay is a call like any other"


async def test_the_row_of_a_replay_says_when_it_ran_and_what_it_repeats(house: House) -> None:
    past = await house.call()
    found = await house.replay(past)
    assert found.again is not None
    assert found.again.entry.trace_id == past.id
    assert found.again.entry.at > found.past.entry.at
    second = await house.replay(found.again.entry.id)
    assert (second.past.entry.id, second.same) == (past.id, True)
    assert len(set(house.moments)) == 1


async def test_a_call_is_found_by_its_number_too(house: House) -> None:
    past = await house.call()
    assert (await house.replay("1")).past.entry.id == past.id


async def test_changed_data_is_named_by_its_revision(house: House) -> None:
    past = await house.call()
    house.data = "data 2"
    async with house.database.transaction() as transaction:
        await advance_revision(transaction, "demo")
    found = await house.replay(past)
    assert (found.same, found.changed) == (False, ("data",))


async def test_where_only_the_answer_differs_the_data_must_have_changed(house: House) -> None:
    past = await house.call()
    house.data = "an attached database, which has no revision"
    assert (await house.replay(past)).changed == ("data",)


async def test_changed_code_is_named(house: House) -> None:
    past = await house.call()
    house.data, house.code = "as the new code has it", "code 2"
    found = await house.replay(past)
    assert (found.same, found.changed) == (False, ("code",))


async def test_a_changed_contract_is_named(house: House) -> None:
    past = await house.call()
    house.data, house.description = "as the new contract has it", "Another promise."
    found = await house.replay(past)
    assert (found.same, found.changed) == (False, ("contract",))


async def test_everything_that_changed_is_named_though_the_answer_is_the_same(house: House) -> None:
    past = await house.call()
    house.code, house.description = "code 2", "Another promise."
    async with house.database.transaction() as transaction:
        await advance_revision(transaction, "demo")
    found = await house.replay(past)
    assert (found.same, found.changed) == (True, ("contract", "code", "data"))


async def test_a_tool_that_is_gone_is_a_changed_contract(house: House) -> None:
    past = await house.call()
    await house.ledger.flush()
    empty = Kernel([], ledger=house.ledger, limiter=LocalRateLimiter(), window=RequestWindow())
    found = await replay(empty, house.ledger, house.store, past.id, OWNER)
    assert (found.same, found.again, found.changed) == (False, None, ("contract",))


async def test_a_refused_call_is_replayed_as_well(house: House) -> None:
    for past in (await house.call(text="nothing"), await house.call(text=1), await house.call(txet="hi")):
        assert (await house.replay(past)).same


async def test_our_own_failure_is_the_same_failure_under_another_id(house: House) -> None:
    house.failing = True
    past = await house.call()
    assert (await house.replay(past)).same
    house.failing, house.code = False, "code 2"
    found = await house.replay(past)
    assert (found.same, found.changed) == (False, ("code",))


@pytest.mark.parametrize("uri", ["demo://a%20b", "demo://all/x"])
async def test_a_resource_is_read_again(house: House, uri: str) -> None:
    past = await house.kernel.read(Call(uri, {}))
    assert (await house.replay(past)).same
    house.data = "data 2"
    assert (await house.replay(past)).changed == ("data",)


async def test_a_write_is_never_run_again(house: House) -> None:
    past = await house.kernel.call(Call("demo.write", {}))
    with pytest.raises(InvalidArgument, match="would write again"):
        await house.replay(past)
    assert len(house.moments) == 1


async def test_a_call_with_a_secret_cannot_be_run_again(house: House) -> None:
    past = await house.call("demo.keep", secret="hunter2")
    with pytest.raises(InvalidArgument, match="without its secret arguments"):
        await house.replay(past)


async def test_a_refusal_for_want_of_a_scope_has_nothing_to_repeat(house: House) -> None:
    nobody = Caller("nobody", frozenset())
    past = await house.kernel.call(Call("demo.read", {}, caller=nobody))
    with pytest.raises(InvalidArgument, match="forbidden"):
        await house.replay(past)


ALICE = Caller("key:alice", frozenset({"demo:read", "demo:write", "audit:read"}))
BOB = Caller("key:bob", frozenset({"demo:read", "audit:read", "tasks:read"}))


@pytest.mark.parametrize(
    ("asker", "scopes"),
    [
        (OWNER, ALICE.scopes),
        (ALICE, ALICE.scopes),
        (BOB, frozenset({"demo:read", "audit:read"})),
        (Caller(ALICE.id, frozenset({"demo:read"})), frozenset({"demo:read"})),
    ],
)
async def test_a_replay_runs_as_its_caller_with_the_scopes_that_both_have(
    house: House, asker: Caller, scopes: frozenset[str]
) -> None:
    past = await house.call(caller=ALICE)
    found = await house.replay(past, asker)
    assert (house.callers[1].id, house.callers[1].scopes) == (ALICE.id, scopes)
    assert found.changed == (() if scopes == ALICE.scopes else ("scopes",))


async def test_the_owners_call_is_replayed_with_no_more_than_its_asker_may(house: House) -> None:
    past = await house.call()
    await house.replay(past, BOB)
    assert (house.callers[1].id, house.callers[1].scopes) == (OWNER.id, BOB.scopes)


async def test_the_row_of_a_replay_names_its_asker_and_its_caller(house: House) -> None:
    past = await house.call(caller=ALICE)
    found = await house.replay(past, BOB)
    assert found.again is not None
    row = found.again.entry
    assert (row.caller, row.asked_by, row.scopes) == (ALICE.id, BOB.id, "audit:read demo:read")
    assert (found.past.entry.asked_by, found.past.entry.scopes) == (None, "audit:read demo:read demo:write")
    assert (found.as_json()["caller"], found.as_json()["asked_by"]) == (ALICE.id, BOB.id)


@pytest.mark.parametrize("target", ["demo.read", "demo://a"])
async def test_a_replay_needs_the_scopes_of_the_tool_or_resource_and_leaves_a_row(house: House, target: str) -> None:
    call = Call(target, {}, ALICE)
    past = await (house.kernel.read(call) if "://" in target else house.kernel.call(call))
    with pytest.raises(Forbidden, match="scopes"):
        await house.replay(past, Caller("key:blind", frozenset({"audit:read"})))
    (row,) = await house.store.page(1)
    assert (row.entry.fault, row.entry.asked_by, row.entry.caller) == ("forbidden", "key:blind", ALICE.id)


async def test_a_row_from_before_scopes_were_recorded_runs_with_those_that_its_tool_requires(house: House) -> None:
    past = await house.call(caller=ALICE)
    owners = await house.call()
    entries = [link.entry async for link in house.store.read_links("main")]
    older = [entry._replace(id=f"call_{number}", scopes=None) for number, entry in enumerate(entries)]
    await house.store.append(older, [])
    await house.replay("call_0", OWNER)
    await house.replay("call_1", BOB)
    assert [caller.scopes for caller in house.callers[2:]] == [frozenset({"demo:read"}), BOB.scopes]
    assert past.id != owners.id


@pytest.mark.parametrize("unknown", ["call_0000000000000000", "99", "9" * 40, "'; --", ""])
async def test_an_unknown_id_is_not_found(house: House, unknown: str) -> None:
    with pytest.raises(NotFound, match="sanya audit list"):
        await house.replay(unknown)


def test_the_clock_is_exact_to_what_the_ledger_keeps() -> None:
    from sanya.kernel.clock import format_timestamp, read_clock

    now = read_clock()
    assert datetime.fromisoformat(format_timestamp(now)) == now
    assert now.tzinfo == UTC
