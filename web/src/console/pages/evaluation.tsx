// Evaluations: metrics across runs, starting a run with progress, and the reports.
import { useState } from "preact/hooks";
import { type ApiError, ApiError as Failure, getJson } from "../api";
import { formatRelative, formatCount, formatDateTime, formatPercent } from "../format";
import { useLanguage, useTexts } from "../language";
import { toApiError, useLoaded } from "../loading";
import { Badge, Bar, Card, Choices, type Column, Empty, ErrorBox, PageHead, LoadedView, Sparkline, Table } from "../parts";
import { Chart } from "../parts/chart";
import { type Progress, callWithProgress } from "../progress";
import type { PageProps } from "../routes";
import { buildHref } from "../router";
import { hasScope, useSession } from "../session";
import { Report } from "./evaluation/report";
import { TEXTS } from "./evaluation/texts";

interface Run {
  id: string;
  set: "smoke" | "curated" | "custom";
  questions: number;
  revision: number;
  at: string;
  metrics: { name: string; value: number; n: number }[];
}

const SHOWN = ["R@10", "MRR", "factuality", "ECE"];
const LESS_IS_BETTER = new Set(["ECE"]);

export default function Evaluation({ path }: PageProps) {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const loaded = useLoaded((signal) => getJson<{ evaluations: Run[] }>("/evaluations", { signal }), []);
  const [id] = path;
  if (id) return <Report id={id} />;
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <div class="stack">
        {hasScope(session, "herbs:write") && <Runner onDone={loaded.reload} />}
        <LoadedView loaded={loaded}>{({ evaluations }) => (evaluations.length ? <Runs runs={evaluations} /> : <Empty title={texts.none}>{texts.noneHint}</Empty>)}</LoadedView>
      </div>
    </>
  );
}

function Runner({ onDone }: { onDone(): void }) {
  const texts = useTexts(TEXTS);
  const [stop, setStop] = useState<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [repeated, setRepeated] = useState(false);
  const run = async (set: "smoke" | "curated") => {
    const controller = new AbortController();
    setStop(controller);
    setProgress(null);
    setError(null);
    setRepeated(false);
    try {
      const result = await callWithProgress<{ run_id: string; repeated: boolean }>("tool.eval.run", { set }, setProgress, controller.signal);
      setRepeated(result.repeated);
      onDone();
    } catch (caught) {
      setError(controller.signal.aborted ? new Failure(texts.stopped, 0, "STOPPED") : toApiError(caught));
    } finally {
      setStop(null);
    }
  };
  return (
    <Card>
      <div class="runner" aria-live="polite">
        <strong>{texts.run}</strong>
        {(["smoke", "curated"] as const).map((set) => (
          <button key={set} type="button" disabled={stop !== null} onClick={() => void run(set)}>
            {texts[set]} <small>{set === "smoke" ? texts.smokeHint : texts.curatedHint}</small>
          </button>
        ))}
        {stop && (
          <>
            <div class="verification-bar">
              <Bar value={progress?.total ? progress.progress / progress.total : null} label={texts.running} />
              <small>
                {texts.running}: {progress?.progress ?? 0}
                {progress?.total && ` / ${progress.total}`}
              </small>
            </div>
            <button type="button" onClick={() => stop.abort()}>
              {texts.stop}
            </button>
          </>
        )}
        {repeated && <Badge>{texts.repeated}</Badge>}
      </div>
      {error && <ErrorBox error={error} />}
    </Card>
  );
}

function Runs({ runs }: { runs: Run[] }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const sets = (["curated", "smoke", "custom"] as const).filter((set) => runs.some((run) => run.set === set));
  const [chosen, setChosen] = useState<Run["set"] | null>(null);
  const set = chosen && sets.includes(chosen) ? chosen : (sets[0] as Run["set"]);
  const runsOfSet = runs.filter((run) => run.set === set);
  const value = (run: Run, name: string) => run.metrics.find((metric) => metric.name === name)?.value;
  const columns: Column<Run>[] = [
    { name: "at", title: texts.at, value: (run) => run.at, show: (run) => <span class="nowrap" title={formatDateTime(run.at, language)}>{formatRelative(run.at, language)}</span> },
    { name: "questions", title: texts.questions, figure: true, value: (run) => run.questions, show: (run) => formatCount(run.questions, language) },
    { name: "revision", title: texts.revision, figure: true, value: (run) => run.revision, show: (run) => formatCount(run.revision, language) },
    ...SHOWN.map((name): Column<Run> => ({ name, title: texts.metrics[name]?.title ?? name, figure: true, value: (run) => value(run, name), show: (run) => percent(value(run, name), language) })),
    { name: "report", title: texts.report, value: (run) => run.id, show: (run) => <a href={buildHref("evaluation", [run.id])}>{texts.open}</a> },
  ];
  return (
    <>
      {sets.length > 1 && <Choices label={texts.set} value={set} options={sets.map((name) => [name, texts[name]])} onValue={setChosen} />}
      <Metrics runs={runsOfSet} />
      <MetricsChart runs={runsOfSet} />
      <Card title={`${texts.runs} · ${texts[set]}`}>
        <Table label={texts.runs} columns={columns} rows={runsOfSet} keyOf={(run) => run.id} file={`evaluations-${set}`} />
      </Card>
    </>
  );
}

/** The first metrics of the table, run by run; the cards above show the same for each metric alone. */
function MetricsChart({ runs }: { runs: Run[] }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const inOrder = [...runs].reverse();
  const value = (run: Run, name: string) => run.metrics.find((metric) => metric.name === name)?.value ?? null;
  if (inOrder.length < 2) return null;
  return (
    <Card title={texts.overRuns}>
      <Chart
        label={texts.overRuns}
        axis={inOrder.map((run) => formatDateTime(run.at, language))}
        series={SHOWN.map((name, at) => ({ name: texts.metrics[name]?.title ?? name, colour: at, values: inOrder.map((run) => value(run, name)) }))}
        format={(share) => formatPercent(share, language)}
        floor={0}
        file="evaluation-metrics"
      />
    </Card>
  );
}

function Metrics({ runs }: { runs: Run[] }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const [last, before] = runs;
  if (!last) return null;
  return (
    <ul class="metrics">
      {last.metrics.map(({ name, value }) => {
        const values = runs.flatMap((run) => run.metrics.filter((metric) => metric.name === name).map((metric) => metric.value)).reverse();
        const old = before?.metrics.find((metric) => metric.name === name)?.value;
        const change = old === undefined ? 0 : value - old;
        const better = LESS_IS_BETTER.has(name) ? change < 0 : change > 0;
        return (
          <li key={name} class="card metric">
            <h2>{texts.metrics[name]?.title ?? name}</h2>
            <p class="big">
              <strong>{percent(value, language)}</strong>
              {Math.abs(change) >= 0.0005 && (
                <span title={texts.since}>
                  <Badge tone={better ? "good" : "bad"}>{`${change > 0 ? "+" : "−"}${formatPercent(Math.abs(change), language)}`}</Badge>
                </span>
              )}
            </p>
            <small>{texts.metrics[name]?.hint ?? ""}</small>
            {values.length > 1 && <Sparkline values={values} label={texts.over(texts.metrics[name]?.title ?? name, values.length)} />}
          </li>
        );
      })}
    </ul>
  );
}

function percent(value: number | undefined, language: "en" | "th"): string {
  return value === undefined ? "–" : formatPercent(value, language);
}
