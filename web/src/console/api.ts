// HTTP client of the console: calls tools through the gateway and fetches JSON. Failures become ApiError.
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

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  requestId?: string;
}

/** An error of the server. `status` 0 means that the server could not be reached. */
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

const STORAGE_KEY = "sanya.key";
let onUnauthorized: () => void = () => undefined;

/** Stores the key for this tab only. A cookie would be shared by all ports of a host and sent by every page. */
export function saveKey(key: string | null): void {
  if (key) sessionStorage.setItem(STORAGE_KEY, key);
  else sessionStorage.removeItem(STORAGE_KEY);
}

export function hasKey(): boolean {
  return sessionStorage.getItem(STORAGE_KEY) !== null;
}

/** Sets the handler that runs when the server requires a key or no longer accepts ours. */
export function setUnauthorizedHandler(tell: () => void): void {
  onUnauthorized = tell;
}

export async function callTool<T = Record<string, unknown>>(
  name: string,
  args: Record<string, unknown>,
  { signal, requestId }: RequestOptions = {},
): Promise<Answer<T>> {
  const body = requestId ? { args, request_id: requestId } : { args };
  return (await requestJson(`/tools/${encodeURIComponent(name)}`, { method: "POST", body: JSON.stringify(body), signal })) as Answer<T>;
}

export async function getJson<T>(path: string, { signal }: RequestOptions = {}): Promise<T> {
  return (await requestJson(path, { signal })) as T;
}

export async function postJson<T>(path: string, body: unknown = {}, { signal }: RequestOptions = {}): Promise<T> {
  return (await requestJson(path, { method: "POST", body: JSON.stringify(body), signal })) as T;
}

export async function getText(path: string, { signal }: RequestOptions = {}): Promise<string> {
  const response = await fetchPath(path, { signal });
  const asText = await response.text();
  if (!response.ok) throw buildError(response.status, parseJson(asText));
  return asText;
}

interface FetchOptions {
  method?: string;
  body?: string;
  signal?: AbortSignal | undefined;
}

async function requestJson(path: string, sent: FetchOptions): Promise<unknown> {
  const response = await fetchPath(path, sent);
  const body = parseJson(await response.text());
  if (!response.ok) throw buildError(response.status, body);
  return body;
}

/** Adds the key to the headers, if there is one, and the mark by which the ledger tells the console's own calls. */
export function withKey(headers: Record<string, string>): Record<string, string> {
  const key = sessionStorage.getItem(STORAGE_KEY);
  const marked = { ...headers, "sanya-client": "console" };
  return key ? { ...marked, authorization: `Bearer ${key}` } : marked;
}

/** Sends a file as it is and reports the share that was sent, from 0 to 1: `fetch` cannot do that. */
export function uploadFile<T>(path: string, file: Blob, tell: (share: number) => void, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [name, value] of Object.entries(withKey({ "content-type": "application/octet-stream" }))) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => tell(event.lengthComputable ? event.loaded / Math.max(event.total, 1) : 0);
    request.onload = () => {
      const body = parseJson(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as T);
      else reject(buildError(request.status, body));
    };
    request.onerror = () => reject(new ApiError("The file could not be sent.", 0, "UNREACHABLE", "Is `sanya serve` still running?"));
    request.onabort = () => reject(new ApiError("Stopped.", 0, "CANCELLED"));
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

async function fetchPath(path: string, { method = "GET", body, signal }: FetchOptions): Promise<Response> {
  const headers = withKey(body === undefined ? {} : { "content-type": "application/json" });
  try {
    return await fetch(path, { method, headers, body: body ?? null, signal: signal ?? null, credentials: "omit" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("The server cannot be reached.", 0, "UNREACHABLE", "Is `sanya serve` still running?");
  }
}

function buildError(status: number, body: unknown): ApiError {
  const answer = isObject(body) && "ok" in body ? (body as unknown as Answer<unknown>) : null;
  const error = answer?.error ?? {};
  if (status === 401) onUnauthorized();
  const message = text(error.message) || text(error.userMessage) || `The server answered ${status}.`;
  const hint = text(error.actionableHint) || text(error.hint);
  return new ApiError(message, status, text(error.code) || text(error.error_code) || String(status), hint, error, answer);
}

/** Parses JSON and keeps integers that a double cannot represent (a stamp's seed) exact. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, keepLargeIntegers as (key: string, value: unknown) => unknown);
  } catch {
    return null;
  }
}

function keepLargeIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !context?.source) return value;
  return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
