// Asking for something and showing it: what is asked for again or left behind is aborted.
import { useCallback, useEffect, useState } from "preact/hooks";
import { ApiError } from "./api";

export interface Loaded<T> {
  value: T | null;
  error: ApiError | null;
  busy: boolean;
  again(): void;
}

type Load<T> = (signal: AbortSignal) => Promise<T>;

/** Loads when `deps` change. The value stays on the page until the next one is there. */
export function useLoaded<T>(load: Load<T>, deps: unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "again">>({ value: null, error: null, busy: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, busy: true }));
    load(stop.signal).then(
      (value) => stop.signal.aborted || setState({ value, error: null, busy: false }),
      (error) => stop.signal.aborted || setState((before) => ({ ...before, error: asApiError(error), busy: false })),
    );
    return () => stop.abort();
  }, [...deps, turn]);
  const again = useCallback(() => setTurn((now) => now + 1), []);
  return { ...state, again };
}

/** Calls `again` every so often while `active`, and not while nobody looks. */
export function useEvery(everyMs: number, active: boolean, again: () => void): void {
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => document.hidden || again(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, active, again]);
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof Error ? error.message : String(error), 0, "FAILED");
}
