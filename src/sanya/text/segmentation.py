"""Thai word segmentation: maximal matching by nlpo3, then repair of names that it split.

Thai writes words without spaces. Names can be added at any time without loading the dictionary again."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sanya.text.characters import has_thai, is_inside_cluster
from sanya.text.dictionary import load_domain_words, load_known_words, read_general_words
from sanya.text.spans import Span

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_DICTIONARY, _EMPTY_DICTIONARY = "sanya", "sanya-empty"
_SURROGATE = re.compile("[\ud800-\udfff]")
# A name this short that is also a common word is left to the dictionary: it is part of too many other words.
_SHORT_NAME = 3
# The number of words beside a name that may be segmented again to make it whole.
_REACH = 2


class Segmenter:
    """Segments text into words and keeps `names` whole. The words joined are always the text itself."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.names = frozenset(name for name in names if has_thai(name))

    @cached_property
    def _finder(self) -> AhoCorasick:
        from ahocorasick_rs import AhoCorasick, MatchKind

        searchable = [name for name in self.names if len(name) > _SHORT_NAME or name not in load_known_words()]
        return AhoCorasick(searchable, matchkind=MatchKind.LeftmostLongest)

    def extend(self, names: Iterable[str]) -> Segmenter:
        """Return a segmenter that knows more names; this one does not change."""
        return Segmenter(self.names.union(names))

    def segment(self, text: str) -> list[str]:
        try:
            if not has_thai(text):
                return _load_empty_dictionary()(text, _EMPTY_DICTIONARY)
            words = _load_dictionary()(text, _DICTIONARY)
            found = self._finder.find_matches_as_strings(text)
        except UnicodeEncodeError:
            return self._segment_surrogates(text)
        if found and not _has_all_whole(found, words):
            return _keep_whole(text, words, self._finder.find_matches_as_indexes(text))
        return words

    def _segment_surrogates(self, text: str) -> list[str]:
        """Segment text with half surrogate pairs, which UTF-8 cannot carry: read each as U+FFFD, which is as long."""
        ends = list(accumulate(map(len, self.segment(_SURROGATE.sub("\ufffd", text)))))
        return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@cache
def get_default_segmenter() -> Segmenter:
    """Return the segmenter for the shipped domain words. The first Thai text takes a third of a second."""
    return Segmenter(load_domain_words())


def segment(text: str) -> list[str]:
    return get_default_segmenter().segment(text)


@cache
def _load_dictionary() -> Callable[[str, str], list[str]]:
    """Load nlpo3's dictionary and return its function. nlpo3 keeps it for good, so one serves all."""
    # In the order of the list, which loads faster than any order.
    return _load_words([*read_general_words(), *load_domain_words()], _DICTIONARY)


@cache
def _load_empty_dictionary() -> Callable[[str, str], list[str]]:
    """Load the dictionary for text without Thai: every word of the other one has Thai letters, so none can occur, and
    a command that reads English alone need not wait for it."""
    return _load_words([], _EMPTY_DICTIONARY)


def _load_words(words: Iterable[str], name: str) -> Callable[[str, str], list[str]]:
    """Have nlpo3 load a dictionary, which it takes from a file alone."""
    from tempfile import TemporaryDirectory

    import nlpo3

    with TemporaryDirectory() as folder:
        path = Path(folder) / "words.txt"
        path.write_text("\n".join(words), encoding="utf-8")
        nlpo3.load_dict(str(path), name)
    return nlpo3.segment


def _has_all_whole(found: list[str], words: list[str]) -> bool:
    names = set(found)
    if len(names) == len(found):
        return names.issubset(words)
    return sum(map(names.__contains__, words)) == len(found)


def _keep_whole(text: str, words: list[str], found: list[tuple[int, int, int]]) -> list[str]:
    """Return the words with each found name whole, unless it is part of a longer word or would leave a fragment."""
    bounds = list(accumulate(map(len, words), initial=0))
    index_at = dict(zip(bounds, range(len(bounds)), strict=True))
    kept: list[str] = []
    taken = 0
    for _, start, end in found:
        first, behind = index_at.get(start), index_at.get(end)
        if first is not None and behind is not None:
            region = _Region(first, behind, [text[start:end]])
        elif (resegmented := _segment_around(text, bounds, Span(start, end))) is not None:
            region = resegmented
        else:
            continue
        if region.first >= taken:
            kept += words[taken : region.first]
            kept += region.words
            taken = region.behind
    return kept + words[taken:]


class _Region(NamedTuple):
    """The words from `first` up to `behind`, segmented differently."""

    first: int
    behind: int
    words: list[str]


def _segment_around(text: str, bounds: list[int], name: Span) -> _Region | None:
    """Return a new segmentation around a name that words run across: the name whole, all other words known."""
    if is_inside_cluster(text, name.start) or is_inside_cluster(text, name.end):
        return None
    first, behind = bisect_right(bounds, name.start) - 1, bisect_left(bounds, name.end)
    if behind - first == 1 and text[bounds[first] : bounds[behind]] in load_known_words():
        return None
    for start in range(first, max(-1, first - _REACH - 1), -1):
        before = _segment_known(text[bounds[start] : name.start])
        if before is not None:
            break
    else:
        return None
    for end in range(behind, min(len(bounds), behind + _REACH + 1)):
        after = _segment_known(text[name.end : bounds[end]])
        if after is not None:
            return _Region(start, end, [*before, name.slice(text), *after])
    return None


def _segment_known(text: str) -> list[str] | None:
    """Return the words of a text, or None if one of them is not in the dictionary."""
    if not text:
        return []
    words = _load_dictionary()(text, _DICTIONARY)
    return words if all(word in load_known_words() or not has_thai(word) for word in words) else None
