"""The report: the same bytes each time, in two languages, and text from data never becomes markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.question_set import ReferenceFact
from sanya.suites.herbs.evaluation.report.markup import replace_unprintable
from sanya.suites.herbs.evaluation.report.page import EvaluationReport, render_report
from tests.suites.herbs.evaluation.examples import judgement, kept, mixed, question

HOSTILE = [
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "'><iframe src=//evil.example>",
    "<img src=//evil.example/x.png>",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//evil.example>",
    "<meta http-equiv=refresh content=0>",
    "<base href=//evil.example>",
    "<a href=javascript:alert(1)>x</a>",
    "<form action=//evil.example><input>",
    "<object data=x></object>",
    "<embed src=x>",
    "<math><mi xlink:href=x>",
    "<details open ontoggle=alert(1)>",
    "<!-- --><b>x</b>",
    "<!doctype html><html>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;",
    "&amp;&nbsp;&copy;",
    "{{7*7}} ${7*7} <%= 7 %>",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "' onmouseover='alert(1)",
    '" onfocus="alert(1)" autofocus="',
    "` onclick=alert(1)",
    "\u202egnp.exe",
    "\u2066hidden\u2069",
    "\u200bzero\u200bwidth",
    "\u0001\u0002control",
    "\u001b[31mred\u001b[0m",
    "\x7fdelete",
    "\ufeffmark",
    "line\nbreak\r\n<b>",
    "tab\there",
    "‮ขมิ้นชัน‬",
    "กำ" * 20,
    "Z̸̡͎a̶l̵g̷o̴",
    "😀👩‍⚕️💊",
    "'; DROP TABLE herb_evaluations; --",
    "../../etc/passwd",
    "%3Cscript%3E",
    "\\u003cscript\\u003e",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<scr<script>ipt>",
    "<textarea><script>alert(1)</script>",
    "<plaintext>",
]
WORDS = (
    "html head meta title style body header main footer section article div p h1 h2 h3 span b ul ol li bdi code small "
    "svg desc line rect circle polyline text table thead tbody tr th td details summary"
)
TAGS = set(WORDS.split())


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.policy = ""
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        self.text += data


def page_of(figures: EvaluationFigures, set_name: str = "custom") -> str:
    return render_report(EvaluationReport(set_name, "eval_0123", figures, None))


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 10))
def test_hostile_text_is_shown_and_never_becomes_markup(start: int) -> None:
    some = HOSTILE[start : start + 10]
    judged = tuple(
        judgement(
            question(f"q-{text}", text=text, kind=text, facts=(ReferenceFact(text, "named", text),)),
            right=False,
            hit_ids=(text,),
        )
        for text in some
    )
    page = Page(page_of(EvaluationFigures(judged, 10, 0.6, 1)))
    assert page.tags <= TAGS
    assert not any(name.startswith("on") or name in ("href", "src", "style", "action") for name in page.attributes)
    assert page.policy.startswith("default-src 'none'; style-src 'sha256-")
    for text in some:
        assert page.text.count(replace_unprintable(text)) >= 5, text


def test_there_are_fifty_of_them() -> None:
    assert len(set(HOSTILE)) == 50


def test_what_hides_or_moves_text_is_made_visible() -> None:
    assert replace_unprintable("\u202ea\x1b[0m\nb") == "\ufffda\ufffd[0m\nb"


def test_the_same_figures_are_the_same_bytes_without_a_clock() -> None:
    first, second = page_of(mixed(), "smoke"), page_of(mixed(), "smoke")
    assert first == second
    assert not re.search(r"20\d\d-\d\d|\d\d:\d\d", first)
    assert "http" not in first.replace("http-equiv", "")


def test_it_speaks_both_languages_and_every_plot_has_words() -> None:
    page = page_of(mixed(), "curated")
    for heading in ("ความเชื่อมั่นเชื่อถือได้หรือไม่", "By kind of question", "งดตอบ", "ชุดคำถามคัดสรร"):
        assert heading in page
    assert page.count('role="img"') == page.count("<desc") == 3


def test_changes_say_which_way_is_better() -> None:
    before = kept("eval_before", metrics={"R@10": (0.5, 6), "ECE": (0.01, 7), "MRR": (5 / 6, 6)}).run
    page = render_report(EvaluationReport("smoke", "eval_0123", mixed(), before))
    assert "▲ +0.333 from 0.500, better" in page
    assert re.search(r"▲ \+0\.\d{3} from 0\.010, worse", page)
    assert "= unchanged from 0.833" in page
    assert "compared with </span><b>eval_before" in page


def test_a_set_that_has_only_searches_or_only_refusals_is_drawn_as_well() -> None:
    searching = EvaluationFigures((judgement(question("a", judges_answer=False, facts=())),), 10, 0.6, 1)
    refusing = EvaluationFigures(
        (judgement(question("b", relevant=frozenset(), facts=()), right=False, sure=False),), 50, 0.0, 1
    )
    assert page_of(searching).count('role="img"') == 1
    assert page_of(refusing).count('role="img"') == 2
