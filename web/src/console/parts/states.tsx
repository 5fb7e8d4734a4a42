// What a page shows when it waits, has nothing, or was refused.
import type { ComponentChildren } from "preact";
import type { ApiError } from "../api";
import { useWords } from "../language";
import type { Loaded } from "../loading";
import { SHELL } from "../words";

export function Spinner({ label }: { label?: string }) {
  const words = useWords(SHELL);
  return (
    <div class="state" role="status">
      <span class="spinner" aria-hidden="true" />
      <span>{label ?? words.loading}…</span>
    </div>
  );
}

export function Empty({ title, children }: { title?: string; children?: ComponentChildren }) {
  const words = useWords(SHELL);
  return (
    <div class="state empty">
      <p class="said">{title ?? words.nothing}</p>
      {children && <p class="dim">{children}</p>}
    </div>
  );
}

export function ErrorBox({ error, onRetry }: { error: ApiError; onRetry?: (() => void) | undefined }) {
  const words = useWords(SHELL);
  return (
    <div class="error-box" role="alert">
      <p>
        <strong>{error.message}</strong> <code>{error.code}</code>
      </p>
      {error.hint && <p>{error.hint}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {words.retry}
        </button>
      )}
    </div>
  );
}

/** What was loaded, or why it is not there. A value that is being loaded again stays in sight. */
export function Shown<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (loaded.error) return <ErrorBox error={loaded.error} onRetry={loaded.again} />;
  if (loaded.value === null) return <Spinner />;
  return <>{children(loaded.value)}</>;
}
