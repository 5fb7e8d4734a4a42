"""A hash table of texts that were read before, for compiled parts that meet the same words again and again.

It uses open addressing with linear probing over one array of slots; the texts and their values lie one after the other
in one buffer. A lookup is the most frequent step of an import, and a Python dictionary takes four times as long."""

cimport cython
from libc.string cimport memcmp, memcpy

cdef enum:
    AT_ONCE = 16  # copying 16 bytes costs as much as copying one, so every buffer is 16 bytes longer than its room
    MAX_PROBES = 64


@cython.final
cdef class Buffer:
    """A byte buffer that grows."""

    cdef unsigned char *text
    cdef Py_ssize_t size
    cdef Py_ssize_t room

    cdef int grow(self, Py_ssize_t size) except -1


cdef inline int add(Buffer buffer, const unsigned char *text, Py_ssize_t size) except -1:
    if buffer.size + size > buffer.room:
        buffer.grow(size)
    memcpy(buffer.text + buffer.size, text, size)
    buffer.size += size
    return 0


cdef inline int add_buffered(Buffer buffer, const unsigned char *text, Py_ssize_t size) except -1:
    """Append a text that lies in a buffer itself: there, reading AT_ONCE bytes is safe."""
    if size > AT_ONCE:
        return add(buffer, text, size)
    if buffer.size + size > buffer.room:
        buffer.grow(size)
    memcpy(buffer.text + buffer.size, text, AT_ONCE)
    buffer.size += size
    return 0


cdef struct Slot:
    unsigned long long head  # the first eight bytes of the text
    unsigned long long tail  # the last eight bytes; with the head, all of a text of up to 16 bytes
    unsigned int start  # where the text begins in the buffer; its value follows it there
    int size  # 0 for an empty slot
    int value_size
    int number


@cython.final
cdef class TextCache:
    """Maps a text to a value of some bytes and a number."""

    cdef Slot *slots
    cdef Py_ssize_t room
    cdef readonly Py_ssize_t count
    cdef Buffer texts

    cdef int clear(self) except -1
    cdef int remember(
        self, const unsigned char *text, int size, const unsigned char *value, int value_size, int number
    ) except -1
    cdef bint put(self, const Slot *new) noexcept
    cdef int grow(self) except -1


cdef inline const Slot *find(TextCache cache, const unsigned char *text, Py_ssize_t size) noexcept:
    """Return the slot of the text, or NULL. The pointer is valid until the next `remember`."""
    cdef unsigned long long head, tail
    cdef Py_ssize_t at
    cdef const Slot *slot
    if not size:
        return NULL
    read_ends(text, size, &head, &tail)
    at = hash_text(text, size, head, tail) & (cache.room - 1)
    for _ in range(MAX_PROBES):
        slot = &cache.slots[at]
        if slot.head == head and slot.tail == tail and slot.size == size:
            if size <= 16 or not memcmp(cache.texts.text + slot.start, text, size):
                return slot
        if not slot.size:
            return NULL
        at = (at + 1) & (cache.room - 1)
    return NULL


cdef inline const unsigned char *get_value(TextCache cache, const Slot *slot) noexcept:
    return cache.texts.text + slot.start + slot.size


cdef inline void read_ends(
    const unsigned char *text, Py_ssize_t size, unsigned long long *head, unsigned long long *tail
) noexcept:
    """Read the first and the last eight bytes. In a shorter text they overlap; with the size they determine any text of
    up to sixteen bytes, so most lookups compare no other memory."""
    cdef unsigned int half
    if size >= 8:
        memcpy(head, text, 8)
        memcpy(tail, text + size - 8, 8)
    elif size >= 4:
        memcpy(&half, text, 4)
        head[0] = half
        memcpy(&half, text + size - 4, 4)
        tail[0] = half
    else:
        head[0] = text[0] | text[size >> 1] << 8
        tail[0] = text[size - 1]


cdef inline unsigned long long hash_text(
    const unsigned char *text, Py_ssize_t size, unsigned long long head, unsigned long long tail
) noexcept:
    """Return a hash of all bytes, taken eight at a time."""
    cdef unsigned long long found = (head ^ size) * 0x9E3779B97F4A7C15ULL, letters
    cdef Py_ssize_t at = 8
    while at + 8 < size:
        memcpy(&letters, text + at, 8)
        found = (found ^ found >> 32 ^ letters) * 1099511628211ULL
        at += 8
    found = (found ^ found >> 32 ^ tail) * 0x9E3779B97F4A7C15ULL
    return found ^ found >> 32
