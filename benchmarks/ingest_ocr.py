"""OCR quality on a scanned Thai document: twenty pages at 300 dpi, rendered from sentences of the shipped graph and
read as the ingest reads them.

`ours` is the character error rate in percent, against the goal of five. The run also prints how many of the herbs that
the linker finds in the true text it finds in the recognised text, and how many cores were busy.
"""

from __future__ import annotations

import asyncio
import io
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import cycle
from pathlib import Path

import pypdfium2
from fpdf import FPDF
from PIL import Image, ImageFilter

from benchmarks.result import Result, judge_ratio
from sanya.kernel.cores import count_cores
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.facts.fact import derive_facts
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.graph.starter import FILE, read_starter
from sanya.suites.herbs.ingest.documents import ReadDocument, ReadPage, ReadRequest
from sanya.suites.herbs.ingest.extraction.entity_linker import EntityLinker
from sanya.suites.herbs.ingest.extraction.page_text import normalise_page
from sanya.text.normalisation import normalise

NAME = "ingest_ocr"
GOAL_WRONG = 5.0
GOAL_FOUND = 0.9
PAGES = 20
DPI = 300
_FONTS = ("Garuda", "Laksaman", "Norasi", "Loma", "Kinnari", "Umpush", "Waree")
_FOLDER = Path("/usr/share/fonts/truetype/tlwg")
_LETTERS_A_PAGE = 1500
_FACTS_A_HERB = 3


def run(pages: int = PAGES) -> Result:
    graph = load_shipped_graph()
    texts = list(make_page_texts(graph, pages))
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        path = Path(folder) / "scanned.pdf"
        path.write_bytes(make_scanned_pdf(texts))
        measured = asyncio.run(_read(path))
    wrong = 100 * compute_error_rate(texts, measured.document.pages)
    found, sought = count_found_herbs(graph, texts, measured.document.pages)
    _say(
        f"{pages} pages in {measured.wall_s:.1f} s, {measured.cpu_s / measured.wall_s:.2f} of {count_cores()} cores; "
        f"{wrong:.2f} of 100 characters wrong; {found} of {sought} herbs found "
        f"({found / sought:.3f}, goal {GOAL_FOUND:g}: {'holds' if found >= GOAL_FOUND * sought else 'NO'})"
    )
    return judge_ratio(NAME, wrong, GOAL_WRONG, ("<=", 1.0))


def load_shipped_graph() -> HerbGraph:
    starter = read_starter((files("sanya.suites.herbs") / FILE).read_bytes())
    nodes = {node.id: node for node in starter.nodes}
    names = tuple(name for name, _ in starter.names)
    return HerbGraph(0, nodes, tuple(starter.edges), names, {source.id: source for source in starter.sources})


def make_page_texts(graph: HerbGraph, count: int, letters: int = _LETTERS_A_PAGE) -> Iterator[str]:
    """Make pages of Thai sentences about herbs, with one paragraph per herb."""
    facts = derive_facts(graph).by_subject
    herbs = [node.id for node in graph.nodes.values() if node.type == "herb" and len(facts.get(node.id, ())) > 2]
    random.Random(1).shuffle(herbs)
    waiting = cycle(herbs)
    for _ in range(count):
        page = ""
        while len(page) < letters:
            page += " ".join(fact.get_sentence("th") for fact in facts[next(waiting)][:_FACTS_A_HERB]) + "\n"
        yield page[: page.rindex(" ", 0, letters + 200)]


def make_scanned_pdf(texts: Sequence[str]) -> bytes:
    """Make a PDF with one image per page, slightly rotated, blurred and speckled like a scan."""
    chance = random.Random(2)
    made = pypdfium2.PdfDocument.new()
    fonts = find_thai_fonts()
    for number, text in enumerate(texts):
        drawn = pypdfium2.PdfDocument(_draw_page(text, fonts[number % len(fonts)]))
        picture = drawn[0].render(scale=DPI / 72, grayscale=True).to_pil()
        out = io.BytesIO()
        _simulate_scan(picture, chance).save(out, "PDF", resolution=DPI, quality=80)
        made.import_pages(pypdfium2.PdfDocument(out.getvalue()))
    whole = io.BytesIO()
    made.save(whole)
    return whole.getvalue()


