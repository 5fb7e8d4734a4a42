// A job: progress while it runs, results when it has ended, and its actions.
import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiError, callTool, getJson } from "../../api";
import { formatDateTime } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { toApiError, useInterval } from "../../loading";
import { Badge, Bar, Card, CodeBlock, Dialog, ErrorBox, Facts, PageHead, Spinner } from "../../parts";
import { navigate, buildHref } from "../../router";
import { hasScope, useSession } from "../../session";
import { IngestResults } from "./ingest_results";
import { type Job, type LogLine, fileName, isOpen, progressOf, toneOf } from "./job";
import { TEXTS } from "./texts";

const POLL_MS = 600;

export function JobDetails({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const { job, log, error, reload } = useJob(id);
  const title = job?.documents[0] ? fileName(job.documents[0]) : texts.job;
  return (
    <>
      <a class="back" href={buildHref("jobs")}>
        ‹ {texts.back}
      </a>
      <PageHead title={title} />
      {error && <ErrorBox error={error} onRetry={reload} />}
      {!job && !error && <Spinner />}
      {job && (
        <div class="stack">
          <JobState job={job} reload={reload} />
          {!isOpen(job) && <IngestResults key={job.ending} job={job} />}
          <Card title={texts.log}>
            {log.length ? <CodeBlock text={log.map((line) => `${line.at}  ${line.text}`).join("\n")} label={texts.log} /> : <p class="dim">{texts.noLog}</p>}
          </Card>
        </div>
      )}
    </>
  );
}

/** Loads a job and its log, and polls while the job is open; each poll fetches only new log lines. */
function useJob(id: string): { job: Job | null; log: LogLine[]; error: ApiError | null; reload(): void } {
  const [job, setJob] = useState<Job | null>(null);
  const [log, setLog] = useState<LogLine[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const busy = useRef(false);
  const last = useRef(0);
  const look = async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      const update = await getJson<Job & { log: LogLine[] }>(`/jobs/${encodeURIComponent(id)}?after=${last.current}`);
      last.current = update.log[update.log.length - 1]?.number ?? last.current;
      setLog((before) => [...before, ...update.log]);
      setJob(update);
      setError(null);
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      busy.current = false;
    }
  };
  useEffect(() => void look(), [id]);
  const reload = () => void look();
  useInterval(POLL_MS, job !== null && isOpen(job), reload);
  return { job, log, error, reload };
}

function JobState({ job, reload }: { job: Job; reload(): void }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const facts: [string, preact.ComponentChildren][] = [
    [texts.kind, <Badge tone={job.dry_run ? "plain" : "note"}>{job.dry_run ? texts.dryRun : texts.writes}</Badge>],
    [texts.job, <code>{job.job_id}</code>],
    [texts.documents, job.documents.map(fileName).join(", ")],
    [texts.started, job.started_at ? formatDateTime(job.started_at, language) : "–"],
    [texts.finished, job.finished_at ? formatDateTime(job.finished_at, language) : "–"],
  ];
  return (
    <Card
      title={texts.state}
      aside={<Badge tone={toneOf(job)}>{job.ending ? texts.endings[job.ending] : texts.states[job.status]}</Badge>}
    >
      <div class="stack" aria-live="polite">
        <div>
          <Bar value={progressOf(job)} tone={toneOf(job)} label={texts.progress} />
          {isOpen(job) && job.progress.message && <small>{job.progress.message}</small>}
        </div>
        {job.error && <p class="problem">{job.error}</p>}
        <Facts facts={facts} />
        <Actions job={job} reload={reload} />
      </div>
    </Card>
  );
}

function Actions({ job, reload }: { job: Job; reload(): void }) {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const [asking, setAsking] = useState<"apply" | "rollback" | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  if (!hasScope(session, "herbs:write")) return null;
  const act = async (tool: string, args: Record<string, unknown>, then: (made: string) => void) => {
    setAsking(null);
    setBusy(true);
    setError(null);
    try {
      then((await callTool<{ job_id: string }>(tool, args)).data.job_id);
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  const cancel = () => act("tool.ingest.cancel", { job_id: job.job_id }, reload);
  const apply = () => act("tool.ingest.run", { dry_run: false, apply_job: job.job_id, wait_s: 0 }, (made) => navigate(buildHref("jobs", [made])));
  const rollBack = () => act("tool.ingest.rollback", { job_id: job.job_id }, reload);
  return (
    <>
      <div class="buttons">
        {isOpen(job) && (
          <button type="button" class="danger" disabled={busy || job.cancel_asked} onClick={() => void cancel()}>
            {job.cancel_asked ? `${texts.cancelling}…` : texts.cancel}
          </button>
        )}
        {job.status === "done" && job.dry_run && (
          <button type="button" class="main" disabled={busy} onClick={() => setAsking("apply")}>
            {texts.apply}
          </button>
        )}
        {!isOpen(job) && !job.dry_run && job.ending !== "rolled_back" && (
          <button type="button" class="danger" disabled={busy} onClick={() => setAsking("rollback")}>
            {texts.rollback}
          </button>
        )}
      </div>
      {error && <ErrorBox error={error} />}
      {asking && (
        <Dialog title={asking === "apply" ? texts.applyTitle : texts.rollbackTitle} onClose={() => setAsking(null)}>
          <p>{asking === "apply" ? texts.applyWhy : texts.rollbackWhy}</p>
          <div class="buttons">
            <button type="button" class="main" onClick={() => void (asking === "apply" ? apply() : rollBack())}>
              {texts.yes}
            </button>
            <button type="button" onClick={() => setAsking(null)}>
              {texts.no}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
