// The way to the server: a tool through the gateway, or a path of JSON. Both send the key, both end in ApiError.
export interface Stamp {
  in_hash: string;
  out_hash: string;
  seed: number | bigint | string;
  latency_ms: number;
  status: string;
}

export interface Answer<T> {
  request_id: string;
  tool: string;
  ok: boolean;
  data: T;
  error: Record<string, unknown> | null;
  meta: {
    duration_ms: number;
    next_cursor: string | null;
    audit: Stamp | null;
    replayed: boolean;
    call_id: string | null;
  };
}

export interface Asked {
  signal?: AbortSignal | undefined;
  requestId?: string;
}

/** What went wrong, in the server's words. `status` 0 means that it could not be reached at all. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly hint: string = "",
    readonly error: Record<string, unknown> = {},
    readonly answer: Answer<unknown> | null = null,
  ) {
    super(message);
  }
}

const KEPT = "sanya.key";
let onRefused: () => void = () => undefined;

/** Kept for this tab only. Not in a cookie: those are shared by all ports of a machine, and every page could send them. */
export function keepKey(key: string | null): void {
  if (key) sessionStorage.setItem(KEPT, key);
  else sessionStorage.removeItem(KEPT);
}

export function hasKey(): boolean {
  return sessionStorage.getItem(KEPT) !== null;
}

/** Is told when the server asks for a key, or takes ours no more. */
export function whenRefused(tell: () => void): void {
  onRefused = tell;
}

export async function callTool<T = Record<string, unknown>>(
  name: string,
  args: Record<string, unknown>,
  { signal, requestId }: Asked = {},
): Promise<Answer<T>> {
  const body = requestId ? { args, request_id: requestId } : { args };
  return (await ask(`/tools/${encodeURIComponent(name)}`, { method: "POST", body: JSON.stringify(body), signal })) as Answer<T>;
}

export async function getJson<T>(path: string, { signal }: Asked = {}): Promise<T> {
  return (await ask(path, { signal })) as T;
}

export async function postJson<T>(path: string, body: unknown = {}, { signal }: Asked = {}): Promise<T> {
  return (await ask(path, { method: "POST", body: JSON.stringify(body), signal })) as T;
}

export async function getText(path: string, { signal }: Asked = {}): Promise<string> {
  const response = await send(path, { signal });
  const text = await response.text();
  if (!response.ok) throw refusal(response.status, parse(text));
  return text;
}

interface Sent {
  method?: string;
  body?: string;
  signal?: AbortSignal | undefined;
}

async function ask(path: string, sent: Sent): Promise<unknown> {
  const response = await send(path, sent);
  const found = parse(await response.text());
  if (!response.ok) throw refusal(response.status, found);
  return found;
}

/** The headers with the key, where there is one. */
export function authorised(headers: Record<string, string>): Record<string, string> {
  const key = sessionStorage.getItem(KEPT);
  return key ? { ...headers, authorization: `Bearer ${key}` } : headers;
}

async function send(path: string, { method = "GET", body, signal }: Sent): Promise<Response> {
  const headers = authorised(body === undefined ? {} : { "content-type": "application/json" });
  try {
    return await fetch(path, { method, headers, body: body ?? null, signal: signal ?? null, credentials: "omit" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("The server cannot be reached.", 0, "UNREACHABLE", "Is `sanya serve` still running?");
  }
}

function refusal(status: number, found: unknown): ApiError {
  const answer = isBag(found) && "ok" in found ? (found as unknown as Answer<unknown>) : null;
  const error = answer?.error ?? {};
  if (status === 401) onRefused();
  const message = text(error.message) || text(error.userMessage) || `The server answered ${status}.`;
  const hint = text(error.actionableHint) || text(error.hint);
  return new ApiError(message, status, text(error.code) || text(error.error_code) || String(status), hint, error, answer);
}

/** Integers that a double cannot hold (a stamp's seed) stay exact. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
  } catch {
    return null;
  }
}

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !context?.source) return value;
  return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
}

export function isBag(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
