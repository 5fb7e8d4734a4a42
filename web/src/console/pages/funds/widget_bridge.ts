// The host side of MCP Apps for a widget: forwards the postMessage requests of a sandboxed page to the gateway, as far
// as the page is allowed. The widgets are the same that AI hosts show.
import { ApiError, callTool, isObject } from "../../api";

/** The tools that a widget may call: the funds suite, which is read-only. */
const TOOLS = new Set(["get_rmf_funds", "search_rmf_funds", "get_rmf_fund_performance", "get_rmf_fund_detail", "get_rmf_fund_nav_history", "compare_rmf_funds"]);

export interface HostContext {
  theme: "light" | "dark";
  locale: string;
}

interface Result {
  content?: unknown;
  structuredContent?: unknown;
  _meta?: unknown;
  isError?: boolean;
}

export interface Widget {
  show(tool: string, input: Record<string, unknown>): void;
  updateContext(context: HostContext): void;
  close(): void;
}

export function connectWidget(frame: HTMLIFrameElement, initial: HostContext, onHeight: (height: number) => void): Widget {
  let context = initial;
  let ready = false;
  let turn = 0;
  let waiting: { tool: string; input: Record<string, unknown> } | null = null;
  // A sandboxed page has no origin to address, and it receives only data that its user may see.
  const send = (message: Record<string, unknown>) => frame.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*");

  const deliver = async () => {
    if (!ready || !waiting) return;
    const { tool, input } = waiting;
    const mine = ++turn;
    send({ method: "ui/notifications/tool-input", params: { arguments: input } });
    const result = await call(tool, input);
    if (mine === turn) send({ method: "ui/notifications/tool-result", params: result });
  };

  const handleMessage = async (event: MessageEvent) => {
    if (event.source !== frame.contentWindow || !isObject(event.data) || event.data.jsonrpc !== "2.0") return;
    const { id, method } = event.data;
    const params = isObject(event.data.params) ? event.data.params : {};
    if (method === "ui/initialize") {
      const host = { protocolVersion: params.protocolVersion, hostInfo: { name: "sanya-console", version: "1" }, hostCapabilities: { serverTools: {}, openLinks: {} }, hostContext: context };
      send({ id, result: host });
    } else if (method === "ui/notifications/initialized") {
      ready = true;
      await deliver();
    } else if (method === "ui/notifications/size-changed") {
      if (typeof params.height === "number") onHeight(params.height);
    } else if (method === "tools/call") {
      const result = await call(String(params.name), isObject(params.arguments) ? params.arguments : {});
      send({ id, result });
    } else if (method === "ui/open-link") {
      openLink(params.url);
      send({ id, result: {} });
    } else if (id !== undefined && method !== undefined) {
      send({ id, error: { code: -32601, message: "Method not found" } });
    }
  };
  addEventListener("message", handleMessage);
  return {
    show(tool, input) {
      waiting = { tool, input };
      void deliver();
    },
    updateContext(next) {
      context = next;
      if (ready) send({ method: "ui/notifications/host-context-changed", params: next as unknown as Record<string, unknown> });
    },
    close: () => removeEventListener("message", handleMessage),
  };
}

async function call(tool: string, input: Record<string, unknown>): Promise<Result> {
  if (!TOOLS.has(tool)) return { isError: true, content: [{ type: "text", text: `This widget may not call ${tool}.` }] };
  try {
    return (await callTool<Result>(tool, input)).data;
  } catch (error) {
    const known = error instanceof ApiError ? error.error : {};
    return { isError: true, structuredContent: known, content: [{ type: "text", text: error instanceof Error ? error.message : String(error) }] };
  }
}

function openLink(url: unknown): void {
  if (typeof url === "string" && /^https:\/\//.test(url)) open(url, "_blank", "noopener,noreferrer");
}
