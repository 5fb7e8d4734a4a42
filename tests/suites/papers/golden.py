"""A few records in PubMed's form, made up for these tests; ids and texts are not those of real papers."""

from __future__ import annotations

_ARTICLE = """<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{pmid}</PMID>
<DateRevised><Year>2026</Year><Month>01</Month><Day>{revised}</Day></DateRevised>
<Article PubModel="Print"><Journal><ISSN IssnType="Print">0000-0000</ISSN>
<JournalIssue CitedMedium="Print"><Volume>1</Volume><PubDate>{date}</PubDate></JournalIssue>
<Title>{journal}</Title><ISOAbbreviation>{journal}</ISOAbbreviation></Journal>
<ArticleTitle>{title}</ArticleTitle><Abstract>{abstract}</Abstract><Language>eng</Language>
<PublicationTypeList>{types}</PublicationTypeList></Article>
<MedlineJournalInfo><MedlineTA>{journal}</MedlineTA></MedlineJournalInfo>
<MeshHeadingList>{mesh}</MeshHeadingList></MedlineCitation>
<PubmedData><History><PubMedPubDate PubStatus="entrez"><Year>2026</Year><Month>1</Month><Day>15</Day></PubMedPubDate>
</History><ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>"""


def article(pmid: int, title: str, abstract: str, **more: str) -> str:
    types, mesh = more.get("types", "Journal Article").split("; "), more.get("mesh", "Humans").split("; ")
    return _ARTICLE.format(
        pmid=pmid,
        title=title,
        abstract=abstract,
        revised=more.get("revised", "20"),
        date=more.get("date", "<Year>2024</Year><Month>May</Month><Day>11</Day>"),
        journal=more.get("journal", "Journal of Made-Up Examples"),
        types="".join(f'<PublicationType UI="">{kind}</PublicationType>' for kind in types),
        mesh="".join(
            f'<MeshHeading><DescriptorName UI="" MajorTopicYN="N">{name}</DescriptorName></MeshHeading>'
            for name in mesh
        ),
    )


def _sections(**texts: str) -> str:
    return "".join(
        f'<AbstractText Label="{label}" NlmCategory="{label}">{text}</AbstractText>' for label, text in texts.items()
    )


LONG = "In week {} the made-up drug lowered the made-up index by {}.5 mmol/L in {} of 200 patients (p &lt; 0.05). "
TRIAL = article(
    90000001,
    "A made-up drug for a made-up condition: randomized trial.",
    _sections(
        BACKGROUND="The made-up condition has no treatment.",
        METHODS="".join(LONG.format(week, week, 100 + week) for week in range(1, 25)),
        RESULTS="Weight fell by 12.4 kg with the drug and by 2.1 kg with placebo.",
        CONCLUSIONS="The numbers are invented.",
    ),
    types="Randomized Controlled Trial; Journal Article",
    journal="The New England journal of medicine",
)
MICE = article(
    90000002,
    "A made-up drug in mice.",
    "<AbstractText>Mice that got the made-up drug lost weight. All of this is invented.</AbstractText>",
    mesh="Animals; Mice",
    date="<MedlineDate>2012 Winter</MedlineDate>",
)
RETRACTED = article(
    90000003,
    "Another trial of the made-up drug.",
    "<AbstractText>Weight fell by 30 kg with the made-up drug against placebo.</AbstractText>",
    types="Randomized Controlled Trial; Retracted Publication",
)
REVISED = TRIAL.replace("<Day>20</Day></DateRevised>", "<Day>28</Day></DateRevised>")
