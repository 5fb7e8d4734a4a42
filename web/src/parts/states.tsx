import type { Problem } from "../host/host";
import type { Texts } from "../texts";

export function LoadingState({ texts }: { texts: Texts }) {
  return (
    <div class="state loading" role="status">
      <span class="aside">{texts.loading}</span>
      {Array.from({ length: 4 }, (_, at) => (
        <div key={at} class="bone" />
      ))}
    </div>
  );
}

export function ErrorState({ problem, texts, onRetry }: { problem: Problem; texts: Texts; onRetry?: (() => void) | undefined }) {
  return (
    <div class="state trouble" role="alert">
      <p class="said">{problem.message}</p>
      {problem.hint && <p class="hint">{problem.hint}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}

export function EmptyState({ texts, text, hint }: { texts: Texts; text?: string; hint?: string }) {
  return (
    <div class="state empty">
      <p class="said">{text ?? texts.empty}</p>
      <p class="hint">{hint ?? (text ? "" : texts.emptyHint)}</p>
    </div>
  );
}
