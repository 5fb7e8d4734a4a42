import { useEffect, useState } from "preact/hooks";
import { type ApiError, callTool } from "../../api";
import { useWords } from "../../language";
import { asApiError } from "../../loading";
import { Card, Empty, ErrorBox, SelectField, Spinner, TextField, wordsOf } from "../../parts";
import { go, to } from "../../router";
import { TaskRows } from "./rows";
import { type Task, useProjects } from "./tasks";
import { TASKS } from "./words";

const PAGE = 25;
const STATUSES = ["TODO", "DOING", "DONE", "ARCHIVED"] as const;
const PAUSE_MS = 250;

interface Page {
  items: Task[];
  next_cursor: string | null;
}

export function TaskList({ params }: { params: URLSearchParams }) {
  const words = useWords(TASKS);
  const projects = useProjects();
  const asked = { q: params.get("q") ?? "", status: params.get("status") ?? "", project: params.get("project") ?? "" };
  const [page, setPage] = useState<Page | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const put = (part: Partial<typeof asked>) => go(to("tasks", ["list"], { ...asked, ...part }), true);
  const ask = async (cursor: string | null, signal?: AbortSignal): Promise<Page> => {
    const filters = { ...(asked.q.trim() ? { search: asked.q } : {}), ...(asked.status ? { status: asked.status } : {}), ...(asked.project ? { project_id: asked.project } : {}) };
    return (await callTool<Page>("get_tasks", { limit: PAGE, ...filters, ...(cursor ? { cursor } : {}) }, { signal })).data;
  };
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      ask(null, stop.signal).then(
        (found) => {
          setPage(found);
          setError(null);
        },
        (caught) => stop.signal.aborted || setError(asApiError(caught)),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked.q, asked.status, asked.project]);
  const more = async () => {
    if (!page?.next_cursor) return;
    try {
      const next = await ask(page.next_cursor);
      setPage({ items: [...page.items, ...next.items], next_cursor: next.next_cursor });
    } catch (caught) {
      setError(asApiError(caught));
    }
  };
  return (
    <Card>
      <div class="filters">
        <TextField label={words.search} type="search" value={asked.q} onValue={(q) => put({ q })} maxLength={200} />
        <SelectField label={words.status} value={asked.status} onValue={(status) => put({ status })} options={[["", words.any], ...STATUSES.map((one) => [one, words[one]] as [string, string])]} />
        <SelectField label={words.project} value={asked.project} onValue={(project) => put({ project })} options={[["", words.any], ...[...projects.values()].map((one) => [one.id, one.name] as [string, string])]} />
      </div>
      {error && <ErrorBox error={error} />}
      {page === null && !error && <Spinner />}
      {page?.items.length === 0 && <Empty title={words.nothing} />}
      {page && <TaskRows tasks={page.items} projects={projects} marks={asked.q.trim() ? [asked.q.trim().toLowerCase(), ...wordsOf(asked.q)] : []} />}
      {page?.next_cursor && (
        <button type="button" onClick={() => void more()}>
          {words.next}
        </button>
      )}
    </Card>
  );
}
