import type { Problem } from "../host/host";
import type { Words } from "../words";

export function Loading({ words }: { words: Words }) {
  return (
    <div class="state loading" role="status">
      <span class="aside">{words.loading}</span>
      {Array.from({ length: 4 }, (_, at) => (
        <div key={at} class="bone" />
      ))}
    </div>
  );
}

export function Trouble({ problem, words, onRetry }: { problem: Problem; words: Words; onRetry?: (() => void) | undefined }) {
  return (
    <div class="state trouble" role="alert">
      <p class="said">{problem.message}</p>
      {problem.hint && <p class="hint">{problem.hint}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {words.retry}
        </button>
      )}
    </div>
  );
}

export function Empty({ words, text, hint }: { words: Words; text?: string; hint?: string }) {
  return (
    <div class="state empty">
      <p class="said">{text ?? words.empty}</p>
      <p class="hint">{hint ?? (text ? "" : words.emptyHint)}</p>
    </div>
  );
}
