// One row of the ledger, and the same call once more.
import { useState } from "preact/hooks";
import { type ApiError, getJson, postJson } from "../../api";
import { milliseconds, moment, short } from "../../format";
import { useLanguage, useWords } from "../../language";
import { asApiError, useLoaded } from "../../loading";
import { Badge, Card, type Column, ErrorBox, Facts, Icon, PageHead, Shown, Spinner, Table } from "../../parts";
import { JsonTree } from "../../parts/json";
import { to } from "../../router";
import { WORDS } from "./words";

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

interface Parts {
  id: string;
  [name: string]: string | number;
}

interface Replayed {
  same: boolean;
  changed: ("contract" | "code" | "data")[];
  then: Parts;
  now: Parts | null;
  answer: Record<string, unknown> | null;
}

export function OneCall({ id }: { id: string }) {
  const words = useWords(WORDS);
  const loaded = useLoaded((signal) => getJson<Row>(`/console/api/call?id=${encodeURIComponent(id)}`, { signal }), [id]);
  return (
    <>
      <a class="back" href={to("ledger")}>
        ‹ {words.back}
      </a>
      <PageHead title={loaded.value ? `${words.one}: ${loaded.value.tool}` : words.one} />
      <Shown loaded={loaded}>{(row) => <Call key={row.id} row={row} />}</Shown>
    </>
  );
}

function Call({ row }: { row: Row }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const shown = (name: string) => {
    const value = row[name];
    if (name === "at") return moment(String(value), language);
    if (name === "latency_ms") return milliseconds(Number(value), language);
    if (name === "tool") return <a href={to("tools", [row.tool])}>{row.tool}</a>;
    return /hash|id$/.test(name) ? <code>{String(value)}</code> : String(value);
  };
  const names = Object.entries(words.facts).filter(([name]) => row[name] !== null && row[name] !== undefined);
  return (
    <div class="columns call">
      <Card title={`№ ${row.seq}`} aside={<Badge tone={row.status === "ok" ? "good" : "bad"}>{row.fault ?? row.status}</Badge>}>
        <Facts facts={names.map(([name, title]) => [title, shown(name)])} />
        <p class="intact">
          <Badge tone={row.intact ? "good" : "bad"}>{row.intact ? words.intact : words.altered}</Badge>
        </p>
      </Card>
      <div class="stack">
        <Card title={words.input}>
          {row.redacted && <p class="dim">{words.redacted}</p>}
          <JsonTree value={parsed(row.input)} />
        </Card>
        <Replay row={row} />
      </div>
    </div>
  );
}

function Replay({ row }: { row: Row }) {
  const words = useWords(WORDS);
  const [found, setFound] = useState<Replayed | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      setFound(await postJson<Replayed>(`/console/api/replay?id=${encodeURIComponent(row.id)}`));
    } catch (caught) {
      setError(asApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title={words.replay}>
      <div class="stack replay" aria-live="polite">
        <p class="dim">{row.not_replayable ?? words.replayWhy}</p>
        {!row.not_replayable && (
          <div class="buttons">
            <button type="button" class="main" disabled={busy} onClick={() => void run()}>
              <Icon name="play" /> {words.replay}
            </button>
          </div>
        )}
        {busy && <Spinner label={words.replaying} />}
        {error && <ErrorBox error={error} />}
        {found && !busy && <Difference found={found} />}
      </div>
    </Card>
  );
}

function Difference({ found }: { found: Replayed }) {
  const words = useWords(WORDS);
  const { now } = found;
  const rows = Object.keys(words.parts).map((name) => ({ name, then: found.then[name], now: now?.[name] }));
  const cell = (value: unknown) => <code>{short(String(value ?? "–"), 20)}</code>;
  const columns: Column<(typeof rows)[number]>[] = [
    { name: "what", title: words.what, show: (row) => words.parts[row.name as keyof typeof words.parts] },
    { name: "then", title: words.then, show: (row) => cell(row.then) },
    { name: "now", title: words.now, show: (row) => cell(row.now) },
    { name: "equal", title: "", show: (row) => <Badge tone={row.then === row.now ? "good" : "bad"}>{row.then === row.now ? "=" : "≠"}</Badge> },
  ];
  const verdict = now === null ? words.gone : found.same ? words.same : words.differs;
  return (
    <>
      <p class="row">
        <Badge tone={found.same ? "good" : "bad"}>{verdict}</Badge>
        <span>
          {words.changed}: {found.changed.map((one) => words.causes[one]).join(", ") || words.nothing}
        </span>
        {now && <a href={to("ledger", [now.id])}>{short(now.id, 18)}</a>}
      </p>
      <Table label={words.what} columns={columns} rows={rows} keyOf={(row) => row.name} />
      {found.answer && (
        <details>
          <summary>{words.answerNow}</summary>
          <JsonTree value={found.answer} />
        </details>
      )}
    </>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
