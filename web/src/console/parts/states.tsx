// Loading, empty and error states.
import type { ComponentChildren } from "preact";
import type { ApiError } from "../api";
import { useTexts } from "../language";
import type { Loaded } from "../loading";
import { SHELL } from "../texts";

export function Spinner({ label }: { label?: string }) {
  const texts = useTexts(SHELL);
  return (
    <div class="state" role="status">
      <span class="spinner" aria-hidden="true" />
      <span>{label ?? texts.loading}…</span>
    </div>
  );
}

export function Empty({ title, children }: { title?: string; children?: ComponentChildren }) {
  const texts = useTexts(SHELL);
  return (
    <div class="state empty">
      <p class="said">{title ?? texts.nothing}</p>
      {children && <p class="dim">{children}</p>}
    </div>
  );
}

export function ErrorBox({ error, onRetry }: { error: ApiError; onRetry?: (() => void) | undefined }) {
  const texts = useTexts(SHELL);
  return (
    <div class="error-box" role="alert">
      <p>
        <strong>{error.message}</strong> <code>{error.code}</code>
      </p>
      {error.hint && <p>{error.hint}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}

/** Shows loaded data, or the error. Keeps the old value visible while it reloads. */
export function LoadedView<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (loaded.error) return <ErrorBox error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === null) return <Spinner />;
  return <>{children(loaded.value)}</>;
}
