"""Herbs with all their names, poisonous ones flagged, and the species that share a Thai name with them."""

from __future__ import annotations

from collections.abc import Iterable

from scripts.herbs_starter.rows import StarterRows
from scripts.herbs_starter.tables import Row, Tables, basis_of, read_own, review_of, slug, unique


def add_herbs(rows: StarterRows, tables: Tables) -> None:
    """No plant is left out for being doubtful or poisonous: a name that is not known cannot be warned of."""
    flagged = [*tables.herbs_more, *tables.herb_toxic, *read_own("more_toxic.jsonl")]
    toxic = {row["id"]: row for row in flagged if row.get("toxic")}
    for row in [*tables.herbs, *tables.herbs_more]:
        _add_herb(rows, row, toxic.get(row["id"]))
    for row in tables.herb_aliases:
        _add_aliases(rows, row)
    for shared in read_own("shared_names.jsonl"):
        _add_namesakes(rows, shared["herb_id"], shared["thai_name"], shared["species"])


def _add_herb(rows: StarterRows, row: Row, toxic: Row | None) -> None:
    english = [name.strip() for name in row["english_name"].split(",")]
    english_names = unique([*english, *row.get("english_aliases", ())])
    data = {
        "latin_name": row["latin_name"],
        "synonyms": row["synonyms"],
        "parts": row["parts"],
        "material": row.get("material"),
    }
    if toxic is not None:
        data |= {key: toxic[key] for key in ("toxic", "toxic_note_en", "toxic_note_th")}
        data["toxic_sources"] = toxic["source_refs"]
    rows.add_node(
        row["id"],
        "herb",
        (row["thai_name"], english[0]),
        basis=basis_of(row["latin_basis"]),
        review=review_of(row, assigned=row["latin_basis"] == "mapper"),
        note=row.get("reason"),
        sources=row["source_refs"],
        data=data,
    )
    _name_herb(rows, row, english_names)


def _name_herb(rows: StarterRows, row: Row, english: list[str]) -> None:
    herb_id = row["id"]
    rows.add_thai_name(herb_id, row["thai_name"], "main")
    rows.add_name(herb_id, english[0], "en", "main")
    for name in english[1:]:
        rows.add_name(herb_id, name, "en", "alias")
    for alias in row["thai_aliases"]:
        rows.add_thai_name(herb_id, alias, "alias")
    _name_species(rows, herb_id, row["latin_name"])
    for synonym in row["synonyms"]:
        rows.add_name(herb_id, synonym, "la", "synonym")


def _name_species(rows: StarterRows, herb_id: str, latin: str) -> None:
    """The genus alone names the herb only where it is the one species of its genus: two make the name ambiguous."""
    genus, _, species = latin.partition(" ")
    if genus:
        rows.add_name(herb_id, latin, "la", "main")
        rows.add_name(herb_id, genus, "la", "genus")
    if species and not species.startswith("spp"):
        rows.add_name(herb_id, f"{genus[0]}. {species}", "la", "abbreviation")


def _add_aliases(rows: StarterRows, row: Row) -> None:
    """Add further names; one that may mean another plant as well is marked as doubtful."""
    doubtful = set(row.get("check_aliases", ()))
    for name in row["add_thai_aliases"]:
        rows.add_thai_name(row["id"], name, "doubtful" if name in doubtful else "alias")
    for name in row["add_english_aliases"]:
        rows.add_name(row["id"], name, "en", "alias", exact_only=name in row.get("exact_only", ()))


def _add_namesakes(rows: StarterRows, herb_id: str, thai_name: str, species: Iterable[str]) -> None:
    """Add species that are known under the same Thai name. Nothing else is known of them here, and that is the point:
    who asks by that name is told that it may mean them."""
    _, _, _, _, _, _, note, sources, _ = rows.nodes[herb_id]
    for latin in species:
        id = slug(latin)
        if not rows.has(id):
            reason = note or f"{thai_name} also names {latin}"
            rows.add_node(
                id,
                "herb",
                (thai_name, latin),
                basis="source",
                review="needs_review",
                note=f"named only as another species called {thai_name}: {reason}",
                sources=sources,
                data={"latin_name": latin, "namesake_of": herb_id},
            )
            _name_species(rows, id, latin)
        rows.add_thai_name(id, thai_name, "alias")
