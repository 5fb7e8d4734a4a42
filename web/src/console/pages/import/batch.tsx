// A batch of files: how far it is, what it would change, and what it changed.
import { formatCount } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { Badge, Bar, Card, type Column, Table } from "../../parts";
import { buildHref } from "../../router";
import { IMPORT } from "./texts";

interface Finding {
  place: string;
  reason: string;
  text?: string;
}

interface FileReport {
  name: string;
  format: string;
  counts: Record<string, number>;
  titles?: string[];
  refused: Finding[];
  notices: Finding[];
}

export interface Batch {
  id: string;
  kind: "papers" | "funds" | "tasks";
  state: "receiving" | "reading" | "ready" | "writing" | "done" | "failed";
  files: string[];
  bytes: number;
  done: number;
  total: number | null;
  message: string | null;
  preview: { files: FileReport[] } | null;
  report: { files: FileReport[] } | null;
  problem: string | null;
}

// Counts that mean that an import would change something.
const CHANGES = ["created", "updated", "inserted", "deleted", "projects_created", "samples_removed", "points_added", "points_corrected", "demo_removed", "gone"];
const TONES: Record<string, "good" | "note" | "bad"> = { created: "good", inserted: "good", updated: "note", points_added: "good", points_corrected: "note", rejected_count: "bad", deleted: "bad", demo_removed: "note", samples_removed: "note", repaired: "note", gone: "note" };

export function BatchView({ batch, onWrite, onDrop, onAgain }: { batch: Batch; onWrite(): void; onDrop(): void; onAgain(): void }) {
  const texts = useTexts(IMPORT);
  const language = useLanguage();
  const shown = batch.report ?? batch.preview;
  const isBusy = batch.state === "reading" || batch.state === "writing";
  const changes = (shown?.files ?? []).flatMap((file) => CHANGES.map((name) => file.counts[name] ?? 0)).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <Card title={batch.files.length === 1 ? batch.files[0] ?? "" : `${formatCount(batch.files.length, language)} · ${texts.kinds[batch.kind]}`} aside={<BatchState batch={batch} />}>
        <div class="stack tight-stack">
          {isBusy && <Bar value={batch.total ? batch.done / batch.total : null} label={batch.state === "reading" ? texts.reading : texts.writing} />}
          {isBusy && <p class="dim">{batch.message ?? ""}</p>}
          {batch.problem && (
            <p class="error-box" role="alert">
              {batch.problem}
            </p>
          )}
          {batch.state === "ready" && (
            <div class="buttons">
              <button type="button" class="main" disabled={changes === 0} onClick={onWrite}>
                {changes === 0 ? texts.writeNothing : texts.write}
              </button>
              <button type="button" onClick={onDrop}>
                {texts.drop}
              </button>
            </div>
          )}
          {(batch.state === "done" || batch.state === "failed") && (
            <div class="buttons">
              {batch.state === "done" && (
                <a class="button" href={buildHref(batch.kind)}>
                  {texts.open}
                </a>
              )}
              <button type="button" onClick={onAgain}>
                {texts.again}
              </button>
            </div>
          )}
        </div>
      </Card>
      {shown && (
        <Card title={batch.report ? texts.report : texts.preview}>
          {shown.files.map((file) => (
            <FileChanges key={file.name} file={file} named={shown.files.length > 1} />
          ))}
        </Card>
      )}
    </>
  );
}

function BatchState({ batch }: { batch: Batch }) {
  const texts = useTexts(IMPORT);
  const { state } = batch;
  if (state === "receiving" || state === "reading") return <Badge>{texts.reading}</Badge>;
  if (state === "writing") return <Badge tone="note">{texts.writing}</Badge>;
  return <Badge tone={state === "done" ? "good" : state === "failed" ? "bad" : "note"}>{texts[state]}</Badge>;
}

function FileChanges({ file, named }: { file: FileReport; named: boolean }) {
  const texts = useTexts(IMPORT);
  const language = useLanguage();
  return (
    <section class="file-changes">
      {named && (
        <h3>
          {file.name} <small>{file.format}</small>
        </h3>
      )}
      <ul class="count-tiles">
        {Object.entries(file.counts).map(([name, count]) => (
          <li key={name} class={count > 0 ? (TONES[name] ?? "") : "zero"}>
            <b class="figure">{formatCount(count, language)}</b> {texts.counts[name as keyof typeof texts.counts] ?? name}
          </li>
        ))}
      </ul>
      {file.titles && file.titles.length > 0 && (
        <details>
          <summary>{texts.first}</summary>
          <ul class="first-titles" lang="en">
            {file.titles.map((title, at) => (
              <li key={at}>{title}</li>
            ))}
          </ul>
        </details>
      )}
      <Findings title={texts.refused} findings={file.refused} file="refused" open />
      <Findings title={texts.notices} findings={file.notices} file="notices" />
    </section>
  );
}

function Findings({ title, findings, file, open = false }: { title: string; findings: Finding[]; file: string; open?: boolean }) {
  const texts = useTexts(IMPORT);
  const language = useLanguage();
  if (findings.length === 0) return null;
  const columns: Column<Finding>[] = [
    { name: "place", title: texts.place, value: (finding) => finding.place, show: (finding) => <code>{finding.place}</code> },
    { name: "reason", title: texts.reason, value: (finding) => finding.reason, show: (finding) => finding.reason },
    { name: "text", title: texts.text, value: (finding) => finding.text, show: (finding) => <span class="dim">{finding.text ?? ""}</span> },
  ];
  return (
    <details open={open}>
      <summary>
        {title} ({formatCount(findings.length, language)})
      </summary>
      <Table label={title} columns={columns} rows={findings} keyOf={(_, at) => at} file={file} />
    </details>
  );
}
