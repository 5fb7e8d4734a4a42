// Loads data for a component and aborts requests that are superseded or no longer needed.
import { useCallback, useEffect, useState } from "preact/hooks";
import { ApiError } from "./api";

export interface Loaded<T> {
  value: T | null;
  error: ApiError | null;
  busy: boolean;
  reload(): void;
}

type Load<T> = (signal: AbortSignal) => Promise<T>;

/** Loads when `deps` change. Keeps the old value until the new one arrives. */
export function useLoaded<T>(load: Load<T>, deps: unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ value: null, error: null, busy: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, busy: true }));
    load(stop.signal).then(
      (value) => stop.signal.aborted || setState({ value, error: null, busy: false }),
      (error) => stop.signal.aborted || setState((before) => ({ ...before, error: toApiError(error), busy: false })),
    );
    return () => stop.abort();
  }, [...deps, turn]);
  const reload = useCallback(() => setTurn((now) => now + 1), []);
  return { ...state, reload };
}

/** Calls `reload` at an interval while `active` and the tab is visible. */
export function useInterval(everyMs: number, active: boolean, reload: () => void): void {
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => document.hidden || reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, active, reload]);
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof Error ? error.message : String(error), 0, "FAILED");
}
