"""Pages recognised by the program Tesseract: a process for each page, one thread in each, as many as cores."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from sanya.kernel.faults import DeadlineExceeded, InvalidArgument, Unavailable
from sanya.sources.documents.layout import Piece, arranged
from sanya.sources.documents.limits import Limits
from sanya.sources.documents.recognition import PageImage, Recognised, Wanted, check_names
from sanya.text.normalisation import normalise

INSTALL_LINE = "apt-get install tesseract-ocr tesseract-ocr-tha"

_PARAMETERS = ("languages", "dpi", "psm", "pages")
_LANGUAGES = re.compile(r"[A-Za-z_]{2,30}(\+[A-Za-z_]{2,30}){0,4}")
_MODES = ("1", "3", "4", "6", "11", "12")
_DPI = range(100, 601)
_KEPT = ("PATH", "TESSDATA_PREFIX")
# Otherwise it takes a row of Thai tone marks for a line of its own, and the letters below lose them.
_LINES = ("-c", "textord_min_linesize=2.5")
# As the Thai model asks for, which Tesseract heeds only where Thai is the first of its languages.
_BLANKS = ("-c", "preserve_interword_spaces=1")
# Its Thai model hardly ever sees the ring of ำ below a tone: water comes out as an aunt, who is rare in these texts.
_WATER = re.compile("น้า(?!ชาย|สาว|เขย|สะใภ้|อา|ๆ)")
_WIDE_OF_HEIGHT = 1.2
_WORD_LEVEL, _LINE_LEVEL, _COLUMNS = "5", "4", 12


@dataclass(frozen=True, slots=True)
class Tesseract:
    languages: str
    dpi: int | None
    psm: str
    every_page: bool
    limits: Limits

    @classmethod
    def of(cls, wanted: Wanted) -> Tesseract:
        params = wanted.params
        check_names(params, _PARAMETERS)
        languages = params.get("languages", "eng" if wanted.lang == "en" else "tha+eng")
        if not _LANGUAGES.fullmatch(languages):
            raise _wrong("languages", "names of Tesseract's languages joined by +, e.g. tha+eng")
        dpi = params.get("dpi", "300")
        if not (dpi.isascii() and dpi.isdigit() and int(dpi) in _DPI):
            raise _wrong("dpi", f"a number from {_DPI[0]} to {_DPI[-1]}")
        psm = params.get("psm", "3")
        if psm not in _MODES:
            raise _wrong("psm", f"one of {', '.join(_MODES)}")
        pages = params.get("pages", "auto")
        if pages not in ("auto", "all"):
            raise _wrong("pages", "auto (those without a sound text layer) or all")
        return cls(languages, int(dpi), psm, pages == "all", wanted.limits)

    async def recognise(self, image: PageImage) -> Recognised:
        program = await asyncio.to_thread(_program, tuple(self.languages.split("+")))
        arguments = ("stdin", "stdout", "-l", self.languages, "--psm", self.psm, "--dpi", str(image.dpi))
        process = await asyncio.create_subprocess_exec(
            program,
            *(*arguments, *_LINES, *_BLANKS, "txt", "tsv"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**{name: os.environ[name] for name in _KEPT if name in os.environ}, "OMP_THREAD_LIMIT": "1"},
            cwd="/",
        )
        # Before it has read a byte.
        _bound(process.pid, self.limits)
        picture = b"P5\n%d %d\n255\n%b" % (image.width, image.height, image.pixels)
        try:
            async with asyncio.timeout(self.limits.max_page_seconds):
                out, _ = await process.communicate(picture)
        except TimeoutError:
            raise DeadlineExceeded(
                f"Page {image.number} took more than {self.limits.max_page_seconds} seconds to recognise.",
                hint="Give a smaller dpi, or raise the setting ingest_max_page_seconds.",
            ) from None
        finally:
            await _end(process)
        if process.returncode != 0:
            raise Unavailable(
                f"Tesseract failed on page {image.number}. Try `tesseract --version`, or a smaller dpi.",
            )
        return _read(out.decode("utf-8", "replace"))


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _wrong(name: str, takes: str) -> InvalidArgument:
    return InvalidArgument(f"The OCR parameter {name} takes {takes}.", field=f"ocr.params.{name}")


def _bound(pid: int, limits: Limits) -> None:
    if sys.platform != "linux":
        return
    import resource

    most = limits.max_memory_mb * 1024 * 1024
    # It may have ended already, and a caller who is bounded himself may not raise it.
    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(pid, resource.RLIMIT_AS, (most, most))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, 0))


def installed_languages() -> frozenset[str] | None:
    """The languages that Tesseract has here; None where it is not installed."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    return frozenset(listed.stdout.split("\n")[1:]) - {""}


