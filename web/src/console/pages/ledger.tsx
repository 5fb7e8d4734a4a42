// Every call: a page of them with filters, or one of them with its replay.
import { useState } from "preact/hooks";
import { getJson } from "../api";
import { ago, count, milliseconds, moment } from "../format";
import { type Language, useLanguage, useWords } from "../language";
import { useLoaded } from "../loading";
import { Badge, Card, type Column, Empty, PageHead, SelectField, Shown, Table, TextField } from "../parts";
import type { PageProps } from "../routes";
import { go, to } from "../router";
import { may, useSession } from "../session";
import { OneCall } from "./ledger/one_call";
import { Verification } from "./ledger/verification";
import { WORDS } from "./ledger/words";

interface Call {
  seq: number;
  chain: string;
  id: string;
  at: string;
  tool: string;
  suite: string;
  surface: string;
  caller: string;
  latency_ms: number;
  status: string;
  fault: string | null;
}

interface Calls {
  calls: Call[];
  before: string | null;
  own_only: boolean;
}

const FILTERS = ["tool", "suite", "status", "caller", "since", "until", "before"] as const;
type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

export default function Ledger({ path, params }: PageProps) {
  const words = useWords(WORDS);
  const session = useSession();
  const all = may(session, "audit:read");
  const [id] = path;
  if (id) return <OneCall id={id} />;
  return (
    <>
      <PageHead title={words.title} lead={all ? words.lead : words.leadOwn} />
      <div class="stack">
        {all && <Verification />}
        <Calls params={params} all={all} />
      </div>
    </>
  );
}

/** The number alone in the chain that all share; elsewhere as the command line takes it. */
function place({ chain, seq }: Call, language: Language): string {
  return chain === "main" ? count(seq, language) : `${chain}:${seq}`;
}

function Calls({ params, all }: { params: URLSearchParams; all: boolean }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const filters: Filters = Object.fromEntries(FILTERS.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])));
  const query = new URLSearchParams(filters as Record<string, string>);
  for (const name of ["since", "until"]) {
    const at = new Date(query.get(name) ?? "");
    if (Number.isNaN(at.getTime())) query.delete(name);
    else query.set(name, at.toISOString());
  }
  const loaded = useLoaded((signal) => getJson<Calls>(`/console/api/ledger?${query}`, { signal }), [query.toString()]);
  const narrow = (more: Filters) => go(to("ledger", [], { ...filters, before: "", ...more }), true);
  const columns: Column<Call>[] = [
    { name: "at", title: words.at, show: (call) => <span class="nowrap" title={moment(call.at, language)}>{ago(call.at, language)}</span> },
    {
      name: "tool",
      title: words.tool,
      show: (call) => (
        <a href={to("ledger", [call.id])}>
          <code>{call.tool}</code>
        </a>
      ),
    },
    { name: "status", title: words.status, show: (call) => <Badge tone={call.status === "ok" ? "good" : "bad"}>{call.fault ?? call.status}</Badge> },
    { name: "took", title: words.took, figure: true, show: (call) => <span class="nowrap">{milliseconds(call.latency_ms, language)}</span> },
    { name: "surface", title: words.surface, show: (call) => call.surface },
    { name: "caller", title: words.caller, show: (call) => <span class="caller-cell">{call.caller}</span> },
    { name: "seq", title: words.number, figure: true, show: (call) => place(call, language) },
  ];
  return (
    <Card>
      <Narrowing filters={filters} all={all} onFilters={narrow} />
      <Shown loaded={loaded}>
        {({ calls, before }) => (
          <>
            {calls.length === 0 ? <Empty title={words.none}>{words.noneHint}</Empty> : <Table label={words.title} columns={columns} rows={calls} keyOf={(call) => call.id} />}
            <div class="buttons paging">
              <button type="button" onClick={loaded.again}>
                {words.refresh}
              </button>
              {filters.before && (
                <a class="button" href={to("ledger", [], { ...filters, before: "" })}>
                  {words.newer}
                </a>
              )}
              {before !== null && (
                <a class="button" href={to("ledger", [], { ...filters, before: String(before) })}>
                  {words.older} ›
                </a>
              )}
            </div>
          </>
        )}
      </Shown>
    </Card>
  );
}

function Narrowing({ filters, all, onFilters }: { filters: Filters; all: boolean; onFilters(more: Filters): void }) {
  const words = useWords(WORDS);
  const session = useSession();
  const [tools] = useState(() => getJson<{ tools: { name: string }[] }>("/tools"));
  const names = useLoaded(async () => (await tools).tools.map((tool) => tool.name), []);
  return (
    <div class="filters">
      <TextField label={words.tool} type="search" value={filters.tool ?? ""} list={names.value ?? []} placeholder={words.any} onValue={(tool) => onFilters({ tool })} />
      <SelectField label={words.suite} value={filters.suite ?? ""} options={[["", words.any], ...session.suites.map((one): [string, string] => [one.name, one.title])]} onValue={(suite) => onFilters({ suite })} />
      <SelectField label={words.status} value={filters.status ?? ""} options={[["", words.any], ["ok", words.ok], ["error", words.error]]} onValue={(status) => onFilters({ status })} />
      {all && <TextField label={words.caller} type="search" value={filters.caller ?? ""} placeholder={words.any} onValue={(caller) => onFilters({ caller })} />}
      <TextField label={words.since} type="datetime-local" value={filters.since ?? ""} onValue={(since) => onFilters({ since })} />
      <TextField label={words.until} type="datetime-local" value={filters.until ?? ""} onValue={(until) => onFilters({ until })} />
      {Object.keys(filters).length > 0 && (
        <a class="button" href={to("ledger")}>
          {words.clear}
        </a>
      )}
    </div>
  );
}
