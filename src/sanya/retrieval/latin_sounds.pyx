"""The compiled form of the consonant skeleton of a name in lower-case ASCII letters.

`sounds.py` defines the rules, passes them in, and reads every name that this part declines."""

from libc.string cimport memchr, memcmp, memcpy

IS_COMPILED = True

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    unsigned char *PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    LONGEST = 120
    ROOM = 256  # a letter becomes two sounds at most
    MOST_GROUPS = 32
    LONGEST_GROUP = 8

cdef struct Group:
    unsigned char[LONGEST_GROUP] old
    unsigned char[LONGEST_GROUP] new
    int old_size
    int new_size


cdef class LatinSounds:
    """Holds the rules: `groups` are pairs of letters and their sound, applied one after the other; `sounds` maps each
    single letter that is heard to its sound."""

    cdef Group[MOST_GROUPS] _groups
    cdef int _count
    cdef unsigned char[256] _sound

    def __init__(self, groups, dict sounds not None):
        for group, sound in groups:
            self._add_group(group.encode("ascii"), sound.encode("ascii"))
        for letter, sound in sounds.items():
            self._sound[<unsigned char>ord(letter)] = ord(sound)

    cdef int _add_group(self, bytes group, bytes sound) except -1:
        cdef Group *new = &self._groups[self._count]
        if self._count == MOST_GROUPS or not 0 < len(group) <= LONGEST_GROUP:
            raise ValueError(f"at most {MOST_GROUPS} groups of 1 to {LONGEST_GROUP} letters")
        if len(sound) > max(2, len(group)):
            raise ValueError("a letter gives at most two sounds")
        new.old_size, new.new_size = <int>len(group), <int>len(sound)
        memcpy(new.old, <const char *>group, new.old_size)
        memcpy(new.new, <const char *>sound, new.new_size)
        self._count += 1
        return 0

    def read(self, str word not None):
        """Return the skeleton, or None if the word is not ASCII or too long to be a name."""
        cdef unsigned char[ROOM] first
        cdef unsigned char[ROOM] second
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(word)
        cdef int number
        if not PyUnicode_IS_COMPACT_ASCII(word) or size > LONGEST:
            return None
        memcpy(first, PyUnicode_1BYTE_DATA(word), size)
        for number in range(self._count):
            if memchr(first, self._groups[number].old[0], size) is NULL:
                continue
            size = _replace_group(first, size, second, &self._groups[number])
            if size > LONGEST:
                return None
            memcpy(first, second, size)
        size = _merge_nasals(first, size)
        _soften(first, size)
        size = self._write_skeleton(first, size, second)
        return second[:size].decode("ascii")

    cdef Py_ssize_t _write_skeleton(self, const unsigned char *text, Py_ssize_t size, unsigned char *written) noexcept:
        """Write the skeleton and return its length. h and y count only at the beginning of a word: elsewhere the two
        scripts do not agree on writing them."""
        cdef Py_ssize_t at, count = 0
        cdef unsigned char sound
        cdef bint is_heard = False
        if size and text[0] in b"aeiou":
            written[0] = b"a"
            count = 1
        for at in range(size):
            sound = self._sound[text[at]]
            is_heard |= sound
            if not sound or (count and (sound == b"h" or sound == b"y")):
                continue
            if not count or written[count - 1] != sound:
                written[count] = sound
                count += 1
        return count if is_heard else 0


cdef Py_ssize_t _replace_group(
    const unsigned char *text, Py_ssize_t size, unsigned char *written, const Group *group
) noexcept:
    cdef Py_ssize_t at = 0, count = 0
    while at < size:
        if (
            text[at] == group.old[0]
            and size - at >= group.old_size
            and not memcmp(text + at, group.old, group.old_size)
        ):
            memcpy(written + count, group.new, group.new_size)
            count += group.new_size
            at += group.old_size
        else:
            written[count] = text[at]
            count += 1
            at += 1
    return count


cdef Py_ssize_t _merge_nasals(unsigned char *text, Py_ssize_t size) noexcept:
    """Replace kn and ng by n in place and return the new length."""
    cdef Py_ssize_t at = 0, count = 0
    while at < size:
        if at + 1 < size and ((text[at] == b"k" and text[at + 1] == b"n") or (text[at] == b"n" and text[at + 1] == b"g")):
            text[count] = b"n"
            at += 2
        else:
            text[count] = text[at]
            at += 1
        count += 1
    return count


cdef void _soften(unsigned char *text, Py_ssize_t size) noexcept:
    """Mark c and g before e, i or y as soft, in place; j is always soft."""
    cdef Py_ssize_t at
    cdef bint is_before
    for at in range(size):
        is_before = at + 1 < size and (text[at + 1] == b"e" or text[at + 1] == b"i" or text[at + 1] == b"y")
        if text[at] == b"c" and is_before:
            text[at] = b"s"
        elif text[at] == b"j" or (text[at] == b"g" and is_before):
            text[at] = b"C"
