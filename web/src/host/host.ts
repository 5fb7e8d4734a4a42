// The interface to the host that shows the widget. Two kinds of host implement it.

export interface Problem {
  message: string;
  hint?: string;
}

export interface Answer {
  data: Record<string, unknown> | null;
  meta: Record<string, unknown>;
  problem: Problem | null;
}

export interface HostContext {
  theme?: "light" | "dark";
  locale?: string;
}

export interface Listener {
  onInput(input: Record<string, unknown>): void;
  onAnswer(answer: Answer): void;
  onCancelled(): void;
  onContext(context: HostContext): void;
}

export interface Host {
  listen(listener: Listener): void;
  call(tool: string, input: Record<string, unknown>): Promise<Answer>;
  openLink(url: string): void;
  reportHeight(height: number): void;
}

type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a tool result from any host: the structured content, or the error in its place. */
export function readResult(result: unknown): Answer {
  if (!isObject(result)) return failedAnswer("The answer could not be read.");
  const structure = isObject(result.structuredContent) ? result.structuredContent : null;
  const meta = isObject(result._meta) ? result._meta : isObject(result.meta) ? result.meta : {};
  const error = structure && isObject(structure.error) ? structure.error : structure;
  if (result.isError === true) {
    return { data: null, meta, problem: readProblem(error, result.content) };
  }
  if (structure === null) return failedAnswer("The answer has no data for this page.");
  return { data: structure, meta, problem: null };
}

export function failedAnswer(message: string, hint?: string): Answer {
  return { data: null, meta: {}, problem: hint === undefined ? { message } : { message, hint } };
}

function readProblem(error: JsonObject | null, content: unknown): Problem {
  const contentText = Array.isArray(content) && isObject(content[0]) ? content[0].text : undefined;
  const message = [error?.message, contentText].find((candidate): candidate is string => typeof candidate === "string");
  const hint = error?.actionableHint;
  return { message: message ?? "The call failed.", ...(typeof hint === "string" ? { hint } : {}) };
}
