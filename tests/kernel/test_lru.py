from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from sanya.kernel.lru import LruCache


def test_the_least_recently_used_entry_gives_way() -> None:
    cache: LruCache[str, int] = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)
    assert len(cache) == 2


def test_weights_are_counted_and_a_replaced_value_weighs_nothing_more() -> None:
    cache: LruCache[str, str] = LruCache(max_weight=10, weigh=len)
    cache.put("a", "x" * 6)
    cache.put("a", "x" * 4)
    cache.put("b", "x" * 6)
    assert len(cache) == 2
    cache.put("c", "x")
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (None, "x" * 6, "x")


def test_the_newest_entry_stays_however_heavy_it_is() -> None:
    cache: LruCache[str, str] = LruCache(max_weight=3, weigh=len)
    cache.put("a", "x")
    cache.put("b", "x" * 9)
    assert cache.get("a") is None
    assert cache.get("b") == "x" * 9
    cache.clear()
    assert len(cache) == 0


def test_threads_share_a_cache() -> None:
    cache: LruCache[int, int] = LruCache(8)

    def work(seed: int) -> None:
        for number in range(2000):
            cache.put((seed + number) % 16, number)
            cache.get(number % 16)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(cache) == 8
