"""`papers.mesh` through the kernel, on each engine. Headings, ids and tree numbers of the file are made up."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from sanya.suite import InvalidArgument
from sanya.suites.papers.mesh.descriptor_file import import_descriptors
from sanya.suites.papers.pubmed.record import MeshHeading, Qualifier
from tests.suites.papers.harness import PapersHarness, record

INFARCTION = MeshHeading("Myocardial Infarction", "D009203", False, (Qualifier("therapy", "Q000628", True),))
OBESITY = MeshHeading("Obesity", "D009765", True)
LAMP, BLUE_LAMP = MeshHeading("Sample Lamps", "D999001", False), MeshHeading("Sample Lamps, Blue", "D999002", True)
DESCRIPTORS = [
    ("D999001", "Sample Lamps", ["Z99.100"], ["Lamps of Samples"], "Things that shine in tests."),
    ("D999002", "Sample Lamps, Blue", ["Z99.100.200", "Z98.500"], ["Blue Lamps"], None),
    ("D999003", "Sample Lamps, Blue and Small", ["Z99.100.200.300"], ["Blue Lamps"], None),
]


def write_descriptor(ui: str, name: str, numbers: list[str], terms: list[str], note: str | None) -> str:
    scope = f"<ScopeNote>{note}\n</ScopeNote>" if note else ""
    listed = "".join(f"<Term><TermUI>T1</TermUI><String>{term}</String></Term>" for term in (name, *terms))
    tree = "".join(f"<TreeNumber>{number}</TreeNumber>" for number in numbers)
    return (
        f"<DescriptorRecord><DescriptorUI>{ui}</DescriptorUI><DescriptorName><String>{name}</String>"
        f"</DescriptorName><TreeNumberList>{tree}</TreeNumberList><ConceptList><Concept PreferredConceptYN='Y'>"
        f"<ConceptUI>M1</ConceptUI>{scope}<TermList>{listed}</TermList></Concept></ConceptList></DescriptorRecord>"
    )


def write_file(path: Path, records: str, head: str = "") -> Path:
    text = f'<?xml version="1.0"?>\n{head}<DescriptorRecordSet LanguageCode="eng">\n{records}</DescriptorRecordSet>'
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


async def fill(harness: PapersHarness) -> None:
    await harness.put(
        record(301, "Infarction treated.", "One.", mesh=[INFARCTION, OBESITY], edat="2024-01-02T00:00:00Z"),
        record(302, "Infarction again.", "Two.", mesh=[INFARCTION], edat="2024-01-03T00:00:00Z"),
        record(303, "Obesity alone.", "Three.", mesh=[MeshHeading("Obesity", "D009765", False)]),
        record(304, "Lamps.", "Four.", mesh=[LAMP, BLUE_LAMP]),
    )


async def look_up(harness: PapersHarness, term: str, **more: Any) -> dict[str, Any]:
    return await harness.call("papers.mesh", term=term, **more)


@pytest.mark.parametrize(
    ("term", "matched"),
    [
        ("Myocardial Infarction", "heading"),
        ("infarction, myocardial", "heading"),
        ("Myocardial Infarctions", "heading"),
        ("Myocardial Infarction/therapy", "heading"),
        ('"Myocardial Infarction"[MeSH Terms]', "heading"),
        ("MeSH: myocardial infarction", "heading"),
        ("D009203", "ui"),
        ("mesh id d009203", "ui"),
        ("heart attack", "synonym"),
        ("หัวใจวาย", "synonym"),
    ],
)
async def test_a_heading_is_found_as_people_write_it(harness: PapersHarness, term: str, matched: str) -> None:
    await fill(harness)
    answer = await look_up(harness, term)
    assert answer["status"] == "found"
    heading = answer["heading"]
    assert (heading["ui"], heading["matched"], heading["papers"]) == ("D009203", matched, 2)
    assert heading["major"] == 2  # its qualifier is a major topic
    assert heading["qualifiers"] == [{"ui": "Q000628", "name": "therapy", "papers": 2, "major": 2}]
    assert [document["doc_id"] for document in heading["documents"]] == ["pmid:302", "pmid:301"]


async def test_what_is_not_named_is_offered_or_denied_and_nothing_of_a_tree_is_invented(
    harness: PapersHarness,
) -> None:
    await fill(harness)
    near = await look_up(harness, "obesty")
    assert (near["status"], [item["name"] for item in near["candidates"]]) == ("not_found", ["Obesity"])
    part = await look_up(harness, "sample lamp")
    assert part["status"] == "ambiguous" or part["heading"]["name"] == "Sample Lamps"
    none = await look_up(harness, "ปลาทู")
    assert (none["status"], none["candidates"], "rag.search" in none["advice"]) == ("not_found", [], True)
    heading = (await look_up(harness, "Obesity"))["heading"]
    assert (heading["tree_numbers"], heading["broader"], heading["papers_below"]) == ([], [], None)
    assert heading["release"] is None


async def test_a_heading_of_samples_without_an_id_gives_way_to_one_with_an_id(harness: PapersHarness) -> None:
    sampled = await look_up(harness, "Humans")
    assert sampled["heading"]["ui"] == "name:Humans"
    await harness.put(record(305, "People.", "Five.", mesh=[MeshHeading("Humans", "D006801", False)]))
    heading = (await look_up(harness, "humans"))["heading"]
    assert (heading["ui"], heading["papers"]) == ("D006801", 1)


async def test_counts_follow_what_is_revised_and_deleted(harness: PapersHarness) -> None:
    await fill(harness)
    assert (await look_up(harness, "Obesity"))["heading"]["papers"] == 2
    await harness.delete("303")
    await harness.put(record(301, "Infarction treated.", "One.", mesh=[INFARCTION], lr="2025-01-01T00:00:00Z"))
    assert (await look_up(harness, "Obesity"))["heading"]["papers"] == 0
    assert (await look_up(harness, "Myocardial Infarction"))["heading"]["papers"] == 2


@pytest.mark.parametrize("name", ["desc2099.xml", "desc2099.xml.gz"])
async def test_an_imported_file_adds_the_tree_and_entry_terms(
    harness: PapersHarness, tmp_path: Path, name: str
) -> None:
    await fill(harness)
    path = write_file(tmp_path / name, "".join(write_descriptor(*item) for item in DESCRIPTORS))
    for _ in range(2):
        counts = await import_descriptors(harness.database, path, lambda _: None)
        assert tuple(counts) == ("desc2099", 3, 4, 3)
    heading = (await look_up(harness, "lamps of samples"))["heading"]
    assert (heading["matched"], heading["scope_note"]) == ("entry_term", "Things that shine in tests.")
    assert (heading["papers"], heading["papers_below"], heading["release"]) == (1, 1, "desc2099")
    assert [(place["name"], place["tree_number"]) for place in heading["narrower"]] == [
        ("Sample Lamps, Blue", "Z99.100.200")
    ]
    below = (await look_up(harness, "D999003"))["heading"]
    assert [place["name"] for place in below["broader"]] == ["Sample Lamps", "Sample Lamps, Blue"]
    several = await look_up(harness, "Blue Lamps")
    assert (several["status"], len(several["candidates"])) == ("ambiguous", 2)


@pytest.mark.parametrize(
    ("records", "head", "says"),
    [
        ("", "", "no descriptor"),
        ("<DescriptorRecord><DescriptorUI>X1</DescriptorUI></DescriptorRecord>", "", "none of MeSH's"),
        (write_descriptor("D999001", "Sample", ["somewhere"], [], None), "", "none of MeSH's"),
        ("<DescriptorRecord>", "", "cannot be read"),
        ("", '<!DOCTYPE x [<!ENTITY a "b">]>', "declares entities"),
    ],
)
async def test_a_file_that_is_none_of_nlms_is_refused_and_changes_nothing(
    harness: PapersHarness, tmp_path: Path, records: str, head: str, says: str
) -> None:
    good = write_file(tmp_path / "desc2098.xml", write_descriptor(*DESCRIPTORS[0]))
    await import_descriptors(harness.database, good, lambda _: None)
    with pytest.raises(InvalidArgument, match=says):
        await import_descriptors(harness.database, write_file(tmp_path / "bad.xml", records, head), lambda _: None)
    assert (await look_up(harness, "Sample Lamps"))["heading"]["release"] == "desc2098"
