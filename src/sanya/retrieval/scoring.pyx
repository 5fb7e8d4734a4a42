# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled form of candidate scoring and selection.

`language_search.py`, `fusion.py` and the embedded index do the same with a dozen NumPy calls on small arrays, where the
call costs more than the arithmetic. Here it is one call. Results are rounded to the same steps as in Python, so both
forms give the same bits although they add in a different order. Each function returns None for an array that is not
contiguous or has another type; the caller then takes the Python form."""

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


def fuse_scores(words, rows, vector, double word_weight, double meaning_weight, bint use_feedback):
    """Return the weighted BM25 part, the weighted meaning part and the cosine of each candidate.

    With `use_feedback` the meaning part is computed against the query vector after relevance feedback. Return None
    where an array has an unexpected layout, or there is nothing to score."""
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
    cdef bint *has_no_vector = <bint *>malloc(count * sizeof(bint))
    if moved is NULL or has_no_vector is NULL:
        free(moved)
        free(has_no_vector)
        raise MemoryError
    cdef Py_ssize_t at
    for at in range(dim):
        moved[at] = some_vector[at]
    _weigh_bm25(&some_words[0], &parts[0, 0], count, word_weight)
    _compute_cosines(&some_rows[0, 0], moved, &parts[2, 0], count, dim)
    for at in range(count):
        has_no_vector[at] = parts[2, at] == 0 and _is_blank(&some_rows[at, 0], dim)
    _weigh_meaning(&parts[2, 0], has_no_vector, &parts[1, 0], count, meaning_weight)
    if use_feedback and _apply_feedback(moved, &some_rows[0, 0], &parts[0, 0], &parts[1, 0], count, dim):
        _compute_cosines(&some_rows[0, 0], moved, &parts[1, 0], count, dim)
        _weigh_meaning(&parts[1, 0], has_no_vector, &parts[1, 0], count, meaning_weight)
    free(moved)
    free(has_no_vector)
    return found[0], found[1], found[2]


cdef void _weigh_bm25(const float *scores, double *into, Py_ssize_t count, double weight) noexcept:
    cdef double best = scores[0]
    cdef Py_ssize_t at
    for at in range(count):
        best = max(best, scores[at])
    for at in range(count):
        into[at] = _round((scores[at] / best if best > 0 else scores[at]) * weight)


cdef void _weigh_meaning(
    const double *cosines, const bint *has_no_vector, double *into, Py_ssize_t count, double weight
) noexcept:
    cdef double least = 0, most = 0
    cdef bint is_first = True
    cdef Py_ssize_t at
    for at in range(count):
        if has_no_vector[at]:
            continue
        least = cosines[at] if is_first else min(least, cosines[at])
        most = cosines[at] if is_first else max(most, cosines[at])
        is_first = False
    for at in range(count):
        if has_no_vector[at]:
            into[at] = _round(0 * weight)
        else:
            into[at] = _round(((cosines[at] - least) / (most - least) if most > least else 1.0) * weight)


cdef double _round(double value) noexcept:
    return rint(value * STEPS) / STEPS


cdef void _compute_cosines(const float *rows, const double *vector, double *into, Py_ssize_t count, Py_ssize_t dim) noexcept:
    cdef Py_ssize_t at
    for at in range(count):
        into[at] = _round(_compute_product(rows + at * dim, vector, dim))


cdef double _compute_product(const float *row, const double *vector, Py_ssize_t dim) noexcept:
    """Return the dot product. Eight independent sums let the processor add them side by side."""
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


cdef bint _apply_feedback(
    double *vector, const float *rows, const double *words, const double *meaning, Py_ssize_t count, Py_ssize_t dim
) noexcept:
    """Move the vector towards the best candidates in proportion to their scores; ties go to the oldest. Return False
    if no candidate has a positive score."""
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


def select_leading_rows(scores, Py_ssize_t limit):
    """Return the rows that can be among the best `limit`, in ascending order: more than `limit` if scores tie at the
    edge. Return None if the scores have an unexpected layout."""
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
    cdef double edge = _find_edge(&some[0], count, limit)
    return [at for at in range(count) if some[at] >= edge]


def select_nearest_rows(scores, positions, Py_ssize_t limit):
    """Return the positions of the `limit` highest scores. Of scores that tie at the edge the lowest positions are
    taken, and they stand last. Return None if an array has an unexpected layout, or nothing has to be left out."""
    cdef const float[::1] some
    cdef const int64_t[::1] places
    try:
        some, places = scores, positions
    except ValueError:
        return None
    cdef Py_ssize_t count = some.shape[0], at, above = 0, level = 0
    if count <= limit or limit <= 0 or places.shape[0] != count:
        return None
    cdef double edge = _find_edge(&some[0], count, limit)
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
    qsort(alike, level, sizeof(int64_t), _compare_positions)
    for at in range(limit - above):
        into[above + at] = alike[at]
    free(alike)
    return found


def merge_rows(positions, scores, near):
    """Return the positions found by words or by meaning, ascending and each once, and their BM25 scores, 0 where words
    did not find them. Return None if an array has an unexpected layout."""
    cdef const int64_t[::1] places, others
    cdef const float[::1] some
    try:
        places, some = positions, scores
        rest = [_as_positions(array) for array in near]
    except ValueError:
        return None
    cdef Py_ssize_t words = places.shape[0], count = words, at, distinct = 0
    for others in rest:
        count += others.shape[0]
    cdef _ScoredRow *all_rows = <_ScoredRow *>malloc((count or 1) * sizeof(_ScoredRow))
    if all_rows is NULL:
        raise MemoryError
    for at in range(words):
        all_rows[at] = _ScoredRow(places[at], some[at])
    count = words
    for others in rest:
        for at in range(others.shape[0]):
            all_rows[count] = _ScoredRow(others[at], 0)
            count += 1
    qsort(all_rows, count, sizeof(_ScoredRow), _compare_rows)
    for at in range(count):
        if at and all_rows[at].position == all_rows[distinct - 1].position:
            all_rows[distinct - 1].score += all_rows[at].score  # at most one of them is not 0
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


cdef struct _ScoredRow:
    int64_t position
    float score


cdef const int64_t[::1] _as_positions(array):
    return array


cdef int _compare_positions(const void *left, const void *right) noexcept nogil:
    cdef int64_t first = (<const int64_t *>left)[0], second = (<const int64_t *>right)[0]
    return (first > second) - (first < second)


cdef int _compare_rows(const void *left, const void *right) noexcept nogil:
    cdef int64_t first = (<const _ScoredRow *>left).position, second = (<const _ScoredRow *>right).position
    return (first > second) - (first < second)


cdef double _find_edge(const number *scores, Py_ssize_t count, Py_ssize_t limit) except? -1:
    """Return the lowest of the `limit` highest scores. A min-heap holds the highest seen so far."""
    cdef double *heap = <double *>malloc(limit * sizeof(double))
    cdef Py_ssize_t at
    if heap is NULL:
        raise MemoryError
    for at in range(limit):
        heap[at] = scores[at]
    for at in range(limit // 2 - 1, -1, -1):
        _sift_down(heap, at, limit)
    for at in range(limit, count):
        if scores[at] > heap[0]:
            heap[0] = scores[at]
            _sift_down(heap, 0, limit)
    cdef double edge = heap[0]
    free(heap)
    return edge


cdef void _sift_down(double *heap, Py_ssize_t at, Py_ssize_t count) noexcept:
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
