"""Writes the pages of docs/ that are generated from code: settings, tools, errors, commands, the starter graph.

python -m docs.generate           write them
python -m docs.generate --check   list those that are out of date; fail if there are any
"""

from __future__ import annotations

import sys
from pathlib import Path

from docs.command_pages import render_commands_page
from docs.error_pages import render_errors_page
from docs.herb_pages import render_herb_graph_page
from docs.setting_pages import render_settings_page
from docs.suite_api_pages import render_suite_api_page
from docs.tool_pages import render_tools_page

FOLDER = Path(__file__).resolve().parent
NOTICE = "<!-- Made from the code by `make docs`; edit the code, not this page. -->\n\n"


def render_pages() -> dict[Path, str]:
    texts = {
        "cli.md": render_commands_page(),
        "errors.md": render_errors_page(),
        "herbs-graph.md": render_herb_graph_page(),
        "settings.md": render_settings_page(),
        "suite-api.md": render_suite_api_page(),
        "tools.md": render_tools_page(),
    }
    return {FOLDER / name: NOTICE + text.rstrip() + "\n" for name, text in texts.items()}


def find_stale_pages() -> list[Path]:
    return [path for path, text in render_pages().items() if not path.exists() or path.read_text("utf-8") != text]


def main(arguments: list[str]) -> int:
    stale = find_stale_pages()
    if arguments == ["--check"]:
        for path in stale:
            print(f"{path.name} is out of date; run `make docs`")
        return 1 if stale else 0
    for path, text in render_pages().items():
        path.write_text(text, "utf-8")
    print(f"{len(render_pages())} pages in docs/, {len(stale)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
