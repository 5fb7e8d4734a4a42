// The host's side of MCP Apps for one widget: what a sandboxed page asks by postMessage is taken to the gateway, as far
// as the page may have it. The widgets are those that AI hosts show, unchanged.
import { ApiError, callTool, isBag } from "../../api";

/** What a widget may call: the funds suite, which only reads. */
const TOOLS = new Set(["get_rmf_funds", "search_rmf_funds", "get_rmf_fund_performance", "get_rmf_fund_detail", "get_rmf_fund_nav_history", "compare_rmf_funds"]);

export interface Surroundings {
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
  tell(surroundings: Surroundings): void;
  close(): void;
}

export function connectWidget(frame: HTMLIFrameElement, surroundings: Surroundings, onHeight: (height: number) => void): Widget {
  let around = surroundings;
  let ready = false;
  let turn = 0;
  let waiting: { tool: string; input: Record<string, unknown> } | null = null;
  // The page is sandboxed: it has no origin that could be named, and what is sent to it is what its user sees.
  const send = (message: Record<string, unknown>) => frame.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*");

  const deliver = async () => {
    if (!ready || !waiting) return;
    const { tool, input } = waiting;
    const mine = ++turn;
    send({ method: "ui/notifications/tool-input", params: { arguments: input } });
    const result = await call(tool, input);
    if (mine === turn) send({ method: "ui/notifications/tool-result", params: result });
  };

  const heed = async (event: MessageEvent) => {
    if (event.source !== frame.contentWindow || !isBag(event.data) || event.data.jsonrpc !== "2.0") return;
    const { id, method } = event.data;
    const params = isBag(event.data.params) ? event.data.params : {};
    if (method === "ui/initialize") {
      const host = { protocolVersion: params.protocolVersion, hostInfo: { name: "sanya-console", version: "1" }, hostCapabilities: { serverTools: {}, openLinks: {} }, hostContext: around };
      send({ id, result: host });
    } else if (method === "ui/notifications/initialized") {
      ready = true;
      await deliver();
    } else if (method === "ui/notifications/size-changed") {
      if (typeof params.height === "number") onHeight(params.height);
    } else if (method === "tools/call") {
      const result = await call(String(params.name), isBag(params.arguments) ? params.arguments : {});
      send({ id, result });
    } else if (method === "ui/open-link") {
      openLink(params.url);
      send({ id, result: {} });
    } else if (id !== undefined && method !== undefined) {
      send({ id, error: { code: -32601, message: "not known here" } });
    }
  };
  addEventListener("message", heed);
  return {
    show(tool, input) {
      waiting = { tool, input };
      void deliver();
    },
    tell(next) {
      around = next;
      if (ready) send({ method: "ui/notifications/host-context-changed", params: next as unknown as Record<string, unknown> });
    },
    close: () => removeEventListener("message", heed),
  };
}

async function call(tool: string, input: Record<string, unknown>): Promise<Result> {
  if (!TOOLS.has(tool)) return { isError: true, content: [{ type: "text", text: `${tool} is not open to this page` }] };
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
