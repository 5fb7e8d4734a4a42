"""List of all benchmarks: module, description and peer of each. `make bench` runs them in this order."""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    module: str
    says: str
    beside: str
    is_long: bool = False
    """Runs only when named on the command line, or with SANYA_LONG=1."""


FIGURES: dict[str, Figure] = {
    "tools_call_vs_sdk": Figure(
        "tools_call_vs_sdk", "`tools/call` over HTTP, the whole kernel with it, calls a second", "the MCP SDK's server"
    ),
    "get_tasks_vs_sdk": Figure(
        "get_tasks_vs_sdk", "The same with the real `get_tasks` on SQLite, calls a second", "the MCP SDK's server"
    ),
    "tools_call_vs_starlette": Figure(
        "tools_call_vs_starlette", "`tools/call` over HTTP, calls a second", "a bare Starlette handler"
    ),
    "graphql_vs_gateway": Figure(
        "graphql_vs_gateway", "A GraphQL query, calls a second", "our HTTP gateway, same call"
    ),
    "grpc_vs_gateway": Figure("grpc_vs_gateway", "A gRPC call, calls a second", "our HTTP gateway, same call"),
    "suite_vs_fastmcp": Figure(
        "suite_vs_fastmcp", "A one-file suite over HTTP with everything on, calls a second", "the same tool in FastMCP"
    ),
    "suite_vs_sdk": Figure(
        "suite_vs_sdk", "A one-file suite over HTTP with everything on, calls a second", "the same tool on the MCP SDK"
    ),
    "proxy_overhead": Figure("proxy_overhead", "Milliseconds that a proxy adds to a call, p50", "the bound of 1 ms"),
    "ten_guests": Figure("ten_guests", "`sanya mcp` with ten guests, first answer in ms", "the same without guests"),
    "replicas": Figure("replicas", "Two replicas on two cores, calls a second", "one replica on one core"),
    "workers": Figure("workers", "One server with two workers on two cores, calls a second", "one process on one core"),
    "kernel_call_cpu": Figure("kernel_call_cpu", "The kernel alone, CPU microseconds a call", "the budget of 60"),
    "get_tasks_paging": Figure("tasks_paging", "Page 10,000 of a million tasks, milliseconds", "page 1"),
    "funds_calls": Figure(
        "funds_calls", "All six fund tools at 10,000 funds × 2,500 days, p95", "the same at 403 funds"
    ),
    "funds_simulation": Figure(
        "funds_simulation", "Simulated purchases of five of 10,000 funds × 2,500 days, p95 in ms", "the limit in ms"
    ),
    "funds_import": Figure("funds_import", "Import of the real snapshot, imports a second", "one pandas script"),
    "herbs_paths": Figure("herbs_paths", "Three hops among 1,000,000 edges, p95", "one plain SQL statement"),
    "herbs_search": Figure("herbs_search", "Recall@10 on the curated questions", "0.20 above no segmentation"),
    "herb_safety": Figure(
        "herb_safety.report",
        "Safety check: names understood or warnings found, the figure nearest its goal",
        "its goal",
    ),
    "herbs_check_served": Figure(
        "herbs_check_served",
        "Safety check of 5 herbs × 10 drugs × 5 conditions as a client makes it, over HTTP, p95 in ms",
        "one pair, p95 in ms",
    ),
    "herbs_check": Figure(
        "herbs_check",
        "The same inside the process, where an answer of 280 KB is hashed and copied, p95 in ms",
        "one pair, p95 in ms",
    ),
    "agent_jobs": Figure(
        "agent_jobs.report", "Jobs of an agent over all suites, half of them in Thai, with all their facts", "all jobs"
    ),
    "tokens_per_answer": Figure(
        "tokens_per_answer", "Tokens of the answers to those jobs with `detail: short`", "whole answers"
    ),
    "cli_help": Figure("cli_help", "`sanya --help`, time to start and end", "Python with argparse alone"),
    "mcp_first_answer": Figure("mcp_first_answer", "`sanya mcp` to its first answer", "an empty SDK server"),
    "console_interaction": Figure("console_interaction", "Slowest paint after a click or key in the console", "200 ms"),
    "console_first_view": Figure("console_first_view", "First view of the console until it can be used", "one second"),
    "segmentation": Figure("segmentation", "Thai words, time a text", "nlpo3 alone"),
    "retrieval_quality": Figure("retrieval_quality", "nDCG@10 of the set nearest its goal", "the goal for that set"),
    "retrieval_partial": Figure(
        "retrieval_partial", "Lowest nDCG@10 on SciFact with 0 to 100 % of the chunks embedded", "words alone"
    ),
    "relevance": Figure(
        "relevance", "Share of unseen questions whose fit is told right, answerable or not", "all of them"
    ),
    "retrieval_speed": Figure(
        "retrieval_speed",
        "Hybrid search with filters at 100,000 chunks, CPU of the dearest kind",
        "the two bare engines",
    ),
    "retrieval_engines": Figure(
        "retrieval_engines",
        "Hybrid search on the engine furthest above its own, 100,000 chunks, the dearest kind, ms",
        "its two plain queries ([all](search.md))",
    ),
    "retrieval_upsert": Figure("retrieval_upsert", "Rows a second until they are found", "the two bare engines"),
    "memory_locomo": Figure("memory_locomo", "Evidence found on LoCoMo, the figure nearest its goal", "its goal"),
    "memory_changes": Figure(
        "memory_changes", "Changes and contradictions found, unseen pairs, precision at least .97", "recall of .85"
    ),
    "memory_week": Figure("memory_week", "Answers of an assistant's week in first place", "its goal"),
    "memory_mixed": Figure(
        "memory_mixed", "`get_memory` of 8 clients with 40 % writes, p95", "the same clients reading only"
    ),
    "memory_recall": Figure("memory_recall", "`get_memory` over 100,000 memories, p95", "the bare hybrid search"),
    "memory_send": Figure("memory_send", "`send_memory`, durable, a second", "bare durable inserts"),
    "memory_scenarios": Figure("memory_scenarios", "Expectations of the scenario files met", "all of them"),
    "embedding_speed": Figure(
        "embedding_speed", "Embedding on all cores, tokens a second", "onnxruntime, or the bare package"
    ),
    "busy_server": Figure("busy_server", "`get_tasks` over HTTP beside embedding, p95", "the same server, idle"),
    "papers_import": Figure(
        "papers_import", "Bulk import without vectors, records a second", "pubmed-parser parsing alone"
    ),
    "papers_search": Figure(
        "papers_search", "`rag.search` over 100,000 chunks with filters, p50", "one embedding and the two bare queries"
    ),
    "papers_quality": Figure("papers_quality", "nDCG@10 of `rag.search` on SciFact", "the goal for that set"),
    "ingest_ocr": Figure("ingest_ocr", "Letters wrong in a hundred, 20 scanned Thai pages", "five"),
    "soak": Figure(
        "soak",
        "Memory after 30 minutes of mixed load at 70 % of peak, MiB",
        "the same once it has settled",
        is_long=True,
    ),
    "ingest_pages": Figure("ingest_pages", "Born-digital pages read, linked and compared a CPU second", "fifty"),
}
