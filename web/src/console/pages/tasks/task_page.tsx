// One task with its notes and history: `#/tasks/task/…`.
import { getJson } from "../../api";
import { useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Card, LoadedView, PageHead } from "../../parts";
import { buildHref } from "../../router";
import { TaskDetails } from "./rows";
import { type Task, useProjects } from "./tasks";
import { TASKS } from "./texts";

export function TaskPage({ id }: { id: string }) {
  const texts = useTexts(TASKS);
  const projects = useProjects();
  const uri = `tasks://task/${encodeURIComponent(id)}`;
  const loaded = useLoaded((signal) => getJson<{ data: Task }>(`/console/api/resource?${new URLSearchParams({ uri })}`, { signal }).then((answer) => answer.data), [id]);
  return (
    <>
      <a class="back" href={buildHref("tasks", ["list"])}>
        ‹ {texts.list}
      </a>
      <PageHead title={loaded.value?.title ?? texts.title} />
      <LoadedView loaded={loaded}>
        {(task) => (
          <Card title={texts.details}>
            <div class="stack tight-stack">
              <TaskDetails task={task} projects={projects} />
            </div>
          </Card>
        )}
      </LoadedView>
    </>
  );
}
