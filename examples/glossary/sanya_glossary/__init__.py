"""A glossary for agents: terms with their meanings, in the database of the home."""

from importlib.resources import files
from typing import Annotated

from pydantic import Field

from sanya.suite import FunctionSuite, InvalidArgument, Migration, NotFound, Shape, Store

TABLES = """CREATE TABLE guest_glossary_terms (
    term TEXT PRIMARY KEY,
    meaning TEXT NOT NULL
) STRICT;"""

suite = FunctionSuite(
    "glossary",
    title="Glossary",
    migrations=(Migration(1, "terms", TABLES),),
    contracts=files("sanya_glossary") / "contracts",
)

Term = Annotated[str, "The term", Field(max_length=200)]


class Definition(Shape):
    term: str
    """The term"""
    meaning: str
    """Its meaning"""


class Terms(Shape):
    terms: list[str]
    """The terms, in alphabetical order"""


@suite.tool(effect="write", example={"term": "SLA", "meaning": "service level agreement"})
async def add(term: Term, meaning: Annotated[str, "Its meaning"], store: Store) -> Definition:
    """Adds a term, or replaces its meaning."""
    if not term.strip():
        raise InvalidArgument("term is blank; write a term", field="term")
    sql = "INSERT INTO guest_glossary_terms VALUES (?, ?) ON CONFLICT (term) DO UPDATE SET meaning = excluded.meaning"
    async with store.transaction() as transaction:
        await transaction.execute(sql, (term, meaning))
    return Definition(term=term, meaning=meaning)


@suite.tool(example={"term": "SLA"})
async def define(term: Term, store: Store) -> Definition:
    """Explains a term. To see which there are, use glossary.list_terms."""
    rows = await store.fetch("SELECT term, meaning FROM guest_glossary_terms WHERE term = ?", (term,))
    if not rows:
        raise NotFound(f"no term {term!r}; add it with glossary.add")
    return Definition(term=str(rows[0][0]), meaning=str(rows[0][1]))


@suite.tool(example={})
async def list_terms(store: Store) -> Terms:
    """Lists the first 1,000 terms."""
    rows = await store.fetch("SELECT term FROM guest_glossary_terms ORDER BY term LIMIT 1000")
    return Terms(terms=[str(row[0]) for row in rows])


@suite.resource("glossary://terms/{term}", title="A term")
async def read_term(term: str, store: Store) -> Definition:
    """The meaning of a term."""
    return await define(term, store)


@suite.prompt()
def explain(term: Annotated[str, "The term to explain"]) -> str:
    """Asks for an explanation in plain words."""
    return f"Explain this term in plain words, from its definition in glossary.define: {term}"
