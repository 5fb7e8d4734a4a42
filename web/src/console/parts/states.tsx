// Loading, empty and error states.
import type { ComponentChildren } from "preact";
import type { ApiError } from "../api";
import { useTexts } from "../language";
import type { Loaded } from "../loading";
import { InlineCode } from "./inline_code";
import { buildHref, parseLocation } from "../router";
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

/** Says what went wrong, in the reader's language where the server only has English, and what to do next. */
export function ErrorBox({ error, onRetry }: { error: ApiError; onRetry?: (() => void) | undefined }) {
  const texts = useTexts(SHELL);
  const inWords = texts.errors[groupStatus(error.status)];
  return (
    <div class="error-box" role="alert">
      <p>
        <strong>
          <InlineCode text={inWords || error.message} />
        </strong> <code>{error.code}</code>
      </p>
      {inWords && error.status !== 0 && (
        <p lang="en">
          <InlineCode text={error.message} />
        </p>
      )}
      {error.hint && !(inWords && error.status === 0) && (
        <p lang="en">
          <InlineCode text={error.hint} />
        </p>
      )}
      {error.status === 404 ? <ToList /> : onRetry && (
        <button type="button" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}

/** Trying again does not help where something does not exist; the page that lists what exists does. */
function ToList() {
  const texts = useTexts(SHELL);
  const page = parseLocation(location.hash).page;
  const name = texts[page as keyof typeof texts];
  if (typeof name !== "string") return null;
  return (
    <a class="button" href={buildHref(page)}>
      {texts.toPage(name)}
    </a>
  );
}

type StatusGroup = keyof (typeof SHELL)["en"]["errors"];

function groupStatus(status: number): StatusGroup {
  if (status in SHELL.en.errors) return status as StatusGroup;
  if (status === 504) return 503;
  return status >= 500 ? 500 : 400;
}

/** Shows loaded data, or the error. Keeps the old value visible while it reloads. */
export function LoadedView<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (loaded.error) return <ErrorBox error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === null) return <Spinner />;
  return <>{children(loaded.value)}</>;
}
