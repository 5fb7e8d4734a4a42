import { useEffect, useState } from "preact/hooks";
import { type ApiError, callTool } from "../../api";
import { useTexts } from "../../language";
import { toApiError } from "../../loading";
import { Card, Empty, ErrorBox, SaveRows, SelectField, Spinner, TextField, splitWords } from "../../parts";
import { navigate, buildHref } from "../../router";
import { TaskRows } from "./rows";
import { type Task, useProjects } from "./tasks";
import { TASKS } from "./texts";

const PAGE = 25;
const STATUSES = ["TODO", "DOING", "DONE", "ARCHIVED"] as const;
const PAUSE_MS = 250;

interface Page {
  items: Task[];
  next_cursor: string | null;
}

export function TaskList({ params }: { params: URLSearchParams }) {
  const texts = useTexts(TASKS);
  const projects = useProjects();
  const filters = { q: params.get("q") ?? "", status: params.get("status") ?? "", project: params.get("project") ?? "" };
  const [page, setPage] = useState<Page | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const put = (part: Partial<typeof filters>) => navigate(buildHref("tasks", ["list"], { ...filters, ...part }), true);
  const ask = async (cursor: string | null, signal?: AbortSignal): Promise<Page> => {
    const args = { ...(filters.q.trim() ? { search: filters.q } : {}), ...(filters.status ? { status: filters.status } : {}), ...(filters.project ? { project_id: filters.project } : {}) };
    return (await callTool<Page>("get_tasks", { limit: PAGE, ...args, ...(cursor ? { cursor } : {}) }, { signal })).data;
  };
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      ask(null, stop.signal).then(
        (first) => {
          setPage(first);
          setError(null);
        },
        (caught) => stop.signal.aborted || setError(toApiError(caught)),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [filters.q, filters.status, filters.project]);
  const more = async () => {
    if (!page?.next_cursor) return;
    try {
      const next = await ask(page.next_cursor);
      setPage({ items: [...page.items, ...next.items], next_cursor: next.next_cursor });
    } catch (caught) {
      setError(toApiError(caught));
    }
  };
  return (
    <Card>
      <div class="filters">
        <TextField label={texts.search} type="search" value={filters.q} onValue={(q) => put({ q })} maxLength={200} />
        <SelectField label={texts.status} value={filters.status} onValue={(status) => put({ status })} options={[["", texts.any], ...STATUSES.map((name) => [name, texts[name]] as [string, string])]} />
        <SelectField label={texts.project} value={filters.project} onValue={(project) => put({ project })} options={[["", texts.any], ...[...projects.values()].map((project) => [project.id, project.name] as [string, string])]} />
      </div>
      {error && <ErrorBox error={error} />}
      {page === null && !error && <Spinner />}
      {page?.items.length === 0 && <Empty title={texts.nothing} />}
      {page && <TaskRows tasks={page.items} projects={projects} marks={filters.q.trim() ? [filters.q.trim().toLowerCase(), ...splitWords(filters.q)] : []} />}
      {page && page.items.length > 0 && <SaveRows name="tasks" rows={() => page.items.map(({ id, title, status, priority, is_important, project_id, due_at, created_at }) => ({ id, title, status, priority, is_important, project_id, due_at, created_at }))} />}
      {page?.next_cursor && (
        <button type="button" onClick={() => void more()}>
          {texts.next}
        </button>
      )}
    </Card>
  );
}
