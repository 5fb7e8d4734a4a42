"""Speed of Thai word segmentation that keeps domain names whole, against nlpo3 alone with the same dictionary."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from time import process_time

from benchmarks.result import Result, judge_ratio
from sanya.text.dictionary import GENERAL_WORDS, load_domain_words
from sanya.text.segmentation import get_default_segmenter

ROUNDS = 30
CORPUS = Path(__file__).parents[2] / "shared" / "data" / "retrieval" / "xquad_th_th" / "corpus.jsonl"


def run() -> Result:
    """Return the CPU microseconds per thousand characters."""
    texts = _load_texts()
    thousands = sum(map(len, texts)) / 1000
    ours, peer = _measure_fastest([get_default_segmenter().segment, _load_nlpo3()], texts)
    return judge_ratio("segmentation", ours / thousands * 1e6, peer / thousands * 1e6, ("<=", 1.2))


def _measure_fastest(segmenters: list[Callable[[str], list[str]]], texts: list[str]) -> list[float]:
    """Return the lowest CPU time of each segmenter. They alternate, so that a busy moment slows all of them."""
    best = [float("inf")] * len(segmenters)
    for _ in range(ROUNDS):
        for index, segment in enumerate(segmenters):
            began = process_time()
            for text in texts:
                segment(text)
            best[index] = min(best[index], process_time() - began)
    return best


def _load_nlpo3() -> Callable[[str], list[str]]:
    import nlpo3

    nlpo3.load_dict(str(GENERAL_WORDS), "benchmark")
    return lambda text: nlpo3.segment(text, "benchmark")


def _load_texts() -> list[str]:
    """Return Thai articles, if available, and paragraphs full of names, which are our hardest case."""
    texts = _make_herb_paragraphs()
    if CORPUS.exists():
        texts += [json.loads(row)["text"] for row in CORPUS.read_text(encoding="utf-8").splitlines()]
    return texts


def _make_herb_paragraphs() -> list[str]:
    names = sorted(load_domain_words())
    chooser = random.Random(1)
    sentence = "ผู้ป่วยที่ได้รับ{}ร่วมกับ{}ติดต่อกันนาน 7 วัน มีอาการดีขึ้นเมื่อเทียบกับกลุ่มควบคุม และไม่พบอาการข้างเคียงที่รุนแรง "
    return ["".join(sentence.format(*chooser.sample(names, 2)) for _ in range(8)) for _ in range(80)]


if __name__ == "__main__":
    print(run())
