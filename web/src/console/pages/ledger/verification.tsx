// Verifies the ledger in the background and shows progress and verdict.
import { useState } from "preact/hooks";
import { getJson, postJson } from "../../api";
import { formatRelative, formatCount } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { toApiError, useInterval, useLoaded } from "../../loading";
import { Badge, Bar, Card, CopyButton, ErrorBox, Icon, InlineCode } from "../../parts";
import { TEXTS } from "./texts";

interface State {
  running: boolean;
  done: number;
  total: number | null;
  verdict: { ok: boolean; rows: number; head: string; problem: string | null; row: number | null } | null;
  problem: string | null;
  at: string | null;
}

const POLL_MS = 400;

export function Verification() {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const [requested, setRequested] = useState(false);
  const loaded = useLoaded((signal) => getJson<State>("/console/api/verification", { signal }), []);
  const state = loaded.value;
  const running = requested || (state?.running ?? false);
  useInterval(POLL_MS, running, loaded.reload);
  const start = async () => {
    setRequested(true);
    try {
      await postJson("/console/api/verification");
    } finally {
      setRequested(false);
      loaded.reload();
    }
  };
  const verdict = running ? null : state?.verdict;
  return (
    <Card>
      <div class="verification" aria-live="polite">
        <button type="button" disabled={running} onClick={() => void start().catch(toApiError)}>
          <Icon name="check" /> {texts.verify}
        </button>
        {!running && !verdict && <span class="dim">{texts.verifyWhy}</span>}
        {running && (
          <div class="verification-bar">
            <Bar value={state?.total ? state.done / state.total : null} label={texts.verifying} />
            <small>{texts.rows(formatCount(state?.done ?? 0, language))}</small>
          </div>
        )}
        {verdict && (
          <>
            <Badge tone={verdict.ok ? "good" : "bad"}>{verdict.ok ? texts.holds : texts.broken}</Badge>
            <span>
              {verdict.problem ?? texts.rows(formatCount(verdict.rows, language))}
              {state?.at && <small> · {formatRelative(state.at, language)}</small>}
            </span>
          </>
        )}
      </div>
      {verdict?.ok && (
        <p class="head-hash">
          <span class="dim">{texts.lastHash}</span> <code>{verdict.head}</code> <CopyButton text={verdict.head} />
          <small>
            <InlineCode text={texts.note} />
          </small>
        </p>
      )}
      {loaded.error && <ErrorBox error={loaded.error} onRetry={loaded.reload} />}
      {!running && state?.problem && <p class="problem">{state.problem}</p>}
    </Card>
  );
}
