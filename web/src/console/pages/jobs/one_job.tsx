// One job: how far it is while it runs, what it found when it has ended, and what can be done about it.
import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiError, callTool, getJson } from "../../api";
import { moment } from "../../format";
import { useLanguage, useWords } from "../../language";
import { asApiError, useEvery } from "../../loading";
import { Badge, Bar, Card, CodeBlock, Dialog, ErrorBox, Facts, PageHead, Spinner } from "../../parts";
import { go, to } from "../../router";
import { may, useSession } from "../../session";
import { FoundCard } from "./found";
import { type Job, type LogLine, fileName, isOpen, shareOf, toneOf } from "./job";
import { WORDS } from "./words";

const LOOK_MS = 600;

export function OneJob({ id }: { id: string }) {
  const words = useWords(WORDS);
  const { job, log, error, again } = useJob(id);
  const title = job?.documents[0] ? fileName(job.documents[0]) : words.job;
  return (
    <>
      <a class="back" href={to("jobs")}>
        ‹ {words.back}
      </a>
      <PageHead title={title} />
      {error && <ErrorBox error={error} onRetry={again} />}
      {!job && !error && <Spinner />}
      {job && (
        <div class="stack">
          <Standing job={job} again={again} />
          {!isOpen(job) && <FoundCard key={job.ending} job={job} />}
          <Card title={words.log}>
            {log.length ? <CodeBlock text={log.map((line) => `${line.at}  ${line.text}`).join("\n")} label={words.log} /> : <p class="dim">{words.noLog}</p>}
          </Card>
        </div>
      )}
    </>
  );
}

/** A job and its log, looked at again while it is open; each look brings the new lines only. */
function useJob(id: string): { job: Job | null; log: LogLine[]; error: ApiError | null; again(): void } {
  const [job, setJob] = useState<Job | null>(null);
  const [log, setLog] = useState<LogLine[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const busy = useRef(false);
  const last = useRef(0);
  const look = async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      const found = await getJson<Job & { log: LogLine[] }>(`/jobs/${encodeURIComponent(id)}?after=${last.current}`);
      last.current = found.log[found.log.length - 1]?.number ?? last.current;
      setLog((before) => [...before, ...found.log]);
      setJob(found);
      setError(null);
    } catch (caught) {
      setError(asApiError(caught));
    } finally {
      busy.current = false;
    }
  };
  useEffect(() => void look(), [id]);
  const again = () => void look();
  useEvery(LOOK_MS, job !== null && isOpen(job), again);
  return { job, log, error, again };
}

function Standing({ job, again }: { job: Job; again(): void }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const facts: [string, preact.ComponentChildren][] = [
    [words.kind, <Badge tone={job.dry_run ? "plain" : "note"}>{job.dry_run ? words.dryRun : words.writes}</Badge>],
    [words.job, <code>{job.job_id}</code>],
    [words.documents, job.documents.map(fileName).join(", ")],
    [words.started, job.started_at ? moment(job.started_at, language) : "–"],
    [words.finished, job.finished_at ? moment(job.finished_at, language) : "–"],
  ];
  return (
    <Card
      title={words.state}
      aside={<Badge tone={toneOf(job)}>{job.ending ? words.endings[job.ending] : words.states[job.status]}</Badge>}
    >
      <div class="stack" aria-live="polite">
        <div>
          <Bar value={shareOf(job)} tone={toneOf(job)} label={words.progress} />
          {isOpen(job) && job.progress.message && <small>{job.progress.message}</small>}
        </div>
        {job.error && <p class="problem">{job.error}</p>}
        <Facts facts={facts} />
        <Actions job={job} again={again} />
      </div>
    </Card>
  );
}

function Actions({ job, again }: { job: Job; again(): void }) {
  const words = useWords(WORDS);
  const session = useSession();
  const [asking, setAsking] = useState<"apply" | "rollback" | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  if (!may(session, "herbs:write")) return null;
  const act = async (tool: string, args: Record<string, unknown>, then: (made: string) => void) => {
    setAsking(null);
    setBusy(true);
    setError(null);
    try {
      then((await callTool<{ job_id: string }>(tool, args)).data.job_id);
    } catch (caught) {
      setError(asApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  const cancel = () => act("tool.ingest.cancel", { job_id: job.job_id }, again);
  const apply = () => act("tool.ingest.run", { dry_run: false, apply_job: job.job_id, wait_s: 0 }, (made) => go(to("jobs", [made])));
  const rollBack = () => act("tool.ingest.rollback", { job_id: job.job_id }, again);
  return (
    <>
      <div class="buttons">
        {isOpen(job) && (
          <button type="button" class="danger" disabled={busy || job.cancel_asked} onClick={() => void cancel()}>
            {job.cancel_asked ? `${words.cancelling}…` : words.cancel}
          </button>
        )}
        {job.status === "done" && job.dry_run && (
          <button type="button" class="main" disabled={busy} onClick={() => setAsking("apply")}>
            {words.apply}
          </button>
        )}
        {!isOpen(job) && !job.dry_run && job.ending !== "rolled_back" && (
          <button type="button" class="danger" disabled={busy} onClick={() => setAsking("rollback")}>
            {words.rollback}
          </button>
        )}
      </div>
      {error && <ErrorBox error={error} />}
      {asking && (
        <Dialog title={asking === "apply" ? words.applyTitle : words.rollbackTitle} onClose={() => setAsking(null)}>
          <p>{asking === "apply" ? words.applyWhy : words.rollbackWhy}</p>
          <div class="buttons">
            <button type="button" class="main" onClick={() => void (asking === "apply" ? apply() : rollBack())}>
              {words.yes}
            </button>
            <button type="button" onClick={() => setAsking(null)}>
              {words.no}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
