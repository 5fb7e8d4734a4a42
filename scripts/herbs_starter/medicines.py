"""Constituents of herbs, formulations and what they are made of, and the papers about them."""

from __future__ import annotations

from collections.abc import Iterator

from sanya.suites.herbs.graph.name_keys import fold_name
from scripts.herbs_starter.rows import StarterRows
from scripts.herbs_starter.tables import Row, Tables, read_own, review_of


def add_constituents(rows: StarterRows, tables: Tables) -> None:
    for row in tables.constituents:
        is_assigned = row["source_refs"] == ["mapper"]
        basis, review = ("assigned", "unreviewed") if is_assigned else ("source", review_of(row))
        rows.add_node(
            row["id"],
            "constituent",
            (row.get("thai_name"), row["name"]),
            basis=basis,
            review=review,
            note=row.get("reason"),
            sources=row["source_refs"],
            data={"class": row["class"]},
        )
        rows.add_name(row["id"], row["name"], "en", "main")
        if row.get("thai_name"):
            rows.add_thai_name(row["id"], row["thai_name"], "main")
        for herb_id in filter(rows.has, row["herb_ids"]):
            ends = (herb_id, "contains", row["id"])
            rows.add_edge(":".join(ends), ends, basis=basis, review=review, sources=row["source_refs"])


def add_formulations(rows: StarterRows, tables: Tables) -> None:
    related = [row for row in tables.formulation_aliases if row.get("note", "").startswith("NOT identical")]
    for row in tables.formulations:
        _add_formulation(rows, row, [other for other in related if other["formulation_id"] == row["id"]])
    only_herbs = {row["id"]: row.get("single_herb_id") for row in tables.formulations}
    for row in tables.formulation_aliases:
        # A name of the herb alone means the herb; what is said of its only product reaches it anyway. A name that
        # several products share ("น้ำมันกัญชา") means each of them as well.
        is_herb_name = (
            not row.get("is_shared") and (only_herbs[row["formulation_id"]], fold_name(row["alias"])) in rows.names
        )
        if row not in related and not is_herb_name:
            add = rows.add_thai_name if row["lang"] == "th" else rows.add_name
            args = ("alias",) if row["lang"] == "th" else (row["lang"], "alias")
            add(row["formulation_id"], row["alias"], *args)


def _add_formulation(rows: StarterRows, row: Row, related: list[Row]) -> None:
    rows.add_node(
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
            "routes": _list_routes(row["dosage_forms"]),
            "batch_weight_g": row["batch_weight_g"],
            "single_herb_id": row.get("single_herb_id"),
            "other_ingredients": [*_list_other_ingredients(row)],
            "related_names": [{"name": other["alias"], "note": other["note"]} for other in related],
        },
    )
    rows.add_thai_name(row["id"], row["thai_name"], "main")
    rows.add_name(row["id"], row["english_or_romanized_name"], "en", "main")
    for alias in row["thai_aliases"]:
        rows.add_thai_name(row["id"], alias, "alias")
    for number, ingredient in enumerate(row["ingredients"], start=1):
        _add_ingredient(rows, row, ingredient, number)


def _list_routes(dosage_forms: str | None) -> list[str]:
    """Tell how the forms are used; none where the forms are not known."""
    topical: list[str] = read_own("topical_forms.json")
    forms = [form.strip() for form in (dosage_forms or "").replace(";", ",").split(",") if form.strip()]
    return sorted({"topical" if form in topical else "oral" for form in forms})


def _find_herb(ingredient: Row) -> str | None:
    """Find the herb or mineral that an ingredient is: by id, or by what the material is called."""
    materials: dict[str, str] = read_own("materials.json")
    return ingredient.get("herb_id") or materials.get(ingredient.get("material") or "")


def _list_other_ingredients(row: Row) -> Iterator[Row]:
    """Yield what is not in the graph: some minerals and the like, and plants whose species the sources leave open."""
    for ingredient in row["ingredients"]:
        if _find_herb(ingredient) is None:
            named = {key: ingredient[key] for key in ("thai_name", "material", "amount") if ingredient.get(key)}
            yield named | ({"unidentified": ingredient["unmapped"]} if "unmapped" in ingredient else {})


def _add_ingredient(rows: StarterRows, row: Row, ingredient: Row, number: int) -> None:
    herb_id = _find_herb(ingredient)
    if herb_id is None:
        return
    thai = ingredient.get("thai_name")
    # Where a herb is all that is in a product, what is said of the product is said of the herb.
    is_only = row.get("single_herb_id") == herb_id
    rows.add_edge(
        f"{row['id']}:{number:02}",
        (herb_id, "part_of", row["id"]),
        basis="source",
        review="reviewed",
        sources=row["source_refs"],
        data={
            "amount": ingredient.get("amount"),
            "part": ingredient.get("part"),
            "material": ingredient.get("material"),
            "thai_name": thai,
            "only_herb": is_only or None,
        },
    )
    if thai and "/" not in thai and "(" not in thai:
        rows.add_name(herb_id, thai, "th", "part")


def add_papers(rows: StarterRows, tables: Tables) -> None:
    cited = {ref for row in [*tables.interactions, *tables.safety] for ref in row["source_refs"]}
    for row in tables.papers:
        id = f"pmid:{row['pmid']}"
        if row.get("check") and id not in cited:
            continue
        rows.add_node(
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
        _link_paper(rows, row, id)


def _link_paper(rows: StarterRows, row: Row, id: str) -> None:
    for about in dict.fromkeys([*row["herb_ids"], *row["formulation_ids"]]):
        if rows.has(about):
            rows.add_edge(
                f"{about}:mentioned_in:{id}",
                (about, "mentioned_in", id),
                basis="rule: named in the paper's record",
                review=review_of(row),
                sources=[id],
            )