def find_thai_fonts() -> list[Path]:
    fonts = [_FOLDER / f"{name}.ttf" for name in _FONTS if (_FOLDER / f"{name}.ttf").is_file()]
    if not fonts:
        raise RuntimeError("No Thai font found. Install the package fonts-thai-tlwg")
    return fonts


def _draw_page(text: str, font: Path) -> bytes:
    pdf = FPDF(format="A4")
    pdf.set_margin(20)
    pdf.add_font("thai", fname=str(font))
    pdf.set_font("thai", size=13)
    pdf.set_text_shaping(True)
    pdf.add_page()
    pdf.multi_cell(0, 8, text, align="L")
    return bytes(pdf.output())


def _simulate_scan(picture: Image.Image, chance: random.Random) -> Image.Image:
    turned = picture.rotate(chance.uniform(-0.4, 0.4), resample=Image.Resampling.BICUBIC, fillcolor=255)
    worn = turned.filter(ImageFilter.GaussianBlur(0.8)).point(lambda grey: 20 + grey * 0.9)
    for _ in range(300):
        worn.putpixel((chance.randrange(worn.width), chance.randrange(worn.height)), chance.randrange(160))
    return worn


@dataclass(frozen=True, slots=True)
class _Measured:
    document: ReadDocument
    wall_s: float
    cpu_s: float


async def _read(path: Path) -> _Measured:
    reader = open_reader([path.parent])
    began, spent = time.perf_counter(), _measure_cpu()
    document = await reader.read(ReadRequest(path.as_uri(), lang="th"), lambda done, of: _say(f"  {done} of {of}"))
    return _Measured(document, time.perf_counter() - began, _measure_cpu() - spent)


def _measure_cpu() -> float:
    """Return the CPU seconds of this process and its finished children."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def compute_error_rate(texts: Sequence[str], pages: Sequence[ReadPage]) -> float:
    """Return the character error rate. Spaces between words count, line breaks do not."""
    pairs = [(_normalise_spaces(text), _normalise_spaces(page.text)) for text, page in zip(texts, pages, strict=True)]
    return sum(compute_distance(true, read) for true, read in pairs) / sum(len(true) for true, _ in pairs)


def _normalise_spaces(text: str) -> str:
    return " ".join(normalise(text).split())


def compute_distance(text: str, other: str) -> int:
    """Return the Levenshtein distance, computed with Myers' bit vectors in milliseconds per page."""
    places: dict[str, int] = {}
    for place, letter in enumerate(text):
        places[letter] = places.get(letter, 0) | 1 << place
    last, mask = 1 << (len(text) - 1), (1 << len(text)) - 1
    up, down, found = mask, 0, len(text)
    for letter in other:
        equal = places.get(letter, 0)
        across = (((equal & up) + up) ^ up) | equal | down
        right, left = down | ~(across | up), up & across
        found += bool(right & last) - bool(left & last)
        right, left = right << 1 | 1, left << 1
        vertical = equal | down
        up, down = (left | ~(vertical | right)) & mask, right & vertical & mask
    return found


def count_found_herbs(graph: HerbGraph, texts: Sequence[str], pages: Sequence[ReadPage]) -> tuple[int, int]:
    """Return how many of the herbs in the true text the recognised text contains, and how many there are."""
    linker = EntityLinker(graph)
    found = sought = 0
    for text, page in zip(texts, pages, strict=True):
        true = _find_herbs(linker, ReadPage(page.number, normalise(text)))
        found += len(true & _find_herbs(linker, page))
        sought += len(true)
    return found, sought


def _find_herbs(linker: EntityLinker, page: ReadPage) -> set[str]:
    return {
        node for mention in linker.find_mentions(normalise_page(page)) for node in mention.nodes_by_type.get("herb", ())
    }


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
