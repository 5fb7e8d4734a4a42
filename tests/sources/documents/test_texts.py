"""Text, .html and .docx: code pages, what is not seen, tables and page breaks."""

from __future__ import annotations

from sanya.sources.documents import plain_text, web_page, word
from sanya.sources.documents.limits import DocumentLimits
from tests.sources.documents.made import ENGLISH, THAI, docx_of


def test_text_is_read_in_whichever_code_page_it_was_written() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp874"):
        text, _ = plain_text.decode_text(f"{THAI} {ENGLISH}".encode(encoding))
        assert text == f"{THAI} {ENGLISH}"
    assert plain_text.decode_text("naïve café".encode("cp1252"))[0] == "naïve café"
    assert plain_text.decode_text(THAI.encode() + b"\xff")[0].startswith(THAI)


def test_html_shows_what_a_reader_sees() -> None:
    page = (
        "<!doctype html><html><head><title>ขิง &amp; ไพล</title><style>p{}</style></head>"
        "<body><script>no</script><h1>ขิง</h1><p>ใช้&nbsp;แก้<b>อาเจียน</b> &lt;2 g&gt;<br>ต่อวัน</p><noscript>no</noscript>"
        "<table><tr><th>Herb</th><th>Dose</th></tr><tr><td><p>ขิง</p></td><td>2 g</td></tr></table><p>ends"
    )
    title, text, note = web_page.read_web_page(page.encode(), 50)
    assert (title, note) == ("ขิง & ไพล", None)
    assert text == "ขิง\n\nใช้ แก้อาเจียน <2 g>\nต่อวัน\n\nHerb | Dose\n\nขิง | 2 g\n\nends"


def test_html_says_its_code_page_itself() -> None:
    page = f'<html><meta charset="TIS-620"><p>{THAI}</p></html>'
    assert web_page.read_web_page(page.encode("cp874"), 50)[1] == THAI


def test_html_that_never_closes_its_scripts_or_closes_too_much_is_still_read() -> None:
    assert web_page.read_web_page(b"</div></p><p>one</p></table><script>x", 50)[1] == "one"


def test_html_need_not_close_what_the_next_of_its_kind_closes() -> None:
    page = (
        "<html><head><title>x</title><body>"
        + "<p>one<b>" * 300
        + "<ul>"
        + "<li>item" * 300
        + "</ul><table><tr><td>a<td>b<tr><td>c"
    )
    title, text, _ = web_page.read_web_page(page.encode(), 20)
    assert title == "x"
    assert text.startswith("one\n\none")
    assert text.endswith("item\n\na | b\nc")


def test_word_files_keep_pages_tabs_breaks_and_tables() -> None:
    name = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = (
        "<w:p><w:r><w:t>one</w:t><w:tab/><w:t>two</w:t><w:br/><w:t>three</w:t></w:r></w:p>"
        '<w:p><w:r><w:br w:type="page"/></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>four</w:t></w:r></w:p>'
        "<w:p><w:r><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText></w:r></w:p>"
    )
    again = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    body += f"<mc:Fallback {again}><w:p><w:r><w:t>twice</w:t></w:r></w:p></mc:Fallback>"
    data = docx_of([], document=f"<w:document {name}><w:body>{body}</w:body></w:document>")
    title, pages = word.read_word_pages(data, DocumentLimits())
    assert (title, pages) == (None, ["one two\nthree", "four"])
