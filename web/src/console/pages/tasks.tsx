// Tasks: one week in review, or all of them. `#/tasks?week=2025-06-02`, `#/tasks/list?status=TODO`.
import { useWords } from "../language";
import { Choices, PageHead } from "../parts";
import type { PageProps } from "../routes";
import { go, to } from "../router";
import { TaskList } from "./tasks/list";
import { WeekReview } from "./tasks/review";
import { TASKS } from "./tasks/words";

export default function Page({ path, params }: PageProps) {
  const words = useWords(TASKS);
  const view = path[0] === "list" ? "list" : "review";
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Choices label={words.view} value={view} options={[["review", words.review], ["list", words.list]]} onValue={(chosen) => go(chosen === "list" ? to("tasks", ["list"]) : to("tasks"))} />
      </PageHead>
      {view === "list" ? <TaskList params={params} /> : <WeekReview week={params.get("week") ?? ""} />}
    </>
  );
}
