"""GraphiQL in a real browser: it explores the schema, runs a query, and reaches only this server."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.console.console_page import open_console_page

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_query_is_run_and_the_schema_explored_under_the_policy(browser: Browser, address: str) -> None:
    async with open_console_page(browser, address) as visitor:
        answer = await visitor.page.goto(f"{address}/graphiql")
        assert answer is not None
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        await visitor.page.get_by_role("button", name="Execute query").click()
        await expect(visitor.page.locator(".result-window")).to_contain_text("sample-tax-report")
        await visitor.page.get_by_role("button", name="Show Documentation Explorer").click()
        await expect(visitor.page.locator(".graphiql-doc-explorer")).to_contain_text("Query")
        assert visitor.browser_errors == []
        assert [url for url in visitor.external_requests if not url.startswith("data:")] == []
