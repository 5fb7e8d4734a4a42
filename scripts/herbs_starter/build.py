"""From the folder of fact tables to the files that ship: the starter graph and the tables beside it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from scripts.herbs_starter.corrections import Corrected, correct_interactions
from scripts.herbs_starter.data_files import write_tables
from scripts.herbs_starter.filing import Filing
from scripts.herbs_starter.joining import Joined, join_statements
from scripts.herbs_starter.medicines import add_constituents, add_formulations, add_papers
from scripts.herbs_starter.mistakes import check_mistakes
from scripts.herbs_starter.plants import add_herbs
from scripts.herbs_starter.rows import BuildError, StarterRows
from scripts.herbs_starter.rules import derive_evidence, derive_severity, rank_severity
from scripts.herbs_starter.safety_edges import add_safety, find_lowered
from scripts.herbs_starter.sources import add_sources
from scripts.herbs_starter.statements import Statement, read_statements
from scripts.herbs_starter.tables import Tables, read_own, read_tables
from scripts.herbs_starter.uses import add_uses
from scripts.herbs_starter.vocabulary import add_vocabulary, read_vocabulary
from scripts.herbs_starter.wording import add_thai_notes


@dataclass(frozen=True)
class Build:
    """All that was built, for whoever writes it, counts it or tests it."""

    tables: Tables
    rows: StarterRows
    corrected: Corrected
    statements: list[Statement]
    joined: list[Joined]

    def starter(self) -> bytes:
        return self.rows.content()

    def files(self) -> dict[str, bytes]:
        return write_tables(self.tables, self.rows, self.corrected)

    def count(self) -> dict[str, int]:
        """Count what a build prints."""
        types = Counter(node[1] for node in self.rows.nodes.values())
        kinds = Counter(name[3] for name in self.rows.names.values())
        edges = Counter(edge[3] for edge in self.rows.edges.values())
        reviews = Counter(edge[7] for edge in self.rows.edges.values() if _is_warning(edge[3]))
        return {
            "sources": len(self.rows.sources),
            "nodes": len(self.rows.nodes),
            **{f"nodes: {type}": count for type, count in sorted(types.items())},
            "names": len(self.rows.names),
            **{f"names: {kind}": count for kind, count in sorted(kinds.items())},
            "names that match only whole": sum(name[5] for name in self.rows.names.values()),
            "edges": len(self.rows.edges),
            **{f"edges: {type}": count for type, count in sorted(edges.items())},
            "statement rows": len(self.statements),
            "statement rows withdrawn": len(self.corrected.withdrawn),
            "corrections applied": sum(self.corrected.applied.values()),
            "statements of pairs": len(self.joined),
            "joined from several rows": sum(bool(joined.others) for joined in self.joined),
            "joined with differing severity": sum(joined.is_disputed for joined in self.joined),
            "negative findings": sum(all(row.is_negative for row in joined.statements) for joined in self.joined),
            **{f"statements {review}": count for review, count in sorted(reviews.items())},
            "unfiled": 0,
        }


def _is_warning(type: str) -> bool:
    return type in ("contraindicated_in", "interacts_with")


def build_all(folder: Path) -> Build:
    """Build everything, or raise `BuildError` with all that does not fit."""
    tables = read_tables(folder)
    rows = StarterRows()
    add_sources(rows, tables)
    for add in (add_herbs, add_constituents, add_formulations, add_uses, add_papers):
        add(rows, tables)
    vocabulary = read_vocabulary(tables)
    add_vocabulary(rows, vocabulary)
    corrected = correct_interactions(tables)
    filing = Filing(tables, vocabulary, rows)
    statements = read_statements(filing, corrected)
    joined = join_statements(statements)
    add_safety(rows, joined)
    add_thai_notes(rows)
    _check_official(filing, joined)
    _check_references(rows)
    check_mistakes(rows)
    return Build(tables, rows, corrected, statements, joined)


def build(folder: Path) -> bytes:
    """Build the content of the starter file alone."""
    return build_all(folder).starter()


def _check_official(filing: Filing, joined: list[Joined]) -> None:
    """Refuse an official warning that ends lower than it was, but for those that are listed with the reason."""
    before: dict[tuple[str, str], str] = {}
    for row in filing.tables.interactions:
        if derive_evidence(row)[0] == "official":
            for object_id in filing.file_row(row):
                pair, severity = (row["entity_id"], object_id), derive_severity(row)[0]
                before[pair] = max(before.get(pair, severity), severity, key=rank_severity)
    allowed = {
        (entry["entity_id"], filing.vocabulary.node_id(id))
        for entry in read_own("lowered.jsonl")
        for id in entry["objects"]
    }
    if lowered := find_lowered(joined, before, allowed):
        raise BuildError("official warnings that were lowered:\n" + "\n".join(lowered))


def _check_references(rows: StarterRows) -> None:
    """Refuse an edge to no node, a source that is cited and not there, a statement that cites nothing."""
    problems = [
        f"{edge[0]}: {end} is no node"
        for edge in rows.edges.values()
        for end in (edge[2], edge[4])
        if not rows.has(end)
    ]
    cited = [(row[0], source) for row in [*rows.nodes.values(), *rows.edges.values()] for source in row[-2]]
    problems += [f"{id}: {source} is no source" for id, source in cited if source not in rows.sources]
    problems += [f"{edge[0]} cites nothing" for edge in rows.edges.values() if _is_warning(edge[3]) and not edge[-2]]
    if problems:
        raise BuildError("references that lead nowhere:\n" + "\n".join(problems))