@cache
def _program(languages: tuple[str, ...]) -> str:
    """Where Tesseract is, if it knows these languages. That it does not is asked again: somebody may install it."""
    program = shutil.which("tesseract")
    if program is None:
        raise Unavailable(
            "This page has no readable text layer, and Tesseract, which would recognise it, is not installed.",
            hint=f"Install it: {INSTALL_LINE}",
        )
    missing = [name for name in languages if name not in (installed_languages() or ())]
    if missing:
        raise Unavailable(
            f"Tesseract is installed without its language {missing[0]}.",
            hint=f"Install it: apt-get install tesseract-ocr-{missing[0].replace('_', '-')}",
        )
    return program


def _read(said: str) -> Recognised:
    """Tesseract's text and its table, in one: the table has the place of every word and how sure it is, but only the
    text tells which words a blank parts (most Thai words none)."""
    lines = said.replace("\f", "\n").split("\n")
    rows = [row for line in lines if len(row := line.split("\t")) == _COLUMNS and row[0].isdigit()]
    plain = "\n".join(line for line in lines if line.count("\t") != _COLUMNS - 1)
    parted = _parted_words([row[-1] for row in rows if _is_word(row)], plain)
    pieces: list[Piece] = []
    weight, sure = 0, 0.0
    for _, line in groupby((row for row in rows if row[0] in (_LINE_LEVEL, _WORD_LEVEL)), key=lambda row: row[1:5]):
        found = list(line)
        words = [(row, next(parted)) for row in found if _is_word(row)]
        pieces += _pieces(words, next((row for row in found if row[0] == _LINE_LEVEL), None))
        for row, _ in words:
            weight += len(row[-1])
            sure += len(row[-1]) * max(float(row[10]), 0.0) / 100
    text = _WATER.sub("น้ำ", normalise(arranged(pieces)))
    return Recognised(text, round(sure / weight, 4) if weight else None)


def _is_word(row: list[str]) -> bool:
    return row[0] == _WORD_LEVEL and bool(row[-1].strip())


def _parted_words(words: list[str], text: str) -> Iterator[bool]:
    """For each word, whether something parts it from the one before: both have the same letters in the same order."""
    place = 0
    for word in words:
        start = text.find(word, place)
        if start < 0 or text[place:start].strip():
            yield True
            continue
        yield start > place
        place = start + len(word)


def _pieces(words: list[tuple[list[str], bool]], line: list[str] | None) -> Iterator[Piece]:
    """The words of a line, joined where nothing parts them. They share the line's height: their own differ by their
    letters."""
    current: Piece | None = None
    for row, is_parted in words:
        left, top, width, height = map(float, row[6:10])
        if line is not None:
            top, height = float(line[7]), float(line[9])
        word = Piece(row[-1], left, left + width, top, top + height)
        gap = word.left - current.right if current else 0.0
        if current is None or gap > _WIDE_OF_HEIGHT * height:
            if current is not None:
                yield current
            current = word
            continue
        current.text += f" {word.text}" if is_parted else word.text
        current.right = max(current.right, word.right)
    if current is not None:
        yield current
