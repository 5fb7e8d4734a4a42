"""All checks of a home, in the order in which `sanya doctor` prints them.

Like the composition root, this package knows the settings and the engines. Unlike it, it must work when a home cannot
be opened, so it inspects the parts one by one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sanya.checkup.database import check_database
from sanya.checkup.findings import HomeFinding
from sanya.checkup.machine import (
    check_compiled,
    check_document_readers,
    check_extras,
    check_folder,
    check_port,
    check_space,
    check_time_zone,
    check_variables,
)
from sanya.checkup.services import check_chat, check_redis, check_search, check_server, check_tasks_database
from sanya.checkup.suites import check_contracts, check_guests
from sanya.settings import BadSetting, Settings, find_default_home, load_settings


async def check_home(overrides: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> list[HomeFinding]:
    settings, first = _read_settings(overrides, environ)
    findings = [first]
    for check in (
        check_folder,
        check_space,
        check_time_zone,
        check_port,
        check_extras,
        check_compiled,
        check_chat,
        check_document_readers,
    ):
        findings += check(settings)
    findings += check_variables(environ)
    findings += [finding async for finding in check_server(settings)]
    findings += [finding async for finding in check_database(settings)]
    findings += [finding async for finding in check_redis(settings)]
    findings += [finding async for finding in check_search(settings)]
    findings += [finding async for finding in check_tasks_database(settings)]
    findings += [finding async for finding in check_guests(settings)]
    findings.append(await check_contracts())
    return findings


def _read_settings(overrides: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[Settings, HomeFinding]:
    try:
        settings = load_settings(overrides, environ)
    except BadSetting as error:
        home = Path(overrides.get("home") or environ.get("SANYA_HOME") or find_default_home(environ)).expanduser()
        advice = "Correct the setting there; until then the other checks use the defaults."
        return Settings(home=home), HomeFinding("settings", "bad", str(error), advice)
    return settings, HomeFinding("settings", "good", "all settings are valid")
