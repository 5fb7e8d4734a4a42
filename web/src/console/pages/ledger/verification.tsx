// Checks the chain in the background and shows how far it is.
import { useState } from "preact/hooks";
import { getJson, postJson } from "../../api";
import { ago, count } from "../../format";
import { useLanguage, useWords } from "../../language";
import { asApiError, useEvery, useLoaded } from "../../loading";
import { Badge, Bar, Card, CopyButton, ErrorBox, Icon, Told } from "../../parts";
import { WORDS } from "./words";

interface State {
  running: boolean;
  done: number;
  total: number | null;
  verdict: { ok: boolean; rows: number; head: string; problem: string | null; row: number | null } | null;
  problem: string | null;
  at: string | null;
}

const LOOK_MS = 400;

export function Verification() {
  const words = useWords(WORDS);
  const language = useLanguage();
  const [asked, setAsked] = useState(false);
  const loaded = useLoaded((signal) => getJson<State>("/console/api/verification", { signal }), []);
  const state = loaded.value;
  const running = asked || (state?.running ?? false);
  useEvery(LOOK_MS, running, loaded.again);
  const start = async () => {
    setAsked(true);
    try {
      await postJson("/console/api/verification");
    } finally {
      setAsked(false);
      loaded.again();
    }
  };
  const verdict = running ? null : state?.verdict;
  return (
    <Card>
      <div class="verification" aria-live="polite">
        <button type="button" disabled={running} onClick={() => void start().catch(asApiError)}>
          <Icon name="check" /> {words.verify}
        </button>
        {running && (
          <div class="verification-bar">
            <Bar value={state?.total ? state.done / state.total : null} label={words.verifying} />
            <small>{words.rows(count(state?.done ?? 0, language))}</small>
          </div>
        )}
        {verdict && (
          <>
            <Badge tone={verdict.ok ? "good" : "bad"}>{verdict.ok ? words.holds : words.broken}</Badge>
            <span>
              {verdict.problem ?? words.rows(count(verdict.rows, language))}
              {state?.at && <small> · {ago(state.at, language)}</small>}
            </span>
          </>
        )}
      </div>
      {verdict?.ok && (
        <p class="head-hash">
          <span class="dim">{words.lastHash}</span> <code>{verdict.head}</code> <CopyButton text={verdict.head} />
          <small>
            <Told text={words.note} />
          </small>
        </p>
      )}
      {loaded.error && <ErrorBox error={loaded.error} onRetry={loaded.again} />}
      {!running && state?.problem && <p class="problem">{state.problem}</p>}
    </Card>
  );
}
