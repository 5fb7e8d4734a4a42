// Backups: made by the server into a folder of the home, with progress.
import { useState } from "preact/hooks";
import { type ApiError, getJson, postJson } from "../../api";
import { formatBytes } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { toApiError, useInterval, useLoaded } from "../../loading";
import { Bar, Card, ErrorBox, InlineCode, LoadedView } from "../../parts";
import { SETTINGS } from "./texts";

interface BackupState {
  folder: string;
  running: boolean;
  done: number;
  total: number | null;
  problem: string | null;
  files: { name: string; bytes: number }[];
}

const POLL_MS = 500;
const MOST_SHOWN = 5;

export function Backups() {
  const texts = useTexts(SETTINGS);
  const language = useLanguage();
  const loaded = useLoaded((signal) => getJson<BackupState>("/console/api/backups", { signal }), []);
  const [error, setError] = useState<ApiError | null>(null);
  useInterval(POLL_MS, loaded.value?.running ?? false, loaded.reload);
  const start = () =>
    postJson("/console/api/backups").then(loaded.reload, (caught) => setError(toApiError(caught)));
  return (
    <Card
      title={texts.backup}
      aside={
        <button type="button" disabled={loaded.value?.running ?? true} onClick={() => void start()}>
          {texts.backUp}
        </button>
      }
    >
      <div class="stack tight-stack">
        <p class="dim">{texts.backupLead}</p>
        {error && <ErrorBox error={error} />}
        <LoadedView loaded={loaded}>
          {(state) => (
            <>
              {state.running && <Bar value={state.total ? state.done / state.total : null} label={texts.backingUp} />}
              {state.problem && (
                <p class="error-box" role="alert">
                  {state.problem}
                </p>
              )}
              {state.files.length === 0 ? (
                <p>{texts.noBackups}</p>
              ) : (
                <ul class="backups">
                  {state.files.slice(0, MOST_SHOWN).map((file) => (
                    <li key={file.name}>
                      <code>{file.name}</code> <small class="figure">{formatBytes(file.bytes, language)}</small>
                    </li>
                  ))}
                </ul>
              )}
              <p class="hint">
                {texts.folder}: <code>{state.folder}</code>. <InlineCode text={texts.restore} />
              </p>
            </>
          )}
        </LoadedView>
      </div>
    </Card>
  );
}
