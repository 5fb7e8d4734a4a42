"""Nicknames: names that a text gave to a person before, and that nothing else marks as names.

มะปราง is a fruit and Will a verb, so neither is taken for a person by itself. Where an earlier memory said that
somebody is called so, and the word begins a sentence that asks nothing, the person is meant.
"""

from __future__ import annotations

from sanya.suite.text import has_thai, split_sentences
from sanya.suites.memory.graph.context import GraphContext
from sanya.suites.memory.graph.entity_resolution import EntityReference
from sanya.suites.memory.parsing.names import make_name_key
from sanya.suites.memory.parsing.tokens import WordToken, tokenize
from sanya.suites.memory.storage.records import MemoryNode

_MAX_CHARS = 2000
_MAX_SENTENCES = 12
_MAX_THAI_WORDS = 3
# "Will you come?", "Will it rain" ask; a person is followed by a verb.
_NOT_AFTER_NAMES = frozenset(("i", "you", "he", "she", "it", "we", "they", "the", "a", "an", "this", "that", "there"))


async def find_nicknames(context: GraphContext) -> list[EntityReference]:
    """Return the people whose known nickname begins a sentence of the memory."""
    names = _list_beginnings(context)
    if not names:
        return []
    nodes = await context.reader.find_nodes_by_name(context.namespace, [make_name_key(name) for name in names])
    found = []
    for name in names:
        key = make_name_key(name)
        bearers = [node for node in nodes.get(key, []) if _is_nickname(node, key)]
        if len(bearers) == 1:
            found.append(EntityReference(name, "person"))
    return found


def _is_nickname(node: MemoryNode, key: str) -> bool:
    return node.dynamic_type == "person" and key in {make_name_key(alias) for alias in node.aliases}


def _list_beginnings(context: GraphContext) -> list[str]:
    if context.parsed.is_question:
        return []
    text = context.memory.content[:_MAX_CHARS]
    taken = [mention.span for mention in context.parsed.mentions]
    names: dict[str, None] = {}
    for span in split_sentences(text)[:_MAX_SENTENCES]:
        words = tokenize(span.slice(text), span.start)
        if words and not any(other.start <= words[0].span.start < other.end for other in taken):
            names |= dict.fromkeys(_list_names(words))
    return list(names)


def _list_names(words: list[WordToken]) -> list[str]:
    if has_thai(words[0].text):
        texts = [word.text for word in words[:_MAX_THAI_WORDS]]
        return ["".join(texts[:count]) for count in range(1, len(texts) + 1)]
    is_name = words[0].is_capitalised and len(words) > 1 and words[1].form not in _NOT_AFTER_NAMES
    return [words[0].text] if is_name else []
