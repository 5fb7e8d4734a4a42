"""What a model may say of a memory: a few kinds of things, each with its words in the text, nothing about ratings."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Protocol

from pydantic import Field, ValidationError

from sanya.kernel.shapes import Shape, is_text
from sanya.suites.memory.graph.entity_resolution import EntityKind

MAX_PARTICIPANTS = 40
MAX_EVENTS = 20
MAX_RELATIONS = 20
_FENCED = re.compile(r"\A```(?:json)?\s*\n(?P<body>.*)\n```\Z", re.DOTALL)

NameText = Annotated[str, Field(min_length=2, max_length=120)]
QuoteText = Annotated[str, Field(min_length=3, max_length=400)]
# A closed list: a role is shown beside a name, so it must not be a place where a text can speak.
ParticipantRole = Literal[
    "subject", "object", "speaker", "attendee", "author", "owner", "origin", "destination", "location"
]


class UnusableAnswer(ValueError):
    """An answer that is not what was asked for. The text of it is nobody's to repeat."""


class Extractor(Protocol):
    """The model behind an endpoint."""

    model: str

    async def extract(self, text: str, said_on: str, seed: int) -> str:
        """Its answer as it came; raises a Fault where there is none."""
        ...


class ExtractedParticipant(Shape):
    quote: NameText
    """The name as the text writes it."""
    kind: Literal["person", "organisation", "place", "thing"]
    """What it is."""
    role: ParticipantRole | None = None
    """What part it plays."""

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
    """Whether the first caused the second, or only came before it."""
    first: QuoteText
    """The words that name the cause, or the earlier."""
    second: QuoteText
    """The words that name the effect, or the later."""


class ModelItems(Shape):
    participants: Annotated[tuple[ExtractedParticipant, ...], Field(max_length=MAX_PARTICIPANTS)] = ()
    """Whom and what the text names."""
    events: Annotated[tuple[ExtractedEvent, ...], Field(max_length=MAX_EVENTS)] = ()
    """What happened when."""
    relations: Annotated[tuple[ExtractedRelation, ...], Field(max_length=MAX_RELATIONS)] = ()
    """What led to what."""

    def __len__(self) -> int:
        return len(self.participants) + len(self.events) + len(self.relations)


def parse_items(answer: str) -> ModelItems:
    """All of it as asked for, or none: a model that adds fields of its own has not understood the rest either."""
    fenced = _FENCED.match(answer.strip())
    body = fenced["body"] if fenced else answer.strip()
    if not is_text(body):
        raise UnusableAnswer("the answer holds characters that are no text")
    try:
        return ModelItems.model_validate_json(body)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
        raise UnusableAnswer(f"the answer is not as asked for ({first['type']})") from None
