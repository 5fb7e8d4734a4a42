// Results of an ingest: counts for each document, and the list of changes.
import { useState } from "preact/hooks";
import { callTool } from "../../api";
import { formatCount, formatPercent } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Card, type Column, LoadedView, Table, type Tone } from "../../parts";
import { type NameOf, useLabels } from "../herbs/labels";
import { HERBS, type HerbTexts } from "../herbs/texts";
import { type Change, type DocumentReport, type IngestReport, type Job, fileName } from "./job";
import { TEXTS } from "./texts";

const TONES: Record<Change["kind"], Tone> = { source: "plain", node: "good", name: "good", edge: "good", conflict: "bad", ambiguous: "note", unlinked: "note" };

export function IngestResults({ job }: { job: Job }) {
  const texts = useTexts(TEXTS);
  const [more, setMore] = useState<Change[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const loaded = useLoaded(async (signal) => {
    const { data } = await callTool<{ job: IngestReport }>("tool.ingest.status", { job_id: job.job_id }, { signal });
    setCursor(data.job.next_cursor);
    return data.job;
  }, []);
  const loadMore = async () => {
    const { data } = await callTool<{ job: IngestReport }>("tool.ingest.status", { job_id: job.job_id, cursor });
    setMore([...more, ...data.job.changes]);
    setCursor(data.job.next_cursor);
  };
  return (
    <Card title={texts.found}>
      <LoadedView loaded={loaded}>
        {({ documents, changes }) => (
          <div class="stack">
            {documents.map((document) => (
              <Document key={document.number} report={document} />
            ))}
            {changes.length > 0 && <Changes changes={[...changes, ...more]} many={documents.length > 1} />}
            {cursor && (
              <div class="buttons">
                <button type="button" onClick={() => void loadMore()}>
                  {texts.more}
                </button>
              </div>
            )}
          </div>
        )}
      </LoadedView>
    </Card>
  );
}

function Document({ report }: { report: DocumentReport }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const counts = Object.entries(texts.counts).filter(([name]) => (report.counts[name] ?? 0) > 0);
  return (
    <div class="document">
      <p class="row">
        <strong>{fileName(report.uri)}</strong>
        <small>{texts.pages(report.pages, report.ocr_pages)}</small>
        {report.nothing_new && <Badge>{texts.nothingNew}</Badge>}
      </p>
      {report.error && (
        <p class="problem">
          {report.error.message} <code>{report.error.code}</code>
        </p>
      )}
      <ul class="row counts">
        {counts.map(([name, title]) => (
          <li key={name}>
            <strong>{formatCount(report.counts[name] ?? 0, language)}</strong> {title}
          </li>
        ))}
      </ul>
      {report.notes.map((note) => (
        <small key={note}>{note}</small>
      ))}
    </div>
  );
}

function Changes({ changes, many }: { changes: Change[]; many: boolean }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const words = useTexts(HERBS);
  const nameOf = useLabels(changes.flatMap((change) => [change.from, change.to].filter((id) => id !== null)));
  const columns: Column<Change>[] = [
    { name: "kind", title: texts.what, value: (change) => change.kind, show: (change) => <Badge tone={TONES[change.kind]}>{texts.kinds[change.kind]}</Badge> },
    {
      name: "text",
      title: texts.change,
      value: (change) => describe(change, nameOf, words),
      show: (change) => (
        <>
          {describe(change, nameOf, words)} {change.type && change.kind !== "edge" && <small>{nameType(change.type, words)}</small>}
        </>
      ),
    },
    { name: "page", title: texts.page, figure: true, value: (change) => change.page, show: (change) => change.page ?? "–" },
    { name: "sure", title: texts.sure, figure: true, value: (change) => change.confidence, show: (change) => (change.confidence === null ? "–" : formatPercent(change.confidence, language)) },
  ];
  if (many) columns.unshift({ name: "document", title: texts.document, figure: true, value: (change) => change.document, show: (change) => change.document });
  return <Table label={texts.changes} columns={columns} rows={changes} keyOf={(_, at) => at} file="changes" />;
}

/** A statement in words of the reader's language: "turmeric – contains → curcumin". Other changes are their text. */
function describe(change: Change, nameOf: NameOf, words: HerbTexts): string {
  if (change.kind !== "edge" || !change.type) return change.text;
  const labels = change.text.split(` ─${change.type}→ `);
  if (labels.length !== 2) return change.text;
  const [from, to] = [change.from, change.to].map((id, at) => (id && nameOf(id)) ?? labels[at]);
  return `${from} – ${nameType(change.type, words)} → ${to}`;
}

/** Names a type of node or edge, or returns it as it is if it has no text. */
function nameType(type: string, words: HerbTexts): string {
  return (words as Record<string, string>)[type] ?? type;
}
