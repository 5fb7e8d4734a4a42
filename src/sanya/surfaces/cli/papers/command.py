"""`sanya papers`: import and sync papers, search, show and cite them, and manage checkpoints.

Each module of this package adds its own actions. The parser of an action stores its function as the default `act`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from sanya.surfaces.cli.papers import checkpoints, fulltext, intake, mesh, past_answers, references, search, watch

EXAMPLES = """A new home holds sample records, marked as such. The first import or sync of real papers removes them.

examples:
  sanya papers sync "GLP-1 receptor agonist AND obesity"
  sanya papers fetch 32312261 15801937
  sanya papers import pubmed25n0001.xml.gz
  sanya papers watch "tuberculosis AND Thailand" --every 1w
  sanya papers search "randomized trial of weight loss" --limit 3
  sanya papers search "สมุนไพร ไข้หวัด" --from 2020 --lang th
  sanya papers show 9900000001
  sanya papers cite 9900000001 9900000002 --format bibtex --out review.bib
  sanya papers resolve "10.1056/NEJMoa1715274"
  sanya papers related 9900000001
  sanya papers mesh "heart attack"
  sanya papers affected 9900000001
  sanya papers status
  sanya papers fulltext fetch PMC3166277
  sanya papers fulltext search "sample size" --section methods
  sanya papers checkpoint create "Before the June review\""""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for module in (intake, watch, search, references, mesh, past_answers, fulltext, checkpoints):
        module.add_actions(actions)


def run(options: Namespace) -> int:
    act: Callable[[Namespace], int] = options.act
    return act(options)
