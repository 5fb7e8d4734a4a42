// A host that speaks MCP Apps: JSON-RPC over postMessage with the window around us. The official client is four times
// as large as a whole page may be, so only its types are used; they keep these messages honest.
import type {
  McpUiHostContext,
  McpUiInitializedNotification,
  McpUiInitializeRequest,
  McpUiOpenLinkRequest,
  McpUiSizeChangedNotification,
} from "@modelcontextprotocol/ext-apps";
import { type Answer, failed, type Host, isBag, type Listener, readResult } from "./host";

const PROTOCOL_VERSION = "2026-01-26";

type Outgoing =
  | McpUiInitializeRequest
  | McpUiInitializedNotification
  | McpUiOpenLinkRequest
  | McpUiSizeChangedNotification
  | { method: "tools/call"; params: { name: string; arguments: Record<string, unknown> } };

type Waiting = { resolve(result: unknown): void; reject(error: Error): void };

export class AppsHost implements Host {
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();
  private listener: Listener | null = null;

  constructor(private readonly parent: Window) {
    window.addEventListener("message", (event) => {
      if (event.source === this.parent && isBag(event.data) && event.data.jsonrpc === "2.0") this.take(event.data);
    });
  }

  listen(listener: Listener): void {
    this.listener = listener;
    void this.begin();
  }

  async call(tool: string, input: Record<string, unknown>): Promise<Answer> {
    try {
      return readResult(await this.request({ method: "tools/call", params: { name: tool, arguments: input } }));
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
  }

  openLink(url: string): void {
    this.request({ method: "ui/open-link", params: { url } }).catch(() => undefined);
  }

  resized(height: number): void {
    this.send({ method: "ui/notifications/size-changed", params: { height } });
  }

  private async begin(): Promise<void> {
    const result = await this.request({
      method: "ui/initialize",
      params: {
        appInfo: { name: "sanya-funds", version: "1.0.0" },
        appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
        protocolVersion: PROTOCOL_VERSION,
      },
    });
    if (isBag(result) && isBag(result.hostContext)) this.surroundings(result.hostContext as McpUiHostContext);
    this.send({ method: "ui/notifications/initialized", params: {} });
  }

  private take(message: Record<string, unknown>): void {
    if (typeof message.method === "string") {
      this.heed(message.method, isBag(message.params) ? message.params : {}, message.id);
      return;
    }
    const waiting = this.waiting.get(message.id as number);
    this.waiting.delete(message.id as number);
    if (isBag(message.error)) waiting?.reject(new Error(String(message.error.message)));
    else waiting?.resolve(message.result);
  }

  private heed(method: string, params: Record<string, unknown>, id: unknown): void {
    const listener = this.listener;
    if (method === "ui/notifications/tool-input" && isBag(params.arguments)) listener?.onInput(params.arguments);
    else if (method === "ui/notifications/tool-result") listener?.onAnswer(readResult(params));
    else if (method === "ui/notifications/tool-cancelled") listener?.onCancelled();
    else if (method === "ui/notifications/host-context-changed") this.surroundings(params as McpUiHostContext);
    else if (id !== undefined) this.reply(method, id);
  }

  private reply(method: string, id: unknown): void {
    const known = method === "ping" || method === "ui/resource-teardown";
    const answer = known ? { result: {} } : { error: { code: -32601, message: `${method} is not known here` } };
    this.parent.postMessage({ jsonrpc: "2.0", id, ...answer }, "*");
  }

  private surroundings(context: McpUiHostContext): void {
    this.listener?.onSurroundings({
      ...(context.theme === undefined ? {} : { theme: context.theme }),
      ...(context.locale === undefined ? {} : { locale: context.locale }),
    });
  }

  private request(message: Outgoing): Promise<unknown> {
    const id = this.next++;
    this.send(message, id);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  private send(message: Outgoing, id?: number): void {
    // The host's origin is not known to a sandboxed page; what we send is no secret.
    this.parent.postMessage({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), ...message }, "*");
  }
}
