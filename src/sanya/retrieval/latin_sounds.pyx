"""How a name in plain small letters sounds, compiled. `sounds.py` says by which rules, and reads all other names."""

from libc.string cimport memcmp

IS_COMPILED = True

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    unsigned char *PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    LONGEST = 120
    ROOM = 256  # a letter becomes two sounds at most


cdef class LatinSounds:
    """`groups` are pairs of letters and what they sound like, applied one after the other; `sounds` gives the sound of
    each single letter that has one."""

    cdef list _groups
    cdef unsigned char[256] _sound

    def __init__(self, groups, dict sounds not None):
        self._groups = [(group.encode("ascii"), sound.encode("ascii")) for group, sound in groups]
        if any(len(sound) > max(2, len(group)) or not group for group, sound in self._groups):
            raise ValueError("a letter becomes two sounds at most")
        for letter, sound in sounds.items():
            self._sound[<unsigned char>ord(letter)] = ord(sound)

    def of(self, str word not None):
        """None where the name is not plain, or too long to be one."""
        cdef unsigned char[ROOM] first
        cdef unsigned char[ROOM] second
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(word), at
        if not PyUnicode_IS_COMPACT_ASCII(word) or size > LONGEST:
            return None
        for at in range(size):
            first[at] = PyUnicode_1BYTE_DATA(word)[at]
        for group, sound in self._groups:
            size = _replaced(first, size, second, group, sound)
            if size > LONGEST:
                return None
            for at in range(size):
                first[at] = second[at]
        size = _without_nasals(first, size)
        _soften(first, size)
        size = self._skeleton(first, size, second)
        return second[:size].decode("ascii")

    cdef Py_ssize_t _skeleton(self, const unsigned char *text, Py_ssize_t size, unsigned char *written) noexcept:
        """h and y are heard, and written in both scripts, only where a word begins."""
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


cdef Py_ssize_t _replaced(
    const unsigned char *text, Py_ssize_t size, unsigned char *written, bytes group, bytes sound
) noexcept:
    cdef const unsigned char *old = group
    cdef const unsigned char *new = sound
    cdef Py_ssize_t old_size = len(group), new_size = len(sound), at = 0, count = 0, step
    while at < size:
        if text[at] == old[0] and size - at >= old_size and not memcmp(text + at, old, old_size):
            for step in range(new_size):
                written[count + step] = new[step]
            count += new_size
            at += old_size
        else:
            written[count] = text[at]
            count += 1
            at += 1
    return count


cdef Py_ssize_t _without_nasals(unsigned char *text, Py_ssize_t size) noexcept:
    """kn and ng sound like n."""
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
    """c and g before e, i and y; j is always soft."""
    cdef Py_ssize_t at
    cdef bint is_before
    for at in range(size):
        is_before = at + 1 < size and (text[at + 1] == b"e" or text[at + 1] == b"i" or text[at + 1] == b"y")
        if text[at] == b"c" and is_before:
            text[at] = b"s"
        elif text[at] == b"j" or (text[at] == b"g" and is_before):
            text[at] = b"C"
