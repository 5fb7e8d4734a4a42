"""The browser of the tests, benchmarks and pictures: Chromium without a window.

`chromium-headless-shell` is the same engine without the parts that draw a window: a page costs less than half the CPU
time (0.5 s instead of 1.1 s for the console's first page).
"""

from __future__ import annotations

import shutil

from playwright.async_api import Browser, Error, Playwright

ADVICE = "Run scripts/browser, or: apt install chromium-headless-shell fonts-thai-tlwg"
_SHELL = "chromium-headless-shell"
_WHOLE_BROWSERS = ("chromium", "google-chrome")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class NoBrowser(Exception):
    """No browser is installed."""


async def launch_browser(playwright: Playwright, *, is_whole: bool = False) -> Browser:
    """Start the machine's own browser, or the one that Playwright downloaded. Raises NoBrowser.

    A benchmark asks for a whole browser, because people have that; where there is none it gets the shell.
    """
    names = (*_WHOLE_BROWSERS, _SHELL) if is_whole else (_SHELL, *_WHOLE_BROWSERS)
    path = next((path for name in names if (path := shutil.which(name))), None)
    try:
        return await playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
    except Error as error:
        if "Executable doesn't exist" in str(error):
            raise NoBrowser(f"No Chromium is installed. {ADVICE}") from error
        raise
