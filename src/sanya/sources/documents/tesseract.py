"""Recognises pages with Tesseract: a process for each page, one thread in each, as many as cores."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

from sanya.kernel.faults import DeadlineExceeded, InvalidArgument, Unavailable
from sanya.sources.documents.layout import arrange_pieces
from sanya.sources.documents.limits import DocumentLimits
from sanya.sources.documents.ocr_words import OcrLine, correct_latin, has_latin, parse_lines
from sanya.sources.documents.recognition import OcrRequest, OcrText, PageImage, check_names
from sanya.text.normalisation import normalise

INSTALL_LINE = "apt-get install tesseract-ocr tesseract-ocr-tha"

_PARAMETERS = ("languages", "dpi", "psm", "pages")
_LANGUAGES = re.compile(r"[A-Za-z_]{2,30}(\+[A-Za-z_]{2,30}){0,4}")
_MODES = ("1", "3", "4", "6", "11", "12")
_DPI = range(100, 601)
_KEPT = ("PATH", "TESSDATA_PREFIX")
# Otherwise a row of Thai tone marks becomes a line of its own, and the letters below lose them.
_LINES = ("-c", "textord_min_linesize=2.5")
# The Thai model sets this, but Tesseract applies it only where Thai is the first language.
_BLANKS = ("-c", "preserve_interword_spaces=1")
# The Thai model misses the ring of ำ below a tone mark: น้ำ (water) comes out as น้า (aunt), which is rare here.
_WATER = re.compile("น้า(?!ชาย|สาว|เขย|สะใภ้|อา|ๆ)")


@dataclass(frozen=True, slots=True)
class Tesseract:
    languages: str
    dpi: int | None
    psm: str
    every_page: bool
    limits: DocumentLimits

    @classmethod
    def from_request(cls, request: OcrRequest) -> Tesseract:
        params = request.params
        check_names(params, _PARAMETERS)
        languages = params.get("languages", "eng" if request.lang == "en" else "tha+eng")
        if not _LANGUAGES.fullmatch(languages):
            raise _refuse_parameter("languages", "names of Tesseract's languages joined by +, e.g. tha+eng")
        dpi = params.get("dpi", "300")
        if not (dpi.isascii() and dpi.isdigit() and int(dpi) in _DPI):
            raise _refuse_parameter("dpi", f"a number from {_DPI[0]} to {_DPI[-1]}")
        psm = params.get("psm", "3")
        if psm not in _MODES:
            raise _refuse_parameter("psm", f"one of {', '.join(_MODES)}")
        pages = params.get("pages", "auto")
        if pages not in ("auto", "all"):
            raise _refuse_parameter("pages", "auto (those without a sound text layer) or all")
        return cls(languages, int(dpi), psm, pages == "all", request.limits)

    async def recognise(self, image: PageImage) -> OcrText:
        languages = tuple(self.languages.split("+"))
        program = await asyncio.to_thread(_find_program, languages)
        try:
            async with asyncio.timeout(self.limits.max_page_seconds):
                lines = parse_lines(await self._run(program, image, self.languages))
                if "eng" in languages and len(languages) > 1 and has_latin(lines):
                    correct_latin(lines, parse_lines(await self._run(program, image, "eng")))
        except TimeoutError:
            raise DeadlineExceeded(
                f"Page {image.number} took more than {self.limits.max_page_seconds} seconds to recognise.",
                hint="Give a smaller dpi, or raise the setting ingest_max_page_seconds.",
            ) from None
        return _build_text(lines)

    async def _run(self, program: str, image: PageImage, languages: str) -> str:
        arguments = ("stdin", "stdout", "-l", languages, "--psm", self.psm, "--dpi", str(image.dpi))
        process = await asyncio.create_subprocess_exec(
            program,
            *(*arguments, *_LINES, *_BLANKS, "txt", "tsv"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**{name: os.environ[name] for name in _KEPT if name in os.environ}, "OMP_THREAD_LIMIT": "1"},
            cwd="/",
        )
        # Set before the process reads a byte.
        _limit_process(process.pid, self.limits)
        try:
            out, _ = await process.communicate(b"P5\n%d %d\n255\n%b" % (image.width, image.height, image.pixels))
        finally:
            await _end(process)
        if process.returncode != 0:
            raise Unavailable(f"Tesseract failed on page {image.number}. Try `tesseract --version`, or a smaller dpi.")
        return out.decode("utf-8", "replace")


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _refuse_parameter(name: str, takes: str) -> InvalidArgument:
    return InvalidArgument(f"The OCR parameter {name} takes {takes}.", field=f"ocr.params.{name}")


def _limit_process(pid: int, limits: DocumentLimits) -> None:
    if sys.platform != "linux":
        return
    import resource

    most = limits.max_memory_mb * 1024 * 1024
    # The process may have ended, and a limited parent may not raise a limit.
    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(pid, resource.RLIMIT_AS, (most, most))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, 0))


def list_languages() -> frozenset[str] | None:
    """Return the languages that Tesseract has, or None where it is not installed."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    return frozenset(listed.stdout.split("\n")[1:]) - {""}


@cache
def _find_program(languages: tuple[str, ...]) -> str:
    """Return the path of Tesseract if it has these languages. A failure is not cached: somebody may install it."""
    program = shutil.which("tesseract")
    if program is None:
        raise Unavailable(
            "This page has no readable text layer, and Tesseract, which would recognise it, is not installed.",
            hint=f"Install it: {INSTALL_LINE}",
        )
    missing = [name for name in languages if name not in (list_languages() or ())]
    if missing:
        raise Unavailable(
            f"Tesseract is installed without its language {missing[0]}.",
            hint=f"Install it: apt-get install tesseract-ocr-{missing[0].replace('_', '-')}",
        )
    return program


def _build_text(lines: list[OcrLine]) -> OcrText:
    words = [word for line in lines for word in line.words]
    letters = sum(len(word.text) for word in words)
    sure = sum(len(word.text) * word.certainty for word in words)
    text = normalise(arrange_pieces([piece for line in lines for piece in line.split_pieces()]))
    return OcrText(_WATER.sub("น้ำ", text), round(sure / letters, 4) if letters else None)
