# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""How candidates are scored and the best of them chosen, compiled: what `legs.py`, `fusion.py` and the embedded index do
in many small steps, each dearer to call than to do, is one here. Sums are rounded like theirs, so that the order of
adding does not show."""

from libc.math cimport rint, sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, qsort

from numpy import empty, float32, float64, int64

IS_COMPILED = True

cdef double STEPS = 1048576.0
cdef enum:
    FEEDBACK_HITS = 5
cdef float FEEDBACK_WEIGHT = <float>0.3

ctypedef fused number:
    float
    double


def fused_scores(words, rows, vector, double word_weight, double meaning_weight, bint is_moving):
    """The parts of words and of meaning and the cosine of each candidate; with `is_moving`, meaning is that of the
    vector moved towards the best. None where an array is not laid out as usual, or there is nothing to score."""
    cdef const float[::1] some_words, some_vector
    cdef const float[:, ::1] some_rows
    try:
        some_words, some_rows, some_vector = words, rows, vector
    except ValueError:
        return None
    cdef Py_ssize_t count = some_words.shape[0], dim = some_vector.shape[0]
    if not count or not dim or some_rows.shape[0] != count or some_rows.shape[1] != dim:
        return None
    found = empty((3, count), float64)
    cdef double[:, ::1] parts = found
    cdef double *moved = <double *>malloc(dim * sizeof(double))
    cdef bint *lacking = <bint *>malloc(count * sizeof(bint))
    if moved is NULL or lacking is NULL:
        free(moved)
        free(lacking)
        raise MemoryError
    cdef Py_ssize_t at
    for at in range(dim):
        moved[at] = some_vector[at]
    _part_of_words(&some_words[0], &parts[0, 0], count, word_weight)
    _cosines(&some_rows[0, 0], moved, &parts[2, 0], count, dim)
    for at in range(count):
        lacking[at] = parts[2, at] == 0 and _is_blank(&some_rows[at, 0], dim)
    _part_of_meaning(&parts[2, 0], lacking, &parts[1, 0], count, meaning_weight)
    if is_moving and _move(moved, &some_rows[0, 0], &parts[0, 0], &parts[1, 0], count, dim):
        _cosines(&some_rows[0, 0], moved, &parts[1, 0], count, dim)
        _part_of_meaning(&parts[1, 0], lacking, &parts[1, 0], count, meaning_weight)
    free(moved)
    free(lacking)
    return found[0], found[1], found[2]


cdef void _part_of_words(const float *scores, double *into, Py_ssize_t count, double weight) noexcept:
    cdef double best = scores[0]
    cdef Py_ssize_t at
    for at in range(count):
        best = max(best, scores[at])
    for at in range(count):
        into[at] = _rounded((scores[at] / best if best > 0 else scores[at]) * weight)


cdef void _part_of_meaning(
    const double *cosines, const bint *lacking, double *into, Py_ssize_t count, double weight
) noexcept:
    cdef double least = 0, most = 0
    cdef bint is_first = True
    cdef Py_ssize_t at
    for at in range(count):
        if lacking[at]:
            continue
        least = cosines[at] if is_first else min(least, cosines[at])
        most = cosines[at] if is_first else max(most, cosines[at])
        is_first = False
    for at in range(count):
        if lacking[at]:
            into[at] = _rounded(0 * weight)
        else:
            into[at] = _rounded(((cosines[at] - least) / (most - least) if most > least else 1.0) * weight)


cdef double _rounded(double value) noexcept:
    return rint(value * STEPS) / STEPS


cdef void _cosines(const float *rows, const double *vector, double *into, Py_ssize_t count, Py_ssize_t dim) noexcept:
    cdef Py_ssize_t at
    for at in range(count):
        into[at] = _rounded(_product(rows + at * dim, vector, dim))


cdef double _product(const float *row, const double *vector, Py_ssize_t dim) noexcept:
    """In lanes, which the machine adds side by side."""
    cdef double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0
    cdef Py_ssize_t at = 0
    while at + 8 <= dim:
        a += row[at] * vector[at]
        b += row[at + 1] * vector[at + 1]
        c += row[at + 2] * vector[at + 2]
        d += row[at + 3] * vector[at + 3]
        e += row[at + 4] * vector[at + 4]
        f += row[at + 5] * vector[at + 5]
        g += row[at + 6] * vector[at + 6]
        h += row[at + 7] * vector[at + 7]
        at += 8
    while at < dim:
        a += row[at] * vector[at]
        at += 1
    return ((a + b) + (c + d)) + ((e + f) + (g + h))


cdef bint _is_blank(const float *row, Py_ssize_t dim) noexcept:
    cdef Py_ssize_t at
    for at in range(dim):
        if row[at]:
            return False
    return True


cdef bint _move(
    double *vector, const float *rows, const double *words, const double *meaning, Py_ssize_t count, Py_ssize_t dim
) noexcept:
    """Moves the vector towards the best candidates, each by its score; of equal ones the oldest. False where none has
    any."""
    cdef Py_ssize_t[FEEDBACK_HITS] best
    cdef Py_ssize_t at, place, known = 0
    cdef double total = 0, length = 0, score
    for at in range(count):
        score = words[at] + meaning[at]
        place = known
        while place and words[best[place - 1]] + meaning[best[place - 1]] < score:
            if place < FEEDBACK_HITS:
                best[place] = best[place - 1]
            place -= 1
        if place < FEEDBACK_HITS:
            best[place] = at
            known = min(known + 1, FEEDBACK_HITS)
    for place in range(known):
        total += words[best[place]] + meaning[best[place]]
    if total <= 0:
        return False
    for at in range(dim):
        score = 0
        for place in range(known):
            score += (words[best[place]] + meaning[best[place]]) / total * rows[best[place] * dim + at]
        vector[at] += FEEDBACK_WEIGHT * score
        length += vector[at] * vector[at]
    length = sqrt(length)
    for at in range(dim):
        vector[at] = <float>(vector[at] / length)
    return True


def leading_rows(scores, Py_ssize_t limit):
    """The rows that can be among the best, in their order: more than `limit` where some are alike. None where the
    scores are not laid out as usual."""
    cdef const double[::1] some
    try:
        some = scores
    except ValueError:
        return None
    cdef Py_ssize_t count = some.shape[0], at
    if limit <= 0:
        return None
    if count <= limit:
        return list(range(count))
    cdef double edge = _edge(&some[0], count, limit)
    return [at for at in range(count) if some[at] >= edge]


def nearest_rows(scores, positions, Py_ssize_t limit):
    """The positions of the highest scores; of equal ones at the edge, the first, behind the others. None where an array
    is not laid out as usual, or all are among them."""
    cdef const float[::1] some
    cdef const int64_t[::1] places
    try:
        some, places = scores, positions
    except ValueError:
        return None
    cdef Py_ssize_t count = some.shape[0], at, above = 0, level = 0
    if count <= limit or limit <= 0 or places.shape[0] != count:
        return None
    cdef double edge = _edge(&some[0], count, limit)
    for at in range(count):
        above += some[at] > edge
        level += some[at] == edge
    cdef int64_t *alike = <int64_t *>malloc(level * sizeof(int64_t))
    if alike is NULL:
        raise MemoryError
    found = empty(limit, int64)
    cdef int64_t[::1] into = found
    above = level = 0
    for at in range(count):
        if some[at] > edge:
            into[above] = places[at]
            above += 1
        elif some[at] == edge:
            alike[level] = places[at]
            level += 1
    qsort(alike, level, sizeof(int64_t), _compared)
    for at in range(limit - above):
        into[above + at] = alike[at]
    free(alike)
    return found


def merged_rows(positions, scores, near):
    """Positions of words and of meaning in their order, each once, and the scores of words, 0 where they have none.
    None where an array is not laid out as usual."""
    cdef const int64_t[::1] places, others
    cdef const float[::1] some
    try:
        places, some = positions, scores
        rest = [_as_places(one) for one in near]
    except ValueError:
        return None
    cdef Py_ssize_t words = places.shape[0], count = words, at, distinct = 0
    for others in rest:
        count += others.shape[0]
    cdef _Scored *all_rows = <_Scored *>malloc((count or 1) * sizeof(_Scored))
    if all_rows is NULL:
        raise MemoryError
    for at in range(words):
        all_rows[at] = _Scored(places[at], some[at])
    count = words
    for others in rest:
        for at in range(others.shape[0]):
            all_rows[count] = _Scored(others[at], 0)
            count += 1
    qsort(all_rows, count, sizeof(_Scored), _compared_rows)
    for at in range(count):
        if at and all_rows[at].position == all_rows[distinct - 1].position:
            all_rows[distinct - 1].score += all_rows[at].score  # 0 in all but one
        else:
            all_rows[distinct] = all_rows[at]
            distinct += 1
    found, found_scores = empty(distinct, int64), empty(distinct, float32)
    cdef int64_t[::1] into = found
    cdef float[::1] scores_into = found_scores
    for at in range(distinct):
        into[at] = all_rows[at].position
        scores_into[at] = all_rows[at].score
    free(all_rows)
    return found, found_scores


cdef struct _Scored:
    int64_t position
    float score


cdef const int64_t[::1] _as_places(one):
    return one


cdef int _compared(const void *one, const void *other) noexcept nogil:
    cdef int64_t first = (<const int64_t *>one)[0], second = (<const int64_t *>other)[0]
    return (first > second) - (first < second)


cdef int _compared_rows(const void *one, const void *other) noexcept nogil:
    cdef int64_t first = (<const _Scored *>one).position, second = (<const _Scored *>other).position
    return (first > second) - (first < second)


cdef double _edge(const number *scores, Py_ssize_t count, Py_ssize_t limit) except? -1:
    """The lowest of the `limit` highest: those are kept as a heap, the lowest on top."""
    cdef double *heap = <double *>malloc(limit * sizeof(double))
    cdef Py_ssize_t at
    if heap is NULL:
        raise MemoryError
    for at in range(limit):
        heap[at] = scores[at]
    for at in range(limit // 2 - 1, -1, -1):
        _sift(heap, at, limit)
    for at in range(limit, count):
        if scores[at] > heap[0]:
            heap[0] = scores[at]
            _sift(heap, 0, limit)
    cdef double edge = heap[0]
    free(heap)
    return edge


cdef void _sift(double *heap, Py_ssize_t at, Py_ssize_t count) noexcept:
    cdef double value = heap[at]
    cdef Py_ssize_t child = 2 * at + 1
    while child < count:
        if child + 1 < count and heap[child + 1] < heap[child]:
            child += 1
        if value <= heap[child]:
            break
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = value
