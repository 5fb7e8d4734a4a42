// A host with `window.openai` (ChatGPT): properties, functions, and an event on changes.
import { type Answer, failedAnswer, type Host, isObject, type Listener, readResult } from "./host";

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
  private lastOutput: unknown = null;

  constructor(private readonly openai: OpenAi) {}

  listen(listener: Listener): void {
    const read = () => this.read(listener);
    window.addEventListener("openai:set_globals", read);
    read();
  }

  async call(tool: string, input: Record<string, unknown>): Promise<Answer> {
    if (this.openai.callTool === undefined) return failedAnswer("This host does not let pages call tools.");
    try {
      return readResult(await this.openai.callTool(tool, input));
    } catch (error) {
      return failedAnswer(error instanceof Error ? error.message : String(error));
    }
  }

  openLink(url: string): void {
    this.openai.openExternal?.({ href: url });
  }

  reportHeight(height: number): void {
    this.openai.notifyIntrinsicHeight?.(height);
  }

  private read(listener: Listener): void {
    const { theme, locale, toolInput, toolOutput } = this.openai;
    listener.onContext({ ...(theme ? { theme } : {}), ...(locale ? { locale } : {}) });
    if (isObject(toolInput)) listener.onInput(toolInput);
    if (!isObject(toolOutput) || toolOutput === this.lastOutput) return;
    this.lastOutput = toolOutput;
    const failing = isObject(toolOutput.error);
    const meta = this.openai.toolResponseMetadata ?? {};
    listener.onAnswer(readResult({ structuredContent: toolOutput, _meta: meta, isError: failing }));
  }
}
