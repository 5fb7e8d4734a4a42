"""Herbs, their constituents, the formulations that they are part of, and the papers that are about them."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.herbs_starter.assigned import SHARED_NAMES
from scripts.herbs_starter.lines import Lines
from scripts.herbs_starter.tables import Row, Tables, basis_of, review_of, slug


def add_herbs(lines: Lines, tables: Tables) -> None:
    for row in tables.herbs:
        english = [name.strip() for name in row["english_name"].split(",")]
        lines.node(
            row["id"],
            "herb",
            (row["thai_name"], english[0]),
            basis=basis_of(row["latin_basis"]),
            review=review_of(row, assigned=row["latin_basis"] == "mapper"),
            note=row.get("reason"),
            sources=row["source_refs"],
            data={"latin_name": row["latin_name"], "synonyms": row["synonyms"], "parts": row["parts"]},
        )
        _name_herb(lines, row, english)
    for herb_id, (thai_name, species) in SHARED_NAMES.items():
        if lines.has(herb_id):
            _add_namesakes(lines, herb_id, thai_name, species)


def _name_herb(lines: Lines, row: Row, english: list[str]) -> None:
    herb_id = row["id"]
    lines.thai_name(herb_id, row["thai_name"], "main")
    lines.name(herb_id, english[0], "en", "main")
    for name in english[1:]:
        lines.name(herb_id, name, "en", "alias")
    for alias in row["thai_aliases"]:
        lines.thai_name(herb_id, alias, "alias")
    _name_species(lines, herb_id, row["latin_name"])
    for synonym in row["synonyms"]:
        lines.name(herb_id, synonym, "la", "synonym")


def _name_species(lines: Lines, herb_id: str, latin: str) -> None:
    """The genus alone names the herb only where it is the one species of its genus: two make the name ambiguous."""
    genus, _, species = latin.partition(" ")
    lines.name(herb_id, latin, "la", "main")
    lines.name(herb_id, genus, "la", "genus")
    lines.name(herb_id, f"{genus[0]}. {species}", "la", "abbreviation")


def _add_namesakes(lines: Lines, herb_id: str, thai_name: str, species: tuple[str, ...]) -> None:
    """Species that are known under the same Thai name. Nothing else is known of them here, and that is the point:
    who asks by that name is told that it may mean them."""
    _, _, _, _, _, _, note, sources, _ = lines.nodes[herb_id]
    for latin in species:
        id = slug(latin)
        if not lines.has(id):
            lines.node(
                id,
                "herb",
                (thai_name, latin),
                basis="source",
                review="needs_review",
                note=f"named only as another species called {thai_name}: {note}",
                sources=sources,
                data={"latin_name": latin, "namesake_of": herb_id},
            )
            _name_species(lines, id, latin)
        lines.thai_name(id, thai_name, "alias")


def add_constituents(lines: Lines, tables: Tables) -> None:
    for row in tables.constituents:
        herbs = [id for id in row["herb_ids"] if lines.has(id)]
        is_assigned = row["source_refs"] == ["mapper"]
        basis, review = ("assigned", "unreviewed") if is_assigned else ("source", "reviewed")
        lines.node(
            row["id"],
            "constituent",
            (row.get("thai_name"), row["name"]),
            basis=basis,
            review=review,
            sources=row["source_refs"],
            data={"class": row["class"]},
        )
        lines.name(row["id"], row["name"], "en", "main")
        if row.get("thai_name"):
            lines.thai_name(row["id"], row["thai_name"], "main")
        for herb_id in herbs:
            lines.edge(
                f"{herb_id}:contains:{row['id']}",
                (herb_id, "contains", row["id"]),
                basis=basis,
                review=review,
                sources=row["source_refs"],
            )


def add_formulations(lines: Lines, tables: Tables) -> None:
    for row in tables.formulations:
        lines.node(
            row["id"],
            "formulation",
            (row["thai_name"], row["english_or_romanized_name"]),
            basis="source",
            review=review_of(row),
            note=row.get("reason"),
            sources=row["source_refs"],
            data={
                "nlem_index": row["nlem_index"],
                "dosage_forms": row["dosage_forms"],
                "batch_weight_g": row["batch_weight_g"],
                "single_herb_id": row.get("single_herb_id"),
                "other_ingredients": [*_other_ingredients(row)],
            },
        )
        lines.thai_name(row["id"], row["thai_name"], "main")
        lines.name(row["id"], row["english_or_romanized_name"], "en", "main")
        for alias in row["thai_aliases"]:
            lines.thai_name(row["id"], alias, "alias")
        _add_ingredients(lines, row)


def _other_ingredients(row: Row) -> Iterator[Row]:
    """What is no herb of the graph: minerals and the like, and plants whose species the sources leave open."""
    for one in row["ingredients"]:
        if "herb_id" not in one:
            named = {key: one[key] for key in ("thai_name", "material", "amount") if one.get(key)}
            yield named | ({"unidentified": one["unmapped"]} if "unmapped" in one else {})


def _add_ingredients(lines: Lines, row: Row) -> None:
    for number, one in enumerate(row["ingredients"], start=1):
        herb_id = one.get("herb_id")
        if herb_id is None:
            continue
        thai = one.get("thai_name")
        lines.edge(
            f"{row['id']}:{number:02}",
            (herb_id, "part_of", row["id"]),
            basis="source",
            review="reviewed",
            sources=row["source_refs"],
            data={"amount": one.get("amount"), "part": one.get("part"), "thai_name": thai},
        )
        if thai and "/" not in thai and "(" not in thai:
            lines.name(herb_id, thai, "th", "part")


def add_papers(lines: Lines, tables: Tables) -> None:
    for row in tables.papers:
        id = f"pmid:{row['pmid']}"
        lines.node(
            id,
            "paper",
            (None, row["title"]),
            basis="source",
            review=review_of(row),
            note=row.get("reason"),
            sources=[id],
            data={
                "pmid": row["pmid"],
                "journal": row["journal"],
                "volume": row.get("volume"),
                "year": row["year"],
                "year_basis": row.get("year_basis"),
                "authors": [row["authors_first"]] if row.get("authors_first") else [],
                "topic": row.get("topic_in_source"),
            },
        )
        for about in dict.fromkeys([*row["herb_ids"], *row["formulation_ids"]]):
            if lines.has(about):
                lines.edge(
                    f"{about}:mentioned_in:{id}",
                    (about, "mentioned_in", id),
                    basis="rule: named in the paper's record",
                    review=review_of(row),
                    sources=[id],
                )
