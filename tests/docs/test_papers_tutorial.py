"""Every command of the papers tutorial runs, in its order, in one process against a stand-in for PubMed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sanya.surfaces.cli.main import main
from tests.docs.test_tutorial import read_blocks
from tests.sources.eutils import FIRST_PMID, EUtils, article
from tests.surfaces.cli.papers.test_intake import eutils as eutils  # a fixture

_EXPECTED = {
    "sanya papers sync": "1 new papers of 1 found",
    "sanya papers fetch": "1",
    "sanya papers status": "ginger AND allergic rhinitis",
    "sanya papers search": "pmid:32312261",
    "sanya papers show": "Ginger extract",
    "sanya papers related": "pmid:15801937",
    "sanya papers resolve": "pmid:32312261",
    "sanya papers checkpoint create": "cp_",
    "sanya papers cite": "PMID: 32312261",
    "sanya papers affected": "No recorded answer",
}
"""A piece of the output of each command, by how the command begins."""
_EXIT_CODES = {"sanya papers resolve": 1}
_TEXT = "Ginger and allergic rhinitis: ginger AND allergic rhinitis (hay fever, ขิง ภูมิแพ้) in a sample of ours."


def make_article(pmid: str, number: int, title: str, text: str) -> str:
    xml = article(number, text).replace(f">{FIRST_PMID + number}<", f">{pmid}<")
    return re.sub("<ArticleTitle>.*?</ArticleTitle>", f"<ArticleTitle>{title}</ArticleTitle>", xml)


def test_every_command_of_the_papers_tutorial_works(
    home: Path, tmp_path: Path, eutils: EUtils, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    eutils.articles.clear()
    eutils.add(make_article("32312261", 0, "Ginger extract, a sample of ours.", _TEXT))
    eutils.add(make_article("15801937", 1, "Ginger and warfarin, a sample of ours.", "Ginger was tried."))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SANYA_HOME", str(home))
    commands = [line for block in read_blocks("papers-tutorial.md", "sh") for line in block.splitlines()]
    assert len(commands) >= 12
    for command in commands:
        code = main(shlex.split(command)[1:])
        shown = capsys.readouterr()
        begins = next(begins for begins in _EXPECTED if command.startswith(begins))
        assert code == _EXIT_CODES.get(begins, 0), f"{command}\n{shown.out}\n{shown.err}"
        if "--format" not in command:
            assert _EXPECTED[begins] in shown.out, f"{command}\n{shown.out}"
    bibliography = (tmp_path / "review.bib").read_text("utf-8")
    assert bibliography.count("@article") == 2
    assert (tmp_path / "review.ris").read_text("utf-8").count("TY  -") == 2
