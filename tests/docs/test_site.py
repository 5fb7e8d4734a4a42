"""The documentation site lists every page, and its links point at pages of the site."""

from __future__ import annotations

from pathlib import Path

from docs.site import ROOT, _point_links, read_navigation


def test_every_page_is_in_the_navigation() -> None:
    listed = {path for section in read_navigation() for pages in section.values() if isinstance(pages, list)
              for page in pages for path in page.values()}  # fmt: skip
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages - listed == set()


def test_links_point_at_the_places_in_the_site() -> None:
    assert _point_links("[a](../CONTRIBUTING.md#x) [b](docs/README.md)", "docs") == (
        "[a](CONTRIBUTING.md#x) [b](docs/README.md)"
    )
    assert _point_links("[b](docs/papers.md) ![c](docs/screens/console-home-light.png)", "") == (
        "[b](papers.md) ![c](screens/console-home-light.png)"
    )
    assert _point_links("see [the file](../Makefile)", "docs") == "see the file", "the site has no sources"
    assert _point_links("[out](https://x.example/a.md)", "") == "[out](https://x.example/a.md)"
    assert Path(ROOT / "docs" / "install.md").exists()
