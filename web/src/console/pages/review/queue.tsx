// The queue: progress, filters, and the statements.
import { useState } from "preact/hooks";
import { formatCount } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Bar, Card, Empty, LoadedView, SaveRows, SelectField } from "../../parts";
import { buildHref, navigate } from "../../router";
import { StatementRows } from "./rows";
import { EVIDENCE, type Progress, SEVERITIES, STATES, type StatementList, loadQueue } from "./statements";
import { REVIEW } from "./texts";

const FILTERS = ["state", "severity", "evidence", "subject", "source"] as const;
type Filters = Record<(typeof FILTERS)[number], string>;
const PAGE = 30;

export function Queue({ params }: { params: URLSearchParams }) {
  const texts = useTexts(REVIEW);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, params.get(name) ?? ""])) as Filters;
  const key = JSON.stringify(filters);
  const [limit, setLimit] = useState({ key, rows: PAGE });
  const rows = limit.key === key ? limit.rows : PAGE;
  const loaded = useLoaded((signal) => loadQueue({ ...filters, limit: String(rows) }, signal), [key, rows]);
  const change = (name: keyof Filters, value: string) => navigate(buildHref("review", [], { ...filters, [name]: value }), true);
  return (
    <LoadedView loaded={loaded}>
      {(list) => (
        <div class="stack">
          <ProgressCard progress={list.progress} />
          <FilterBar filters={filters} list={list} onFilter={change} />
          {list.statements.length === 0 ? (
            <Empty title={list.progress.open === 0 && !filters.state ? texts.allDone : texts.none}>{list.progress.open === 0 && !filters.state ? texts.allDoneHint : texts.noneHint}</Empty>
          ) : (
            <Statements list={list} onMore={() => setLimit({ key, rows: rows + PAGE })} />
          )}
        </div>
      )}
    </LoadedView>
  );
}

function ProgressCard({ progress }: { progress: Progress }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const all = progress.open + progress.decided;
  const count = (value: number | undefined) => formatCount(value ?? 0, language);
  const parts = [["open", progress.states.open], ["outdated", progress.states.outdated], ["accepted", progress.states.accepted], ["corrected", progress.states.corrected], ["rejected", progress.states.rejected]] as const;
  return (
    <Card>
      <div class="review-progress">
        <p class="figures">
          <b>{count(progress.open)}</b> <span>{texts.openCount}</span>
        </p>
        <div class="track">
          <Bar value={all === 0 ? 1 : progress.decided / all} label={texts.progress} tone="good" />
          <p class="dim">
            {texts.ofQueue.replace("{done}", count(progress.decided)).replace("{all}", count(all))}
            {parts
              .filter(([name, value]) => name !== "open" && value)
              .map(([name, value]) => ` · ${texts[`st_${name}`]} ${count(value)}`)
              .join("")}
          </p>
        </div>
      </div>
    </Card>
  );
}

function FilterBar({ filters, list, onFilter }: { filters: Filters; list: StatementList; onFilter(name: keyof Filters, value: string): void }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const any: [string, string] = ["", texts.any];
  const withChosen = (options: [string, string][], chosen: string) => (chosen && !options.some(([id]) => id === chosen) ? [[chosen, chosen] as [string, string], ...options] : options);
  const subjects = list.subjects.map((node) => [node.id, `${node[language]} (${node.count})`] as [string, string]);
  const sources = list.sources.map((source) => [source.id, `${(source.title ?? source.id).slice(0, 60)} (${source.count})`] as [string, string]);
  return (
    <div class="filters review-filters" role="search">
      <SelectField label={texts.state} value={filters.state || "open"} onValue={(value) => onFilter("state", value === "open" ? "" : value)} options={STATES.map((state) => [state, texts[`st_${state}`]] as [string, string])} />
      <SelectField label={texts.severity} value={filters.severity} onValue={(value) => onFilter("severity", value)} options={[any, ...SEVERITIES.map((name) => [name, texts[`s_${name}`]] as [string, string])]} />
      <SelectField label={texts.evidence} value={filters.evidence} onValue={(value) => onFilter("evidence", value)} options={[any, ...EVIDENCE.map((name) => [name, texts[`e_${name}`]] as [string, string])]} />
      <SelectField label={texts.herb} value={filters.subject} onValue={(value) => onFilter("subject", value)} options={[any, ...withChosen(subjects, filters.subject)]} />
      <SelectField label={texts.source} value={filters.source} onValue={(value) => onFilter("source", value)} options={[any, ...withChosen(sources, filters.source)]} />
    </div>
  );
}

function Statements({ list, onMore }: { list: StatementList; onMore(): void }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const rest = list.total - list.statements.length;
  return (
    <section class="stack" aria-label={texts.list}>
      <StatementRows statements={list.statements} label={texts.list} />
      <div class="buttons">
        <span class="dim" role="status">
          {texts.shown.replace("{n}", formatCount(list.statements.length, language)).replace("{total}", formatCount(list.total, language))}
        </span>
        {rest > 0 && (
          <button type="button" onClick={onMore}>
            {texts.more.replace("{n}", String(Math.min(rest, PAGE)))}
          </button>
        )}
      </div>
      <SaveRows name="statements" rows={() => list.statements.map(({ id, state, severity, evidence, subject, objects, effect }) => ({ id, state, severity, evidence, subject: subject[language], objects: objects.map((node) => node[language]).join("; "), effect: effect?.[language] ?? null }))} />
    </section>
  );
}
