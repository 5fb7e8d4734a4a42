// Calls a long-running tool over MCP, which reports progress; the gateway does not.
import { ApiError, withKey, isObject } from "./api";

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

const ERA = "2026-07-28";
const KIND = "io.modelcontextprotocol";

/** Calls a tool and returns its body. Aborting closes the connection, which cancels the call. */
export async function callWithProgress<T>(name: string, args: Record<string, unknown>, tell: (progress: Progress) => void, signal: AbortSignal): Promise<T> {
  const meta = {
    progressToken: "console",
    [`${KIND}/protocolVersion`]: ERA,
    [`${KIND}/clientInfo`]: { name: "sanya-console", version: "1" },
    [`${KIND}/clientCapabilities`]: {},
  };
  const response = await fetch("/mcp", {
    method: "POST",
    headers: withKey({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": ERA,
      "mcp-method": "tools/call",
      "mcp-name": name,
    }),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta: meta } }),
    signal,
    credentials: "omit",
  });
  for await (const message of messages(response)) {
    if (message.method === "notifications/progress") tell(message.params as unknown as Progress);
    else if (isObject(message.error)) throw new ApiError(String(message.error.message), response.status, String(message.error.code));
    else if (isObject(message.result)) return body<T>(message.result);
  }
  throw new ApiError("The server ended without an answer.", response.status, "NO_ANSWER");
}

function body<T>(result: Record<string, unknown>): T {
  const content = result.structuredContent;
  if (result.isError !== true) return content as T;
  const error = isObject(content) ? content : {};
  throw new ApiError(String(error.message ?? "The tool failed."), 0, String(error.code ?? "FAILED"), "", error);
}

/** Yields the messages of a response: each event of a stream, or the one JSON message. */
async function* messages(response: Response): AsyncGenerator<Record<string, unknown>> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    yield (await response.json()) as Record<string, unknown>;
    return;
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let waiting = "";
  for (;;) {
    const { value, done } = await reader.read();
    waiting += decoder.decode(value, { stream: !done }).replaceAll("\r\n", "\n");
    const events = waiting.split("\n\n");
    waiting = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n");
      if (data.trim()) yield JSON.parse(data) as Record<string, unknown>;
    }
    if (done) return;
  }
}
