// A host with MCP Apps: JSON-RPC over postMessage with the parent window. The official client is four times the size
// limit of a widget, so only its types are used to check these messages.
import type {
  McpUiHostContext,
  McpUiInitializedNotification,
  McpUiInitializeRequest,
  McpUiOpenLinkRequest,
  McpUiSizeChangedNotification,
} from "@modelcontextprotocol/ext-apps";
import { type Answer, failedAnswer, type Host, isObject, type Listener, readResult } from "./host";

const PROTOCOL_VERSION = "2026-01-26";

type Outgoing =
  | McpUiInitializeRequest
  | McpUiInitializedNotification
  | McpUiOpenLinkRequest
  | McpUiSizeChangedNotification
  | { method: "tools/call"; params: { name: string; arguments: Record<string, unknown> } };

type PendingRequest = { resolve(result: unknown): void; reject(error: Error): void };

export class AppsHost implements Host {
  private next = 1;
  private readonly waiting = new Map<number, PendingRequest>();
  private listener: Listener | null = null;

  constructor(private readonly parent: Window) {
    window.addEventListener("message", (event) => {
      if (event.source === this.parent && isObject(event.data) && event.data.jsonrpc === "2.0") this.receive(event.data);
    });
  }

  listen(listener: Listener): void {
    this.listener = listener;
    void this.initialize();
  }

  async call(tool: string, input: Record<string, unknown>): Promise<Answer> {
    try {
      return readResult(await this.request({ method: "tools/call", params: { name: tool, arguments: input } }));
    } catch (error) {
      return failedAnswer(error instanceof Error ? error.message : String(error));
    }
  }

  openLink(url: string): void {
    this.request({ method: "ui/open-link", params: { url } }).catch(() => undefined);
  }

  reportHeight(height: number): void {
    this.send({ method: "ui/notifications/size-changed", params: { height } });
  }

  private async initialize(): Promise<void> {
    const result = await this.request({
      method: "ui/initialize",
      params: {
        appInfo: { name: "sanya-funds", version: "1.0.0" },
        appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
        protocolVersion: PROTOCOL_VERSION,
      },
    });
    if (isObject(result) && isObject(result.hostContext)) this.updateContext(result.hostContext as McpUiHostContext);
    this.send({ method: "ui/notifications/initialized", params: {} });
  }

  private receive(message: Record<string, unknown>): void {
    if (typeof message.method === "string") {
      this.handleRequest(message.method, isObject(message.params) ? message.params : {}, message.id);
      return;
    }
    const waiting = this.waiting.get(message.id as number);
    this.waiting.delete(message.id as number);
    if (isObject(message.error)) waiting?.reject(new Error(String(message.error.message)));
    else waiting?.resolve(message.result);
  }

  private handleRequest(method: string, params: Record<string, unknown>, id: unknown): void {
    const listener = this.listener;
    if (method === "ui/notifications/tool-input" && isObject(params.arguments)) listener?.onInput(params.arguments);
    else if (method === "ui/notifications/tool-result") listener?.onAnswer(readResult(params));
    else if (method === "ui/notifications/tool-cancelled") listener?.onCancelled();
    else if (method === "ui/notifications/host-context-changed") this.updateContext(params as McpUiHostContext);
    else if (id !== undefined) this.reply(method, id);
  }

  private reply(method: string, id: unknown): void {
    const known = method === "ping" || method === "ui/resource-teardown";
    const answer = known ? { result: {} } : { error: { code: -32601, message: `Method ${method} not found` } };
    this.parent.postMessage({ jsonrpc: "2.0", id, ...answer }, "*");
  }

  private updateContext(context: McpUiHostContext): void {
    this.listener?.onContext({
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
    // A sandboxed page does not know the host's origin, and the messages hold no secrets.
    this.parent.postMessage({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), ...message }, "*");
  }
}
