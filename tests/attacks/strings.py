"""Injection strings for databases, search engines, shells, browsers, logs and models."""

from __future__ import annotations

from tests.suites.memory.test_prompt_injection import INJECTIONS as ORDERS

SQL = (
    "' OR '1'='1", "' OR 1=1 --", "'; DROP TABLE tasks; --", "\" OR \"\"=\"", "1; SELECT pg_sleep(10)",
    "' UNION SELECT secret_hash FROM keys --", "' UNION SELECT NULL,NULL,NULL --", "admin'--", "') OR ('1'='1",
    "1' AND SLEEP(5)#", "'||(SELECT sql FROM sqlite_master)||'", "%' ESCAPE '\\", "x' ORDER BY 100 --",
    "'; ATTACH DATABASE '/tmp/x' AS y; --", "'; COPY (SELECT 1) TO PROGRAM 'id'; --", "1/**/OR/**/1=1",
    "0x27204f522031", "\\'; --", "' AND 1=CAST((SELECT version()) AS int) --", "$1", "?", "?1", ":name", "%s",
    "%(x)s", "$$x$$", "E'\\047'", "x'; PRAGMA writable_schema=1; --",
)  # fmt: skip
SEARCH = (
    "AND", "OR NOT", "NEAR(a b, 5)", "a NEAR/5 b", "\"unclosed", "col:x", "secret_hash:*", "*", "**", "a*b*", "^a",
    "a^1e99", "a~9", "[* TO *]", "{a TO b}", "(((", ")))", "a AND (b OR", "NOT NOT NOT a", "+a -b !c", "-", "--",
    "&& ||", "/.*/", "/(a+)+$/", "_exists_:x", "_all:x", "*:*", "a:b:c", "\\", "\\\\\"", "a && b || !c",
    "field:[1 TO", "tasks MATCH 'x'", "'a' <-> 'b'", "a:*", "a & !b | c", "::tsquery", "IN [a b]", "\"a\"~2",
    "term^0", "^^^^", "~~~~", "[[[[",
)  # fmt: skip
SHELL = (
    "; id", "| id", "&& id", "|| id", "`id`", "$(id)", "${IFS}", "$(sleep 9)", "& ping -n 9 127.0.0.1 &", "> /tmp/x",
    "< /etc/passwd", "\n id", "%0aid", "-rf /", "--help", "--version", "-h", "@/etc/passwd", "~", "*", "a;b",
    "a\\\nb", "!!", "{a,b}", "$HOME", "%COMSPEC%", "%PATH%", "'$(id)'", "\"$(id)\"",
)  # fmt: skip
TEMPLATES = (
    "{{7*7}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{% for x in y %}", "{{config}}", "{{''.__class__.__mro__}}",
    "${jndi:ldap://127.0.0.1/x}", "{{constructor}}", "${T(java.lang.Runtime)}", "@(7*7)", "{0}", "{0.__class__}",
    "{x!r}", "{:>99999999}", "%n%n%n", "%x%x%x", "%99999999d", "%s%s%s%s", "%1$s", "{self}", "{}" * 50,
)  # fmt: skip
PAGES = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><script>alert(1)</script>",
    "'><svg/onload=alert(1)>", "javascript:alert(1)", "<iframe src=//evil.example>",
    "</title><script>alert(1)</script>", "<!--", "]]>", "<![CDATA[x]]>", "<?xml version='1.0'?>", "&lt;script&gt;",
    "&#60;script&#62;", "<a href='data:text/html,x'>", "<math><mi//xlink:href='data:x'>",
    "<style>@import'//evil.example'</style>", "\u003cscript\u003e", "<body onload=x>", "<x:script xmlns:x='x'>",
    "</script><script>x</script>", "<base href='//evil.example'>",
    "<meta http-equiv=refresh content='0;//evil.example'>", "<link rel=stylesheet href=//evil.example>",
)  # fmt: skip
LINES = (
    "a\r\nSet-Cookie: x=y", "a\r\n\r\n<html>", "a\nERROR forged", "a\rforged", "a\u2028forged", "a\u2029forged",
    "a\x0bforged", "a\x0cforged", "a\x85forged", "\x1b[2J\x1b[31m", "\x1b]0;title\x07", "\x07", "\x08\x08\x08",
    "\x7f", "%0d%0aX: y", "\\r\\nX: y", "{\"level\": \"error\"}", "\"}\n{\"event\": \"forged\"}", "\ufeff",
    "\u202eforged", "\u200b", "\u200d" * 20, "\u0301" * 50, "\ud7ff", "\U0010ffff", "\U0001f4a9", "\ufffe",
    "\u0e33\u0e33\u0e33", "\u0e48\u0e48\u0e48",
)  # fmt: skip
PATHS = (
    "../../../etc/passwd", "..\\..\\..\\windows\\win.ini", "/etc/passwd", "file:///etc/passwd", "C:\\boot.ini",
    "\\\\evil.example\\share", "con", "nul", "..%2f..%2f", "%2e%2e/%2e%2e/", "....//....//", "/dev/zero",
    "/proc/self/environ", "~root/.ssh/id_rsa", "sanya.toml", "sanya.db", ".", "..", "/", "//",
)  # fmt: skip
VALUES = (
    "null", "undefined", "NaN", "Infinity", "-0", "1e309", "9" * 60, "true", "[]", "{}", "__proto__", "constructor",
    "toString", "__class__", "__init__", "{\"$gt\": \"\"}", "{\"$where\": \"1\"}", "0", "-1", "' '", " ", "\t",
    "a" * 1000, "*)(uid=*", "(|(uid=*))", "x' or name()='a", "<!DOCTYPE x [<!ENTITY a 'b'>]>&a;",
)  # fmt: skip
KINDS = (SQL, SEARCH, SHELL, TEMPLATES, PAGES, LINES, PATHS, VALUES)
# Prompt injections in Thai and English, every third of them.
ORDERS_HERE = tuple(ORDERS[number] for number in range(0, len(ORDERS), 3))
STRINGS = tuple(dict.fromkeys([text for kind in KINDS for text in kind] + list(ORDERS_HERE)))
