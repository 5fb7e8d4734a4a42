// The weekly review: completed and open tasks, and the state of each project.
import { callTool } from "../../api";
import { formatCount, formatDay, formatMinute } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Card, LoadedView, TextField } from "../../parts";
import { RankedBars } from "../../parts/ranked_bars";
import { navigate, buildHref } from "../../router";
import { TaskRows } from "./rows";
import { type Projects, type Review, type Task, useProjects } from "./tasks";
import { TASKS } from "./texts";

const WEEK_MS = 7 * 86_400_000;

export function WeekReview({ week }: { week: string }) {
  const texts = useTexts(TASKS);
  const projects = useProjects();
  const args = { item_limit: 100, ...(week ? { week_start_iso: week } : {}) };
  const loaded = useLoaded((signal) => callTool<Review>("get_weekly_review", args, { signal }).then((answer) => answer.data), [week]);
  const show = (start: string) => navigate(buildHref("tasks", [], { week: start }));
  const shift = (weeks: number) => loaded.value && show(new Date(Date.parse(loaded.value.week_start) + weeks * WEEK_MS).toISOString().slice(0, 10));
  return (
    <div class="stack">
      <div class="week">
        <button type="button" onClick={() => shift(-1)}>
          ‹ {texts.before}
        </button>
        <TextField label={texts.week} type="date" value={loaded.value?.week_start.slice(0, 10) ?? week} onValue={(value) => value && show(mondayOf(value))} />
        <button type="button" onClick={() => shift(1)}>
          {texts.after} ›
        </button>
        {week && <a href={buildHref("tasks")}>{texts.thisWeek}</a>}
      </div>
      <LoadedView loaded={loaded}>{(review) => <ReviewContent review={review} projects={projects} />}</LoadedView>
    </div>
  );
}

/** Returns the Monday of the week of a day. */
function mondayOf(text: string): string {
  const at = new Date(`${text}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, 10);
}

function ReviewContent({ review, projects }: { review: Review; projects: Projects }) {
  const texts = useTexts(TASKS);
  const language = useLanguage();
  const last = new Date(Date.parse(review.week_end) - 1).toISOString();
  const figures: [string, number, string][] = [
    [texts.completed, review.completed_count, "good"],
    [texts.created, review.created_count, ""],
    [texts.pending, review.pending_count, ""],
    [texts.overdue, review.overdue_count, review.overdue_count ? "bad" : ""],
    [texts.carry, review.carry_over_count, review.carry_over_count ? "note" : ""],
    [texts.due, review.due_this_week_open_count, ""],
  ];
  return (
    <>
      <p class="dim">
        {formatDay(review.week_start, language)} – {formatDay(last, language)}
        {review.period_end < review.week_end && ` · ${texts.upTo} ${formatMinute(review.period_end, language)}`}
      </p>
      <dl class="tiles">
        {figures.map(([name, value, tone]) => (
          <div key={name} class={tone}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ByProject review={review} projects={projects} />
      <div class="thirds">
        <Column title={texts.completed} tasks={review.completed_tasks} count={review.completed_count} projects={projects} now={review.period_end} />
        <Column title={texts.overdue} tasks={review.overdue_tasks} count={review.overdue_count} projects={projects} now={review.period_end} />
        <Column title={texts.pending} tasks={review.pending_tasks} count={review.pending_count} projects={projects} now={review.period_end} />
        <Column
          title={texts.carry}
          tasks={[...review.overdue_tasks, ...review.pending_tasks].filter((task) => task.created_at < review.week_start)}
          count={review.carry_over_count}
          projects={projects}
          now={review.period_end}
        />
      </div>
    </>
  );
}

function Column({ title, tasks, count, projects, now }: { title: string; tasks: Task[]; count: number; projects: Projects; now: string }) {
  const texts = useTexts(TASKS);
  return (
    <Card title={title} aside={String(count)}>
      {tasks.length === 0 ? <p class="dim">{texts.none}</p> : <TaskRows tasks={tasks} projects={projects} now={now} />}
      {count > tasks.length && <small>{texts.more.replace("{n}", String(count - tasks.length))}</small>}
    </Card>
  );
}

function ByProject({ review, projects }: { review: Review; projects: Projects }) {
  const texts = useTexts(TASKS);
  const language = useLanguage();
  const kinds = [
    ["good", texts.completed, review.completed_tasks],
    [2, texts.pending, review.pending_tasks],
    ["bad", texts.overdue, review.overdue_tasks],
  ] as const;
  const ids = [...new Set(kinds.flatMap(([, , tasks]) => tasks.map((task) => task.project_id)))];
  if (ids.length === 0) return null;
  const nameOf = (id: string | null) => (id === null ? texts.noProject : (projects.get(id)?.name ?? id));
  const rows = ids.map((id) => ({ name: nameOf(id), values: kinds.map(([, , tasks]) => tasks.filter((task) => task.project_id === id).length) }));
  const total = (row: (typeof rows)[number]) => row.values.reduce((sum, value) => sum + value, 0);
  return (
    <Card title={texts.byProject}>
      <RankedBars
        label={texts.chart}
        column={texts.project}
        file="tasks-by-project"
        parts={kinds.map(([colour, name]) => ({ name, colour }))}
        rows={rows.sort((a, b) => total(b) - total(a))}
        format={(value) => formatCount(value, language)}
      />
    </Card>
  );
}
