// Evaluations: the figures over the runs, a run with its progress, and each report as it was written.
import { useState } from "preact/hooks";
import { type ApiError, ApiError as Failure, getJson } from "../api";
import { ago, count, moment, share } from "../format";
import { useLanguage, useWords } from "../language";
import { asApiError, useLoaded } from "../loading";
import { Badge, Bar, Card, Choices, type Column, Empty, ErrorBox, PageHead, Shown, Sparkline, Table } from "../parts";
import { type Progress, callWithProgress } from "../progress";
import type { PageProps } from "../routes";
import { to } from "../router";
import { may, useSession } from "../session";
import { Report } from "./evaluation/report";
import { WORDS } from "./evaluation/words";

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
  const words = useWords(WORDS);
  const session = useSession();
  const loaded = useLoaded((signal) => getJson<{ evaluations: Run[] }>("/evaluations", { signal }), []);
  const [id] = path;
  if (id) return <Report id={id} />;
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <div class="stack">
        {may(session, "herbs:write") && <Runner onDone={loaded.again} />}
        <Shown loaded={loaded}>{({ evaluations }) => (evaluations.length ? <Runs runs={evaluations} /> : <Empty title={words.none}>{words.noneHint}</Empty>)}</Shown>
      </div>
    </>
  );
}

function Runner({ onDone }: { onDone(): void }) {
  const words = useWords(WORDS);
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
      const found = await callWithProgress<{ run_id: string; repeated: boolean }>("tool.eval.run", { set }, setProgress, controller.signal);
      setRepeated(found.repeated);
      onDone();
    } catch (caught) {
      setError(controller.signal.aborted ? new Failure(words.stopped, 0, "STOPPED") : asApiError(caught));
    } finally {
      setStop(null);
    }
  };
  return (
    <Card>
      <div class="runner" aria-live="polite">
        <strong>{words.run}</strong>
        {(["smoke", "curated"] as const).map((set) => (
          <button key={set} type="button" disabled={stop !== null} onClick={() => void run(set)}>
            {words[set]} <small>{set === "smoke" ? words.smokeHint : words.curatedHint}</small>
          </button>
        ))}
        {stop && (
          <>
            <div class="verification-bar">
              <Bar value={progress?.total ? progress.progress / progress.total : null} label={words.running} />
              <small>
                {words.running}: {progress?.progress ?? 0}
                {progress?.total && ` / ${progress.total}`}
              </small>
            </div>
            <button type="button" onClick={() => stop.abort()}>
              {words.stop}
            </button>
          </>
        )}
        {repeated && <Badge>{words.repeated}</Badge>}
      </div>
      {error && <ErrorBox error={error} />}
    </Card>
  );
}

function Runs({ runs }: { runs: Run[] }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const sets = (["curated", "smoke", "custom"] as const).filter((set) => runs.some((run) => run.set === set));
  const [chosen, setChosen] = useState<Run["set"] | null>(null);
  const set = chosen && sets.includes(chosen) ? chosen : (sets[0] as Run["set"]);
  const shown = runs.filter((run) => run.set === set);
  const value = (run: Run, name: string) => run.metrics.find((one) => one.name === name)?.value;
  const columns: Column<Run>[] = [
    { name: "at", title: words.at, show: (run) => <span class="nowrap" title={moment(run.at, language)}>{ago(run.at, language)}</span> },
    { name: "questions", title: words.questions, figure: true, show: (run) => count(run.questions, language) },
    { name: "revision", title: words.revision, figure: true, show: (run) => count(run.revision, language) },
    ...SHOWN.map((name): Column<Run> => ({ name, title: name, figure: true, show: (run) => percent(value(run, name), language) })),
    { name: "report", title: words.report, show: (run) => <a href={to("evaluation", [run.id])}>{words.open}</a> },
  ];
  return (
    <>
      {sets.length > 1 && <Choices label={words.set} value={set} options={sets.map((one) => [one, words[one]])} onValue={setChosen} />}
      <Metrics runs={shown} />
      <Card title={`${words.runs} · ${words[set]}`}>
        <Table label={words.runs} columns={columns} rows={shown} keyOf={(run) => run.id} />
      </Card>
    </>
  );
}

function Metrics({ runs }: { runs: Run[] }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const [last, before] = runs;
  if (!last) return null;
  return (
    <ul class="metrics">
      {last.metrics.map(({ name, value }) => {
        const values = runs.flatMap((run) => run.metrics.filter((one) => one.name === name).map((one) => one.value)).reverse();
        const old = before?.metrics.find((one) => one.name === name)?.value;
        const change = old === undefined ? 0 : value - old;
        const better = LESS_IS_BETTER.has(name) ? change < 0 : change > 0;
        return (
          <li key={name} class="card metric">
            <h2>{name}</h2>
            <p class="big">
              <strong>{percent(value, language)}</strong>
              {Math.abs(change) >= 0.0005 && (
                <span title={words.since}>
                  <Badge tone={better ? "good" : "bad"}>{`${change > 0 ? "+" : "−"}${share(Math.abs(change), language)}`}</Badge>
                </span>
              )}
            </p>
            <small>{words.metrics[name] ?? ""}</small>
            {values.length > 1 && <Sparkline values={values} label={words.over(name, values.length)} />}
          </li>
        );
      })}
    </ul>
  );
}

function percent(value: number | undefined, language: "en" | "th"): string {
  return value === undefined ? "–" : share(value, language);
}
