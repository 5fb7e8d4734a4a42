// The ledger: a filtered list of calls, or one call with its replay.
import { useState } from "preact/hooks";
import { getJson } from "../api";
import { formatRelative, formatCount, formatDuration, formatDateTime } from "../format";
import { type Language, useLanguage, useTexts } from "../language";
import { useLoaded } from "../loading";
import { Card, CheckField, type Column, Empty, PageHead, SelectField, LoadedView, Table, TextField } from "../parts";
import { CallStatus } from "../parts/call_status";
import type { PageProps } from "../routes";
import { navigate, buildHref } from "../router";
import { hasScope, useSession, useSuiteNames } from "../session";
import { CallDetails } from "./ledger/call_details";
import { Verification } from "./ledger/verification";
import { TEXTS } from "./ledger/texts";

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
// The reads of this console itself are left out unless asked for.
const READS = "reads";
type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

export default function Ledger({ path, params }: PageProps) {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const all = hasScope(session, "audit:read");
  const [id] = path;
  if (id) return <CallDetails id={id} />;
  return (
    <>
      <PageHead title={texts.title} lead={all ? texts.lead : texts.leadOwn} />
      <div class="stack">
        {all && <Verification />}
        <Calls params={params} all={all} />
      </div>
    </>
  );
}

/** Formats a row's position: the number alone in the main chain, else `chain:number` as on the command line. */
function formatPosition({ chain, seq }: Call, language: Language): string {
  return chain === "main" ? formatCount(seq, language) : `${chain}:${seq}`;
}

function Calls({ params, all }: { params: URLSearchParams; all: boolean }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const filters: Filters = Object.fromEntries(FILTERS.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])));
  const query = new URLSearchParams(filters as Record<string, string>);
  for (const name of ["since", "until"]) {
    const at = new Date(query.get(name) ?? "");
    if (Number.isNaN(at.getTime())) query.delete(name);
    else query.set(name, at.toISOString());
  }
  const showsOwn = params.get(READS) === "all";
  if (!showsOwn) query.set("own_reads", "hidden");
  const loaded = useLoaded((signal) => getJson<Calls>(`/console/api/ledger?${query}`, { signal }), [query.toString()]);
  const narrow = (more: Filters) => navigate(buildHref("ledger", [], { ...filters, reads: showsOwn ? "all" : "", before: "", ...more }), true);
  const columns: Column<Call>[] = [
    {
      name: "tool",
      title: texts.tool,
      value: (call) => call.tool,
      show: (call) => (
        <a href={buildHref("ledger", [call.id])}>
          <code>{call.tool}</code>
        </a>
      ),
    },
    { name: "at", title: texts.at, value: (call) => call.at, show: (call) => <span class="nowrap" title={formatDateTime(call.at, language)}>{formatRelative(call.at, language)}</span> },
    { name: "status", title: texts.status, value: (call) => call.fault ?? call.status, show: (call) => <CallStatus status={call.status} fault={call.fault} /> },
    { name: "latency_ms", title: texts.took, figure: true, value: (call) => call.latency_ms, show: (call) => <span class="nowrap">{formatDuration(call.latency_ms, language)}</span> },
    { name: "surface", title: texts.surface, minor: true, value: (call) => call.surface, show: (call) => call.surface },
    { name: "caller", title: texts.caller, value: (call) => call.caller, show: (call) => <span class="caller-cell">{call.caller}</span> },
    { name: "number", title: texts.number, figure: true, minor: true, value: (call) => `${call.chain}:${call.seq}`, show: (call) => formatPosition(call, language) },
  ];
  return (
    <Card>
      <FilterForm filters={filters} all={all} onFilters={narrow} />
      <CheckField label={texts.ownReads} hint={texts.ownReadsHint} checked={showsOwn} onValue={(on) => navigate(buildHref("ledger", [], { ...filters, before: "", reads: on ? "all" : "" }), true)} />
      <LoadedView loaded={loaded}>
        {({ calls, before }) => (
          <>
            {calls.length === 0 ? <Empty title={texts.none}>{texts.noneHint}</Empty> : <Table label={texts.title} columns={columns} rows={calls} keyOf={(call) => call.id} file="ledger" />}
            <div class="buttons paging">
              <button type="button" onClick={loaded.reload}>
                {texts.refresh}
              </button>
              {filters.before && (
                <a class="button" href={buildHref("ledger", [], { ...filters, reads: showsOwn ? "all" : "", before: "" })}>
                  {texts.newer}
                </a>
              )}
              {before !== null && (
                <a class="button" href={buildHref("ledger", [], { ...filters, reads: showsOwn ? "all" : "", before: String(before) })}>
                  {texts.older} ›
                </a>
              )}
            </div>
          </>
        )}
      </LoadedView>
    </Card>
  );
}

function FilterForm({ filters, all, onFilters }: { filters: Filters; all: boolean; onFilters(more: Filters): void }) {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const nameSuite = useSuiteNames();
  const [tools] = useState(() => getJson<{ tools: { name: string }[] }>("/tools"));
  const names = useLoaded(async () => (await tools).tools.map((tool) => tool.name), []);
  return (
    <div class="filters">
      <TextField label={texts.tool} type="search" value={filters.tool ?? ""} list={names.value ?? []} placeholder={texts.any} onValue={(tool) => onFilters({ tool })} />
      <SelectField label={texts.suite} value={filters.suite ?? ""} options={[["", texts.any], ...session.suites.map((suite): [string, string] => [suite.name, nameSuite(suite)])]} onValue={(suite) => onFilters({ suite })} />
      <SelectField label={texts.status} value={filters.status ?? ""} options={[["", texts.any], ["ok", texts.ok], ["error", texts.error]]} onValue={(status) => onFilters({ status })} />
      {all && <TextField label={texts.caller} type="search" value={filters.caller ?? ""} placeholder={texts.any} onValue={(caller) => onFilters({ caller })} />}
      <TextField label={texts.since} type="datetime-local" value={filters.since ?? ""} onValue={(since) => onFilters({ since })} />
      <TextField label={texts.until} type="datetime-local" value={filters.until ?? ""} onValue={(until) => onFilters({ until })} />
      {Object.keys(filters).length > 0 && (
        <a class="button" href={buildHref("ledger")}>
          {texts.clear}
        </a>
      )}
    </div>
  );
}
