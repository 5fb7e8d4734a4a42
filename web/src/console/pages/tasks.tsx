// Tasks: the weekly review, or the list. `#/tasks?week=2025-06-02`, `#/tasks/list?status=TODO`.
import { useTexts } from "../language";
import { Choices, InlineCode, PageHead } from "../parts";
import type { PageProps } from "../routes";
import { navigate, buildHref } from "../router";
import { hasScope, useSession } from "../session";
import { TaskList } from "./tasks/list";
import { WeekReview } from "./tasks/review";
import { TaskPage } from "./tasks/task_page";
import { useSamples } from "./tasks/tasks";
import { TASKS } from "./tasks/texts";

export default function Page({ path, params }: PageProps) {
  const texts = useTexts(TASKS);
  const session = useSession();
  const samples = useSamples();
  const [kind, id] = path;
  if (kind === "task" && id) return <TaskPage key={id} id={id} />;
  const view = path[0] === "list" ? "list" : "review";
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <Choices label={texts.view} value={view} options={[["review", texts.review], ["list", texts.list]]} onValue={(chosen) => navigate(chosen === "list" ? buildHref("tasks", ["list"]) : buildHref("tasks"))} />
      </PageHead>
      <div class="stack">
        {samples && (
          <p class="notice loud row between">
            <span>
              <InlineCode text={texts.samples} />
            </span>
            {hasScope(session, "*") && (
              <a class="button" href={buildHref("import", ["tasks"])}>
                {texts.toImport}
              </a>
            )}
          </p>
        )}
        {view === "list" ? <TaskList params={params} /> : <WeekReview week={params.get("week") ?? ""} />}
      </div>
    </>
  );
}
