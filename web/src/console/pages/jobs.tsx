// Jobs: the list, refreshed while a job runs, and the form to start an ingest.
import { useState } from "preact/hooks";
import { type ApiError, callTool, getJson } from "../api";
import { formatRelative, formatDateTime } from "../format";
import { useLanguage, useTexts } from "../language";
import { toApiError, useInterval, useLoaded } from "../loading";
import { AreaField, Badge, Bar, Card, type Column, Empty, ErrorBox, PageHead, SelectField, LoadedView, Table } from "../parts";
import type { PageProps } from "../routes";
import { navigate, buildHref } from "../router";
import { hasScope, useSession } from "../session";
import { type Job, fileName, isOpen, progressOf, toneOf } from "./jobs/job";
import { JobDetails } from "./jobs/job_details";
import { TEXTS } from "./jobs/texts";

const POLL_MS = 1000;

export default function Jobs({ path }: PageProps) {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const [id] = path;
  if (id) return <JobDetails key={id} id={id} />;
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <div class="stack">
        {hasScope(session, "herbs:write") && <Ingest />}
        <List />
      </div>
    </>
  );
}

function Ingest() {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const [text, setText] = useState("");
  const [lang, setLang] = useState("auto");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const inbox = useLoaded((signal) => getJson<{ folders: string[] }>("/console/api/inbox", { signal }), []);
  const folder = inbox.value?.folders[0] ?? "";
  const documents = text.split("\n").map((line) => line.trim()).filter(Boolean);
  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      const batch = documents.map((document) => ({ uri: asUri(document, folder), lang }));
      const { data } = await callTool<{ job_id: string }>("tool.ingest.run", { dry_run: true, batch, wait_s: 0 });
      navigate(buildHref("jobs", [data.job_id]));
    } catch (caught) {
      setError(toApiError(caught));
      setBusy(false);
    }
  };
  return (
    <Card title={texts.ingest}>
      <form
        class="stack ingest"
        onSubmit={(event) => {
          event.preventDefault();
          if (documents.length) void start();
        }}
      >
        <div class="ingest-fields">
          <AreaField
            label={texts.path}
            rows={2}
            value={text}
            onValue={setText}
            required
            hint={
              <>
                {texts.pathHint} <code>{(inbox.value?.folders ?? []).join(", ")}</code>
              </>
            }
          />
          <SelectField label={texts.language} value={lang} onValue={setLang} options={[["auto", texts.auto], ["th", texts.thai], ["en", texts.english]]} />
        </div>
        <div class="buttons">
          <button type="submit" class="main" disabled={busy || documents.length === 0}>
            {busy ? `${texts.starting}…` : texts.dry}
          </button>
          {hasScope(session, "*") && (
            <a class="button" href={buildHref("import")}>
              {texts.fromBrowser}
            </a>
          )}
        </div>
        {error && <ErrorBox error={error} />}
      </form>
    </Card>
  );
}

/** Converts a typed path to the URI that the tool expects. */
function asUri(typed: string, folder: string): string {
  if (/^[a-z]+:\/\//i.test(typed)) return typed;
  const path = typed.split("/").map(encodeURIComponent).join("/");
  return typed.startsWith("/") ? `file://${path}` : `${folder.replace(/\/$/, "")}/${path}`;
}

function List() {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const session = useSession();
  const loaded = useLoaded((signal) => getJson<{ jobs: Job[] }>("/jobs", { signal }), []);
  useInterval(POLL_MS, loaded.value?.jobs.some(isOpen) ?? false, loaded.reload);
  const columns: Column<Job>[] = [
    {
      name: "job",
      title: texts.documents,
      value: (job) => job.documents.join("; ") || job.job_id,
      show: (job) => (
        <a href={buildHref("jobs", [job.job_id])}>
          {job.documents[0] ? fileName(job.documents[0]) : job.job_id}
          {job.documents.length > 1 && ` +${job.documents.length - 1}`}
        </a>
      ),
    },
    { name: "kind", title: texts.kind, value: (job) => (job.dry_run ? "dry run" : "write"), show: (job) => <Badge tone={job.dry_run ? "plain" : "note"}>{job.dry_run ? texts.dryRun : texts.writes}</Badge> },
    { name: "state", title: texts.state, value: (job) => job.ending ?? job.status, show: (job) => <Badge tone={toneOf(job)}>{job.ending ? texts.endings[job.ending] : texts.states[job.status]}</Badge> },
    { name: "progress", title: texts.progress, value: progressOf, show: (job) => <Bar value={progressOf(job)} tone={toneOf(job)} label={`${texts.progress} ${job.job_id}`} /> },
    { name: "created_at", title: texts.when, value: (job) => job.created_at, show: (job) => <span class="nowrap" title={formatDateTime(job.created_at, language)}>{formatRelative(job.created_at, language)}</span> },
  ];
  if (session.scopes.includes("*") && !session.open) columns.push({ name: "owner", title: texts.owner, value: (job) => job.owner, show: (job) => job.owner });
  return (
    <Card>
      <LoadedView loaded={loaded}>
        {({ jobs }) => (jobs.length ? <Table label={texts.title} columns={columns} rows={jobs} keyOf={(job) => job.job_id} file="jobs" /> : <Empty title={texts.none}>{texts.noneHint}</Empty>)}
      </LoadedView>
    </Card>
  );
}
