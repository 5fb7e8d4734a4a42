// Imports: files are sent with progress, read as a dry run, and written when the owner agrees. `#/import/tasks`.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ApiError, callTool, getJson, postJson, uploadFile } from "../api";
import { formatBytes, formatCount } from "../format";
import { useLanguage, useTexts } from "../language";
import { toApiError, useInterval } from "../loading";
import { Bar, Card, Choices, ErrorBox, PageHead, SelectField } from "../parts";
import { buildHref, navigate } from "../router";
import type { PageProps } from "../routes";
import { type Batch, BatchView } from "./import/batch";
import { IMPORT } from "./import/texts";

const KINDS = ["documents", "papers", "funds", "tasks"] as const;
type Kind = (typeof KINDS)[number];
const POLL_MS = 400;
const ACCEPTED: { [kind in Kind]: string } = { documents: "", papers: ".xml,.gz", funds: ".json,.csv", tasks: "" };

export default function Import({ path }: PageProps) {
  const texts = useTexts(IMPORT);
  const kind = KINDS.find((name) => name === path[0]) ?? "documents";
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <div class="stack">
        <Choices label={texts.kind} value={kind} options={KINDS.map((name) => [name, texts.kinds[name]])} onValue={(chosen) => navigate(buildHref("import", [chosen]))} />
        <Importer key={kind} kind={kind} />
      </div>
    </>
  );
}

function Importer({ kind }: { kind: Kind }) {
  const texts = useTexts(IMPORT);
  const [sent, setSent] = useState<{ name: string; share: number } | null>(null);
  const [batch, setBatch] = useState<Batch | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [files, setFiles] = useState<File[]>([]);
  const [lang, setLang] = useState("auto");
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const busy = batch?.state === "reading" || batch?.state === "writing";
  const look = () => {
    if (!batch) return;
    getJson<Batch>(`/console/api/imports?id=${batch.id}`).then(setBatch, (caught) => setError(toApiError(caught)));
  };
  useInterval(POLL_MS, busy, look);
  const act = async (id: string, action: "read" | "write" | "drop") => {
    setError(null);
    try {
      const answer = await postJson<Batch>("/console/api/imports", { id, action });
      setBatch(action === "drop" ? null : answer);
    } catch (caught) {
      setError(toApiError(caught));
    }
  };
  const send = async (files: File[]) => {
    setError(null);
    setBatch(null);
    setFiles(files);
    const control = new AbortController();
    stop.current = control;
    try {
      if (kind === "documents") await sendDocuments(files, lang, control.signal, setSent);
      else await act((await sendBatch(kind, files, control.signal, setSent)).id, "read");
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setSent(null);
    }
  };
  return (
    <>
      {!batch && !sent && (
        <Card>
          <DropZone accept={ACCEPTED[kind]} hint={texts.hints[kind]} onFiles={(files) => void send(files)} />
          {kind === "documents" && (
            <div class="document-language">
              <SelectField label={texts.language} value={lang} onValue={setLang} options={[["auto", texts.auto], ["th", texts.thai], ["en", texts.english]]} />
            </div>
          )}
        </Card>
      )}
      {sent && (
        <Card>
          <div class="stack tight-stack" role="status">
            <p>
              {texts.sending} <strong>{sent.name}</strong>
            </p>
            <Bar value={sent.share} label={`${texts.sending} ${sent.name}`} />
            <div class="buttons">
              <button type="button" onClick={() => stop.current?.abort()}>
                {texts.stop}
              </button>
            </div>
          </div>
        </Card>
      )}
      {error && <ErrorBox error={error} onRetry={files.length && !batch ? () => void send(files) : undefined} />}
      {batch && <BatchView batch={batch} onWrite={() => void act(batch.id, "write")} onDrop={() => void act(batch.id, "drop")} onAgain={() => setBatch(null)} />}
    </>
  );
}

type Tell = (sent: { name: string; share: number }) => void;

async function sendBatch(kind: Kind, files: File[], signal: AbortSignal, tell: Tell): Promise<Batch> {
  let batch: Batch | null = null;
  for (const [at, file] of files.entries()) {
    const params = new URLSearchParams({ kind, name: file.name, ...(batch ? { id: batch.id } : {}) });
    batch = await uploadFile<Batch>(`/console/api/upload?${params}`, file, (share) => tell({ name: file.name, share: (at + share) / files.length }), signal);
  }
  if (!batch) throw new ApiError("No file was chosen.", 0, "NO_FILE");
  return batch;
}

/** Sends documents and starts their ingest as a dry run; the job's page shows every change. */
async function sendDocuments(files: File[], lang: string, signal: AbortSignal, tell: Tell): Promise<void> {
  const uris: string[] = [];
  for (const [at, file] of files.entries()) {
    const params = new URLSearchParams({ kind: "documents", name: file.name });
    const kept = await uploadFile<{ uri: string }>(`/console/api/upload?${params}`, file, (share) => tell({ name: file.name, share: (at + share) / files.length }), signal);
    uris.push(kept.uri);
  }
  const { data } = await callTool<{ job_id: string }>("tool.ingest.run", { dry_run: true, batch: uris.map((uri) => ({ uri, lang })), wait_s: 0 });
  navigate(buildHref("jobs", [data.job_id]));
}

function DropZone({ accept, hint, onFiles }: { accept: string; hint: string; onFiles(files: File[]): void }) {
  const texts = useTexts(IMPORT);
  const language = useLanguage();
  const id = useId();
  const [over, setOver] = useState(false);
  const [chosen, setChosen] = useState<File[]>([]);
  const take = (files: FileList | null | undefined) => {
    const list = [...(files ?? [])];
    if (list.length === 0) return;
    setChosen(list);
    onFiles(list);
  };
  return (
    <div
      class={over ? "drop-zone over" : "drop-zone"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <p class="said">{texts.dropHere}</p>
      <p class="dim">{texts.or}</p>
      <label class="button main" for={id}>
        {texts.choose}
      </label>
      <input id={id} class="aside" type="file" multiple accept={accept} aria-describedby={`${id}-hint`} onChange={(event) => take(event.currentTarget.files)} />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {chosen.length > 0 && (
        <p class="hint">
          {chosen.length === 1 ? chosen[0]?.name : texts.files(formatCount(chosen.length, language))} · {formatBytes(chosen.reduce((sum, file) => sum + file.size, 0), language)}
        </p>
      )}
    </div>
  );
}
