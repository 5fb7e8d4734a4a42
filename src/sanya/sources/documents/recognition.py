"""Who turns the picture of a page into text: a provider by name, with parameters of its own. Other packages add theirs
as entry points of the group `sanya.ocr`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Literal, Protocol

from sanya.kernel.faults import InvalidArgument
from sanya.sources.documents.limits import Limits

GROUP = "sanya.ocr"
DEFAULT_PROVIDER = "tesseract"


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page in grey, one byte for each pixel, row by row from the top left."""

    number: int
    width: int
    height: int
    dpi: int
    pixels: bytes


@dataclass(frozen=True, slots=True)
class Recognised:
    """`certainty` is the recogniser's own, 0 to 1."""

    text: str
    certainty: float | None = None


class Recogniser(Protocol):
    """Made for one document. `dpi` is how finely pages are drawn for it, None where it wants no pictures at all;
    `every_page` sends it pages with a sound text layer too."""

    @property
    def dpi(self) -> int | None: ...

    @property
    def every_page(self) -> bool: ...

    async def recognise(self, image: PageImage) -> Recognised:
        """Called for several pages at once. Cancelled, it leaves nothing running behind."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a caller asks of a provider."""

    lang: Literal["th", "en", "auto"]
    params: Mapping[str, str]
    limits: Limits


Provider = Callable[[Wanted], Recogniser]
"""Refuses parameters that it does not know with InvalidArgument, naming those it takes."""


@dataclass(frozen=True, slots=True)
class NoRecognition:
    """Pages without text stay without."""

    dpi: int | None = None
    every_page: bool = False

    async def recognise(self, image: PageImage) -> Recognised:
        raise NotImplementedError("it asks for no pictures, so it is given none")


def chosen(name: str | None, wanted: Wanted) -> Recogniser:
    name = name or DEFAULT_PROVIDER
    if name in _PROVIDERS:
        return _PROVIDERS[name](wanted)
    others = entry_points(group=GROUP)
    if name in others.names:
        provider: Provider = others[name].load()
        return provider(wanted)
    known = ", ".join([*_PROVIDERS, *sorted(others.names)])
    raise InvalidArgument(f"There is no OCR provider {name!r}; there are: {known}.", field="ocr.provider")


def _nobody(wanted: Wanted) -> Recogniser:
    check_names(wanted.params, ())
    return NoRecognition()


def _tesseract(wanted: Wanted) -> Recogniser:
    from sanya.sources.documents.tesseract import Tesseract

    return Tesseract.of(wanted)


def check_names(params: Mapping[str, str], allowed: tuple[str, ...]) -> None:
    for name in params:
        if name not in allowed:
            takes = f"it takes: {', '.join(allowed)}" if allowed else "it takes none"
            raise InvalidArgument(f"The OCR provider has no parameter {name!r}; {takes}.", field=f"ocr.params.{name}")


_PROVIDERS: dict[str, Provider] = {"tesseract": _tesseract, "none": _nobody}
