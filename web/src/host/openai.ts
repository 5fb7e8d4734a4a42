// A host that offers `window.openai` (ChatGPT): values to read, functions to call, one event when they change.
import { type Answer, failed, type Host, isBag, type Listener, readResult } from "./host";

export interface OpenAi {
  toolInput?: Record<string, unknown> | null;
  toolOutput?: Record<string, unknown> | null;
  toolResponseMetadata?: Record<string, unknown> | null;
  theme?: "light" | "dark";
  locale?: string;
  callTool?(name: string, input: Record<string, unknown>): Promise<unknown>;
  openExternal?(link: { href: string }): void;
  notifyIntrinsicHeight?(height: number): void;
}

declare global {
  interface Window {
    openai?: OpenAi;
  }
}

export class OpenAiHost implements Host {
  private shown: unknown = null;

  constructor(private readonly openai: OpenAi) {}

  listen(listener: Listener): void {
    const read = () => this.read(listener);
    window.addEventListener("openai:set_globals", read);
    read();
  }

  async call(tool: string, input: Record<string, unknown>): Promise<Answer> {
    if (this.openai.callTool === undefined) return failed("This host does not let pages call tools.");
    try {
      return readResult(await this.openai.callTool(tool, input));
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
  }

  openLink(url: string): void {
    this.openai.openExternal?.({ href: url });
  }

  resized(height: number): void {
    this.openai.notifyIntrinsicHeight?.(height);
  }

  private read(listener: Listener): void {
    const { theme, locale, toolInput, toolOutput } = this.openai;
    listener.onSurroundings({ ...(theme ? { theme } : {}), ...(locale ? { locale } : {}) });
    if (isBag(toolInput)) listener.onInput(toolInput);
    if (!isBag(toolOutput) || toolOutput === this.shown) return;
    this.shown = toolOutput;
    const failing = isBag(toolOutput.error);
    const meta = this.openai.toolResponseMetadata ?? {};
    listener.onAnswer(readResult({ structuredContent: toolOutput, _meta: meta, isError: failing }));
  }
}
