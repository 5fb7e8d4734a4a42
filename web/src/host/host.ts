// What a page may ask of whoever shows it. Two kinds of host speak differently; the views know only this.

export interface Problem {
  message: string;
  hint?: string;
}

export interface Answer {
  data: Record<string, unknown> | null;
  meta: Record<string, unknown>;
  problem: Problem | null;
}

export interface Surroundings {
  theme?: "light" | "dark";
  locale?: string;
}

export interface Listener {
  onInput(input: Record<string, unknown>): void;
  onAnswer(answer: Answer): void;
  onCancelled(): void;
  onSurroundings(surroundings: Surroundings): void;
}

export interface Host {
  listen(listener: Listener): void;
  call(tool: string, input: Record<string, unknown>): Promise<Answer>;
  openLink(url: string): void;
  resized(height: number): void;
}

type Bag = Record<string, unknown>;

export function isBag(value: unknown): value is Bag {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a tool's result as any host hands it on: the structure, or the error that stands in its place. */
export function readResult(result: unknown): Answer {
  if (!isBag(result)) return failed("The answer could not be read.");
  const structure = isBag(result.structuredContent) ? result.structuredContent : null;
  const meta = isBag(result._meta) ? result._meta : isBag(result.meta) ? result.meta : {};
  const error = structure && isBag(structure.error) ? structure.error : structure;
  if (result.isError === true) {
    return { data: null, meta, problem: readProblem(error, result.content) };
  }
  if (structure === null) return failed("The answer has no data for this page.");
  return { data: structure, meta, problem: null };
}

export function failed(message: string, hint?: string): Answer {
  return { data: null, meta: {}, problem: hint === undefined ? { message } : { message, hint } };
}

function readProblem(error: Bag | null, content: unknown): Problem {
  const said = Array.isArray(content) && isBag(content[0]) ? content[0].text : undefined;
  const message = [error?.message, said].find((one): one is string => typeof one === "string");
  const hint = error?.actionableHint;
  return { message: message ?? "The call failed.", ...(typeof hint === "string" ? { hint } : {}) };
}
