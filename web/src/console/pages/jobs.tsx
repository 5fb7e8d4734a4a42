// Jobs: the list, which follows those that run, and an ingest to start.
import { useState } from "preact/hooks";
import { type ApiError, callTool, getJson } from "../api";
import { ago, moment } from "../format";
import { useLanguage, useWords } from "../language";
import { asApiError, useEvery, useLoaded } from "../loading";
import { AreaField, Badge, Bar, Card, type Column, Empty, ErrorBox, PageHead, SelectField, Shown, Table } from "../parts";
import type { PageProps } from "../routes";
import { go, to } from "../router";
import { may, useSession } from "../session";
import { type Job, fileName, isOpen, shareOf, toneOf } from "./jobs/job";
import { OneJob } from "./jobs/one_job";
import { WORDS } from "./jobs/words";

const LOOK_MS = 1000;

export default function Jobs({ path }: PageProps) {
  const words = useWords(WORDS);
  const session = useSession();
  const [id] = path;
  if (id) return <OneJob key={id} id={id} />;
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <div class="stack">
        {may(session, "herbs:write") && <Ingest />}
        <List />
      </div>
    </>
  );
}

function Ingest() {
  const words = useWords(WORDS);
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
      const batch = documents.map((one) => ({ uri: asUri(one, folder), lang }));
      const { data } = await callTool<{ job_id: string }>("tool.ingest.run", { dry_run: true, batch, wait_s: 0 });
      go(to("jobs", [data.job_id]));
    } catch (caught) {
      setError(asApiError(caught));
      setBusy(false);
    }
  };
  return (
    <Card title={words.ingest}>
      <form
        class="stack ingest"
        onSubmit={(event) => {
          event.preventDefault();
          if (documents.length) void start();
        }}
      >
        <div class="ingest-fields">
          <AreaField
            label={words.path}
            rows={2}
            value={text}
            onValue={setText}
            required
            hint={
              <>
                {words.pathHint} <code>{(inbox.value?.folders ?? []).join(", ")}</code>
              </>
            }
          />
          <SelectField label={words.language} value={lang} onValue={setLang} options={[["auto", words.auto], ["th", words.thai], ["en", words.english]]} />
        </div>
        <div class="buttons">
          <button type="submit" class="main" disabled={busy || documents.length === 0}>
            {busy ? `${words.starting}…` : words.dry}
          </button>
        </div>
        {error && <ErrorBox error={error} />}
      </form>
    </Card>
  );
}

/** What people type is a path; what the tool takes is an address. */
function asUri(typed: string, folder: string): string {
  if (/^[a-z]+:\/\//i.test(typed)) return typed;
  const path = typed.split("/").map(encodeURIComponent).join("/");
  return typed.startsWith("/") ? `file://${path}` : `${folder.replace(/\/$/, "")}/${path}`;
}

function List() {
  const words = useWords(WORDS);
  const language = useLanguage();
  const session = useSession();
  const loaded = useLoaded((signal) => getJson<{ jobs: Job[] }>("/jobs", { signal }), []);
  useEvery(LOOK_MS, loaded.value?.jobs.some(isOpen) ?? false, loaded.again);
  const columns: Column<Job>[] = [
    {
      name: "job",
      title: words.documents,
      show: (job) => (
        <a href={to("jobs", [job.job_id])}>
          {job.documents[0] ? fileName(job.documents[0]) : job.job_id}
          {job.documents.length > 1 && ` +${job.documents.length - 1}`}
        </a>
      ),
    },
    { name: "kind", title: words.kind, show: (job) => <Badge tone={job.dry_run ? "plain" : "note"}>{job.dry_run ? words.dryRun : words.writes}</Badge> },
    { name: "state", title: words.state, show: (job) => <Badge tone={toneOf(job)}>{job.ending ? words.endings[job.ending] : words.states[job.status]}</Badge> },
    { name: "progress", title: words.progress, show: (job) => <Bar value={shareOf(job)} tone={toneOf(job)} label={`${words.progress} ${job.job_id}`} /> },
    { name: "when", title: words.when, show: (job) => <span class="nowrap" title={moment(job.created_at, language)}>{ago(job.created_at, language)}</span> },
  ];
  if (session.scopes.includes("*") && !session.open) columns.push({ name: "owner", title: words.owner, show: (job) => job.owner });
  return (
    <Card>
      <Shown loaded={loaded}>
        {({ jobs }) => (jobs.length ? <Table label={words.title} columns={columns} rows={jobs} keyOf={(job) => job.job_id} /> : <Empty title={words.none}>{words.noneHint}</Empty>)}
      </Shown>
    </Card>
  );
}
