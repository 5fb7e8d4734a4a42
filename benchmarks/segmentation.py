"""Thai word segmentation with the domain's names kept whole, beside nlpo3 alone on the same dictionary, on one core."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from time import process_time

from benchmarks.result import Result, judged
from sanya.text.dictionary import find_general_words, load_domain_words
from sanya.text.segmentation import get_default_segmenter

ROUNDS = 30
CORPUS = Path(__file__).parents[2] / "shared" / "data" / "retrieval" / "xquad_th_th" / "corpus.jsonl"


def run() -> Result:
    """In CPU microseconds a thousand characters."""
    texts = _texts()
    thousands = sum(map(len, texts)) / 1000
    ours, peer = _fastest([get_default_segmenter().segment, _nlpo3_alone()], texts)
    return judged("segmentation", ours / thousands * 1e6, peer / thousands * 1e6, ("<=", 1.2))


def _fastest(ways: list[Callable[[str], list[str]]], texts: list[str]) -> list[float]:
    """The least CPU time of each way; the ways take turns, so that a busy moment of the machine meets them all."""
    best = [float("inf")] * len(ways)
    for _ in range(ROUNDS):
        for index, way in enumerate(ways):
            began = process_time()
            for text in texts:
                way(text)
            best[index] = min(best[index], process_time() - began)
    return best


def _nlpo3_alone() -> Callable[[str], list[str]]:
    import nlpo3

    nlpo3.load_dict(str(find_general_words()), "benchmark")
    return lambda text: nlpo3.segment(text, "benchmark")


def _texts() -> list[str]:
    """Thai articles where they are at hand, and paragraphs full of names, which are the hardest for us."""
    texts = _herb_paragraphs()
    if CORPUS.exists():
        texts += [json.loads(row)["text"] for row in CORPUS.read_text(encoding="utf-8").splitlines()]
    return texts


def _herb_paragraphs() -> list[str]:
    names = sorted(load_domain_words())
    chooser = random.Random(1)
    sentence = "ผู้ป่วยที่ได้รับ{}ร่วมกับ{}ติดต่อกันนาน 7 วัน มีอาการดีขึ้นเมื่อเทียบกับกลุ่มควบคุม และไม่พบอาการข้างเคียงที่รุนแรง "
    return ["".join(sentence.format(*chooser.sample(names, 2)) for _ in range(8)) for _ in range(80)]


if __name__ == "__main__":
    print(run())
