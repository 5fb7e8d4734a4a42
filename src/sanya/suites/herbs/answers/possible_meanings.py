"""Lists the herbs that an unrecognised name may mean: "โกฐ" begins the names of fifteen and is the name of none."""

from __future__ import annotations

from sanya.suite.text import has_thai
from sanya.suites.herbs.graph.name_keys import fold_name
from sanya.suites.herbs.graph.name_resolver import MAX_CANDIDATES, AmbiguousMatch, NameCandidate, NameResolver
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.questions.question import AmbiguousMention, ParsedQuestion

_MIN_LETTERS = 3


async def list_possible_meanings(store: HerbStore, question: ParsedQuestion) -> list[AmbiguousMention]:
    """Return the unrecognised names that begin the names of several herbs, with these herbs."""
    resolver = NameResolver(store)
    found = []
    for name in question.unrecognised:
        if len(fold_name(name)) < _MIN_LETTERS:
            continue
        resolution = await resolver.resolve(name, ("herb",))
        # As many candidates as the resolver tells may not be all.
        if isinstance(resolution, AmbiguousMatch) and resolution.is_prefix:
            herbs = tuple(each.node.id for each in resolution.candidates if _is_beginning(name, each))
            if 1 < len(herbs) < MAX_CANDIDATES:
                found.append(AmbiguousMention(name, herbs))
    return found


def _is_beginning(name: str, candidate: NameCandidate) -> bool:
    """Return whether the name is the first words of the candidate's. Thai has no blanks between words."""
    rest = candidate.name.casefold().removeprefix(name.strip().casefold())
    return has_thai(name) or not rest[:1].isalnum()
