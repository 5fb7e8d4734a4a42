"""Builds the documentation site from the pages in docs/ and the root of the repository, and checks every link in it.

    python -m docs.site        # make site

The pages stay readable as files: this copies them into one folder, points their links there, and runs MkDocs, which
fails for a link to a page or a heading that is not there. Nothing is fetched: fonts are the system's.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
STAGED = ROOT / "build" / "site"
ROOT_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "VERSIONING.md", "README.th.md")
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
_SECTION = re.compile(r"^\*\*(.+)\*\*$")
_PAGE = re.compile(r"\[([^\]]+)\]\(([\w./-]+\.md)\)")


def main() -> None:
    shutil.rmtree(STAGED, ignore_errors=True)
    pages = STAGED / "pages"
    pages.mkdir(parents=True)
    for page in sorted((ROOT / "docs").glob("*.md")):
        name = "index.md" if page.name == "README.md" else page.name
        (pages / name).write_text(_point_links(page.read_text("utf-8"), "docs"), "utf-8")
    for name in ROOT_PAGES:
        target = "th.md" if name == "README.th.md" else name
        (pages / target).write_text(_point_links((ROOT / name).read_text("utf-8"), ""), "utf-8")
    shutil.copytree(ROOT / "docs" / "screens", pages / "screens")
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copy2(picture, pages)
    shutil.copy2(ROOT / "web" / "src" / "console" / "icon.svg", pages)
    config = STAGED / "mkdocs.yml"
    config.write_text(yaml.safe_dump(build_config(), sort_keys=False, allow_unicode=True), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(config)]
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    if subprocess.run(command, env=environ, check=False).returncode:  # noqa: S603 - our own command
        raise SystemExit("the site has broken links or pages, named above")
    print(f"{ROOT / 'site'} is built: {len(list((ROOT / 'site').rglob('*.html')))} pages")


def build_config() -> dict[str, Any]:
    return {
        "site_name": "Sanya · สัญญา",
        "docs_dir": "pages",
        "site_dir": str(ROOT / "site"),
        "use_directory_urls": False,  # the site can be read from a folder, without a server
        "theme": {
            "name": "material",
            "font": False,
            "favicon": "icon.svg",
            "logo": "icon.svg",
            "features": ["navigation.sections", "navigation.footer", "content.code.copy", "search.highlight"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "teal"},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "teal"},
            ],
        },
        "plugins": [{"search": {"lang": ["en", "th"]}}, "offline"],  # searched without a server as well
        "markdown_extensions": [
            "tables",
            "attr_list",
            {"toc": {"permalink": True}},
            "pymdownx.superfences",
            "pymdownx.highlight",
            "pymdownx.inlinehilite",
        ],
        "extra": {
            "generator": False,
            "alternate": [
                {"name": "English", "link": "index.html", "lang": "en"},
                {"name": "ไทย", "link": "th.html", "lang": "th"},
            ],
        },
        "validation": {"links": {"not_found": "warn", "anchors": "warn", "unrecognized_links": "warn"}},
        "nav": read_navigation(),
    }


def read_navigation() -> list[dict[str, Any]]:
    """Read the navigation off the list of pages in docs/README.md."""
    sections: list[tuple[str, list[dict[str, str]]]] = []
    for line in (ROOT / "docs" / "README.md").read_text("utf-8").splitlines():
        if heading := _SECTION.match(line.strip()):
            sections.append((heading.group(1), []))
        elif sections:
            sections[-1][1].extend(
                {_capitalise(title): Path(path).name}
                for title, path in _PAGE.findall(line)
                if Path(path).name not in ("README.md",)
            )
    return [
        {"Overview": "index.md"},
        *({title: pages} for title, pages in sections),
        {"History": [{"Changelog": "CHANGELOG.md"}]},
        {"ภาษาไทย": [{"สัญญา": "th.md"}]},
    ]


def _capitalise(title: str) -> str:
    return title[:1].upper() + title[1:]


def _point_links(text: str, folder: str) -> str:
    """Point links at the pages' places in the site. A link to a file of the source, which the site lacks, becomes its
    name alone."""

    def point(match: re.Match[str]) -> str:
        text_of, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group(0)
        path, hash_sign, anchor = target.partition("#")
        place = (ROOT / folder / path).resolve()
        if place.suffix == ".md" and place.parent in (ROOT, ROOT / "docs"):
            names = {ROOT / "docs" / "README.md": "index.md", ROOT / "README.md": "index.md"}
            names[ROOT / "README.th.md"] = "th.md"
            return f"[{text_of}]({names.get(place, place.name)}{hash_sign}{anchor})"
        if place.is_relative_to(ROOT / "docs") and place.is_file():
            return f"[{text_of}]({place.relative_to(ROOT / 'docs').as_posix()})"
        return text_of if place.exists() else match.group(0)

    return _LINK.sub(point, text)


if __name__ == "__main__":
    main()
