"""Thai words, though no spaces part them: maximal matching by nlpo3, then the names that it cut made whole again.
Names may be added at any time without loading the dictionary twice."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from sanya.text.characters import has_thai, parts_cluster
from sanya.text.dictionary import domain_words, known_words
from sanya.text.spans import Span

_DICTIONARY = "sanya"
_SURROGATE = re.compile("[\ud800-\udfff]")
# A name this short, if a common word as well, is left to the dictionary: it is a part of too many other words.
_SHORT_NAME = 3
# How many words beside a name may be parted anew to make it whole.
_REACH = 2


class Segmenter:
    """Parts text into words and keeps `names` whole. Joined, the words are the text again, whatever it holds."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        from ahocorasick_rs import AhoCorasick, MatchKind

        self.names = frozenset(name for name in names if has_thai(name))
        sought = [name for name in self.names if len(name) > _SHORT_NAME or name not in known_words()]
        self._finder = AhoCorasick(sought, matchkind=MatchKind.LeftmostLongest)

    def extended(self, names: Iterable[str]) -> Segmenter:
        """A segmenter that knows more names; this one stays as it is."""
        return Segmenter(self.names.union(names))

    def segment(self, text: str) -> list[str]:
        try:
            words = _by_dictionary()(text, _DICTIONARY)
            found = self._finder.find_matches_as_strings(text)
        except UnicodeEncodeError:
            return self._segment_surrogates(text)
        if found and not _all_whole(found, words):
            return _keep_whole(text, words, self._finder.find_matches_as_indexes(text))
        return words

    def _segment_surrogates(self, text: str) -> list[str]:
        """Half characters, which UTF-8 cannot carry, are read as the replacement character, which is as long."""
        ends = list(accumulate(map(len, self.segment(_SURROGATE.sub("\ufffd", text)))))
        return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@cache
def default_segmenter() -> Segmenter:
    """The one that knows the names that come with the house; made when first used (a third of a second, once)."""
    return Segmenter(domain_words())


def segment(text: str) -> list[str]:
    return default_segmenter().segment(text)


@cache
def _by_dictionary() -> Callable[[str, str], list[str]]:
    """nlpo3's function, its dictionary loaded. It reads that from a file and keeps it for good, so one serves all."""
    from tempfile import TemporaryDirectory

    import nlpo3

    with TemporaryDirectory() as folder:
        path = Path(folder) / "words.txt"
        path.write_text("\n".join(known_words()), encoding="utf-8")
        nlpo3.load_dict(str(path), _DICTIONARY)
    return nlpo3.segment


def _all_whole(found: list[str], words: list[str]) -> bool:
    names = set(found)
    if len(names) == len(found):
        return names.issubset(words)
    return sum(map(names.__contains__, words)) == len(found)


def _keep_whole(text: str, words: list[str], found: list[tuple[int, int, int]]) -> list[str]:
    """The words, with each found name one of them, unless it belongs to a longer word or would leave a torn one."""
    bounds = list(accumulate(map(len, words), initial=0))
    index_at = dict(zip(bounds, range(len(bounds)), strict=True))
    kept: list[str] = []
    taken = 0
    for _, start, end in found:
        first, behind = index_at.get(start), index_at.get(end)
        if first is not None and behind is not None:
            region = _Region(first, behind, [text[start:end]])
        elif (parted := _part_anew(text, bounds, Span(start, end))) is not None:
            region = parted
        else:
            continue
        if region.first >= taken:
            kept += words[taken : region.first]
            kept += region.words
            taken = region.behind
    return kept + words[taken:]


class _Region(NamedTuple):
    """The words from `first` up to `behind`, parted in another way."""

    first: int
    behind: int
    words: list[str]


def _part_anew(text: str, bounds: list[int], name: Span) -> _Region | None:
    """The region around a name that the dictionary's words run across, so that the name is whole and all else known."""
    if parts_cluster(text, name.start) or parts_cluster(text, name.end):
        return None
    first, behind = bisect_right(bounds, name.start) - 1, bisect_left(bounds, name.end)
    if behind - first == 1 and text[bounds[first] : bounds[behind]] in known_words():
        return None
    for start in range(first, max(-1, first - _REACH - 1), -1):
        before = _known_words(text[bounds[start] : name.start])
        if before is not None:
            break
    else:
        return None
    for end in range(behind, min(len(bounds), behind + _REACH + 1)):
        after = _known_words(text[name.end : bounds[end]])
        if after is not None:
            return _Region(start, end, [*before, name.of(text), *after])
    return None


def _known_words(text: str) -> list[str] | None:
    """The words of a text, None if one of them is none."""
    if not text:
        return []
    words = _by_dictionary()(text, _DICTIONARY)
    return words if all(word in known_words() or not has_thai(word) for word in words) else None
