"""The command line of the script that runs a real Weaviate."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.weaviate import parse_options


def test_options_after_the_action_are_the_scripts_own() -> None:
    assert parse_options(["serve", "--nodes", "3"]).nodes == 3
    assert parse_options(["serve", "--folder", "data"]).folder == Path("data")


def test_options_of_the_command_stay_with_the_command() -> None:
    options = parse_options(["run", "--nodes=2", "pytest", "-k", "weaviate", "--nodes", "9"])
    assert (options.nodes, options.command) == (2, ["pytest", "-k", "weaviate", "--nodes", "9"])
    assert parse_options(["run", "pytest", "-q"]).command == ["pytest", "-q"]


def test_run_without_a_command_is_refused() -> None:
    with pytest.raises(SystemExit):
        parse_options(["run", "--nodes", "2"])
