// A row of the ledger, and its replay.
import { useState } from "preact/hooks";
import { type ApiError, getJson, postJson } from "../../api";
import { formatDuration, formatDateTime, shorten } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { toApiError, useLoaded } from "../../loading";
import { Badge, Card, type Column, ErrorBox, Facts, Icon, PageHead, LoadedView, Spinner, Table } from "../../parts";
import { CallStatus } from "../../parts/call_status";
import { JsonTree } from "../../parts/json";
import { buildHref } from "../../router";
import { TEXTS } from "./texts";

type Row = Record<string, string | number | boolean | null> & {
  seq: number;
  id: string;
  at: string;
  tool: string;
  input: string;
  status: string;
  fault: string | null;
  latency_ms: number;
  redacted: boolean;
  intact: boolean;
  not_replayable: string | null;
};

interface HashedParts {
  id: string;
  [name: string]: string | number | null;
}

interface ReplayResult {
  same: boolean;
  changed: ("contract" | "code" | "data" | "scopes")[];
  then: HashedParts;
  now: HashedParts | null;
  answer: Record<string, unknown> | null;
}

export function CallDetails({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const loaded = useLoaded((signal) => getJson<Row>(`/console/api/call?id=${encodeURIComponent(id)}`, { signal }), [id]);
  return (
    <>
      <a class="back" href={buildHref("ledger")}>
        ‹ {texts.back}
      </a>
      <PageHead title={loaded.value ? `${texts.call}: ${loaded.value.tool}` : texts.call} />
      <LoadedView loaded={loaded}>{(row) => <Call key={row.id} row={row} />}</LoadedView>
    </>
  );
}

function Call({ row }: { row: Row }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const showFact = (name: string) => {
    const value = row[name];
    if (name === "at") return formatDateTime(String(value), language);
    if (name === "latency_ms") return formatDuration(Number(value), language);
    if (name === "tool") return <a href={buildHref("tools", [row.tool])}>{row.tool}</a>;
    return /hash|id$/.test(name) ? <code>{String(value)}</code> : String(value);
  };
  const names = Object.entries(texts.facts).filter(([name]) => row[name] !== null && row[name] !== undefined);
  return (
    <div class="columns call">
      <Card title={`№ ${row.seq}`} aside={<CallStatus status={row.status} fault={row.fault} />}>
        <Facts facts={names.map(([name, title]) => [title, showFact(name)])} />
        <p class="intact">
          <Badge tone={row.intact ? "good" : "bad"}>{row.intact ? texts.intact : texts.altered}</Badge>
        </p>
      </Card>
      <div class="stack">
        <Card title={texts.input}>
          {row.redacted && <p class="dim">{texts.redacted}</p>}
          <JsonTree value={parseInput(row.input)} />
        </Card>
        <Replay row={row} />
      </div>
    </div>
  );
}

function Replay({ row }: { row: Row }) {
  const texts = useTexts(TEXTS);
  const [result, setResult] = useState<ReplayResult | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      setResult(await postJson<ReplayResult>(`/console/api/replay?id=${encodeURIComponent(row.id)}`));
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title={texts.replay}>
      <div class="stack replay" aria-live="polite">
        <p class="dim">{row.not_replayable ?? texts.replayWhy}</p>
        {!row.not_replayable && (
          <div class="buttons">
            <button type="button" class="main" disabled={busy} onClick={() => void run()}>
              <Icon name="play" /> {texts.replay}
            </button>
          </div>
        )}
        {busy && <Spinner label={texts.replaying} />}
        {error && <ErrorBox error={error} />}
        {result && !busy && <Difference result={result} />}
      </div>
    </Card>
  );
}

function Difference({ result }: { result: ReplayResult }) {
  const texts = useTexts(TEXTS);
  const { now } = result;
  const rows = Object.keys(texts.parts).map((name) => ({ name, then: result.then[name], now: now?.[name] }));
  const cell = (value: unknown) => <code>{shorten(String(value ?? "–"), 20)}</code>;
  const columns: Column<(typeof rows)[number]>[] = [
    { name: "what", title: texts.what, value: (row) => row.name, show: (row) => texts.parts[row.name as keyof typeof texts.parts] },
    { name: "then", title: texts.then, value: (row) => row.then, show: (row) => cell(row.then) },
    { name: "now", title: texts.now, value: (row) => row.now, show: (row) => cell(row.now) },
    { name: "equal", title: "", value: (row) => row.then === row.now, show: (row) => <Badge tone={row.then === row.now ? "good" : "bad"}>{row.then === row.now ? "=" : "≠"}</Badge> },
  ];
  const verdict = now === null ? texts.gone : result.same ? texts.same : texts.differs;
  return (
    <>
      <p class="row">
        <Badge tone={result.same ? "good" : "bad"}>{verdict}</Badge>
        <span>
          {texts.changed}: {result.changed.map((cause) => texts.causes[cause]).join(", ") || texts.nothing}
        </span>
        {now && <a href={buildHref("ledger", [now.id])}>{shorten(now.id, 18)}</a>}
      </p>
      <Table label={texts.what} columns={columns} rows={rows} keyOf={(row) => row.name} file="replay" />
      {result.answer && (
        <details>
          <summary>{texts.answerNow}</summary>
          <JsonTree value={result.answer} />
        </details>
      )}
    </>
  );
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
