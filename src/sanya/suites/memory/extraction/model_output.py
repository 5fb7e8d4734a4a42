"""The output of a model: a few kinds of items, each with its quotation from the text. It cannot express ratings."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Protocol

from pydantic import Field, ValidationError

from sanya.suite import Shape, is_text
from sanya.suites.memory.parsing.mentions import EntityKind

MAX_PARTICIPANTS = 40
MAX_EVENTS = 20
MAX_RELATIONS = 20
_FENCED = re.compile(r"\A```(?:json)?\s*\n(?P<body>.*)\n```\Z", re.DOTALL)

NameText = Annotated[str, Field(min_length=2, max_length=120)]
QuoteText = Annotated[str, Field(min_length=3, max_length=400)]
# A closed list, because a role is shown beside a name: free text could carry an instruction.
ParticipantRole = Literal[
    "subject", "object", "speaker", "attendee", "author", "owner", "origin", "destination", "location"
]


class UnusableAnswer(ValueError):
    """An answer that has not the requested form. Its message never repeats the answer."""


class Extractor(Protocol):
    """The model behind an endpoint."""

    model: str

    async def extract(self, text: str, said_on: str, seed: int) -> str:
        """Return the answer as it came, or raise a Fault."""
        ...


class ExtractedParticipant(Shape):
    quote: NameText
    """The name as the text writes it."""
    kind: Literal["person", "organisation", "place", "thing"]
    """The kind of entity."""
    role: ParticipantRole | None = None
    """The role of the entity in the text."""

    @property
    def entity_kind(self) -> EntityKind:
        return self.kind


class ExtractedEvent(Shape):
    quote: QuoteText
    """The words that say what happened and when."""
    date: Annotated[str, Field(pattern=r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$")]
    """The year, month or day that they say."""


class ExtractedRelation(Shape):
    kind: Literal["caused", "precedes"]
    """`caused` if the first caused the second, `precedes` if it only came before."""
    first: QuoteText
    """The words that name the cause, or the earlier."""
    second: QuoteText
    """The words that name the effect, or the later."""


class ModelItems(Shape):
    participants: Annotated[tuple[ExtractedParticipant, ...], Field(max_length=MAX_PARTICIPANTS)] = ()
    """People, organisations, places and things that the text names."""
    events: Annotated[tuple[ExtractedEvent, ...], Field(max_length=MAX_EVENTS)] = ()
    """Events with their dates."""
    relations: Annotated[tuple[ExtractedRelation, ...], Field(max_length=MAX_RELATIONS)] = ()
    """Causes and effects, earlier and later events."""

    def __len__(self) -> int:
        return len(self.participants) + len(self.events) + len(self.relations)


def parse_items(answer: str) -> ModelItems:
    """Parse an answer, all of it or nothing: a model that adds fields has probably misread the rest as well."""
    fenced = _FENCED.match(answer.strip())
    body = fenced["body"] if fenced else answer.strip()
    if not is_text(body):
        raise UnusableAnswer("the answer contains characters that are not text")
    try:
        return ModelItems.model_validate_json(body)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
        raise UnusableAnswer(f"the answer has not the requested form ({first['type']})") from None
