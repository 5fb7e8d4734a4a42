// What an ingest found: each document with its counts, and the diff, page by page.
import { useState } from "preact/hooks";
import { callTool } from "../../api";
import { count, share } from "../../format";
import { useLanguage, useWords } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Card, type Column, Shown, Table, type Tone } from "../../parts";
import { type Change, type DocumentReport, type Found, type Job, fileName } from "./job";
import { WORDS } from "./words";

const TONES: Record<Change["kind"], Tone> = { source: "plain", node: "good", name: "good", edge: "good", conflict: "bad", ambiguous: "note", unlinked: "note" };

export function FoundCard({ job }: { job: Job }) {
  const words = useWords(WORDS);
  const [more, setMore] = useState<Change[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const loaded = useLoaded(async (signal) => {
    const { data } = await callTool<{ job: Found }>("tool.ingest.status", { job_id: job.job_id }, { signal });
    setCursor(data.job.next_cursor);
    return data.job;
  }, []);
  const goOn = async () => {
    const { data } = await callTool<{ job: Found }>("tool.ingest.status", { job_id: job.job_id, cursor });
    setMore([...more, ...data.job.changes]);
    setCursor(data.job.next_cursor);
  };
  return (
    <Card title={words.found}>
      <Shown loaded={loaded}>
        {({ documents, changes }) => (
          <div class="stack">
            {documents.map((one) => (
              <Document key={one.number} report={one} />
            ))}
            {changes.length > 0 && <Changes changes={[...changes, ...more]} many={documents.length > 1} />}
            {cursor && (
              <div class="buttons">
                <button type="button" onClick={() => void goOn()}>
                  {words.more}
                </button>
              </div>
            )}
          </div>
        )}
      </Shown>
    </Card>
  );
}

function Document({ report }: { report: DocumentReport }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const counts = Object.entries(words.counts).filter(([name]) => (report.counts[name] ?? 0) > 0);
  return (
    <div class="document">
      <p class="row">
        <strong>{fileName(report.uri)}</strong>
        <small>{words.pages(report.pages, report.ocr_pages)}</small>
        {report.nothing_new && <Badge>{words.nothingNew}</Badge>}
      </p>
      {report.error && (
        <p class="problem">
          {report.error.message} <code>{report.error.code}</code>
        </p>
      )}
      <ul class="row counts">
        {counts.map(([name, title]) => (
          <li key={name}>
            <strong>{count(report.counts[name] ?? 0, language)}</strong> {title}
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
  const words = useWords(WORDS);
  const language = useLanguage();
  const columns: Column<Change>[] = [
    { name: "kind", title: words.what, show: (one) => <Badge tone={TONES[one.kind]}>{words.kinds[one.kind]}</Badge> },
    {
      name: "text",
      title: words.change,
      show: (one) => (
        <>
          {one.text} {one.type && one.kind !== "edge" && <small>{one.type}</small>}
        </>
      ),
    },
    { name: "page", title: words.page, figure: true, show: (one) => one.page ?? "–" },
    { name: "sure", title: words.sure, figure: true, show: (one) => (one.confidence === null ? "–" : share(one.confidence, language)) },
  ];
  if (many) columns.unshift({ name: "document", title: words.document, figure: true, show: (one) => one.document });
  return <Table label={words.changes} columns={columns} rows={changes} keyOf={(_, at) => at} />;
}
