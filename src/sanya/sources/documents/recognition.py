"""Recognises the text in the image of a page: a provider by name, with parameters of its own. Other packages add
providers as entry points of the group `sanya.ocr`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from sanya.kernel.faults import InvalidArgument
from sanya.sources.documents.limits import DocumentLimits

GROUP = "sanya.ocr"
DEFAULT_PROVIDER = "tesseract"


@dataclass(frozen=True, slots=True)
class PageImage:
    """The image of a page in grey, one byte for each pixel, row by row from the top left."""

    number: int
    width: int
    height: int
    dpi: int
    pixels: bytes


@dataclass(frozen=True, slots=True)
class OcrText:
    """Recognised text. `certainty` is the recogniser's own confidence, 0 to 1."""

    text: str
    certainty: float | None = None


class Recogniser(Protocol):
    """A recogniser for one document. `dpi` is the resolution of its images, None where it needs none; `every_page` also
    sends it pages with a good text layer."""

    @property
    def dpi(self) -> int | None: ...

    @property
    def every_page(self) -> bool: ...

    async def recognise(self, image: PageImage) -> OcrText:
        """Recognise a page. Several pages run at once. A cancelled call leaves nothing running."""


@dataclass(frozen=True, slots=True)
class OcrRequest:
    """The request of a caller to a provider."""

    lang: Literal["th", "en", "auto"]
    params: Mapping[str, str]
    limits: DocumentLimits


Provider = Callable[[OcrRequest], Recogniser]
"""A provider refuses unknown parameters with InvalidArgument and names those it takes."""


@dataclass(frozen=True, slots=True)
class NoRecognition:
    """No recognition: pages without text stay empty."""

    dpi: int | None = None
    every_page: bool = False

    async def recognise(self, image: PageImage) -> OcrText:
        raise NotImplementedError("this provider requests no images")


def choose_recogniser(name: str | None, request: OcrRequest) -> Recogniser:
    name = name or DEFAULT_PROVIDER
    if name in _PROVIDERS:
        return _PROVIDERS[name](request)
    from importlib.metadata import entry_points  # here: it takes long to load, and most documents need none

    others = entry_points(group=GROUP)
    if name in others.names:
        provider: Provider = others[name].load()
        return provider(request)
    known = ", ".join([*_PROVIDERS, *sorted(others.names)])
    raise InvalidArgument(f"There is no OCR provider {name!r}; there are: {known}.", field="ocr.provider")


def _build_none(request: OcrRequest) -> Recogniser:
    check_names(request.params, ())
    return NoRecognition()


def _build_tesseract(request: OcrRequest) -> Recogniser:
    from sanya.sources.documents.tesseract import Tesseract

    return Tesseract.from_request(request)


def check_names(params: Mapping[str, str], allowed: tuple[str, ...]) -> None:
    for name in params:
        if name not in allowed:
            takes = f"it takes: {', '.join(allowed)}" if allowed else "it takes none"
            raise InvalidArgument(f"The OCR provider has no parameter {name!r}; {takes}.", field=f"ocr.params.{name}")


_PROVIDERS: dict[str, Provider] = {"tesseract": _build_tesseract, "none": _build_none}
