// One week: what was done, what was not, and how each project stands.
import { callTool } from "../../api";
import { day, moment } from "../../format";
import { useLanguage, useWords } from "../../language";
import { useLoaded } from "../../loading";
import { Card, Shown, TextField } from "../../parts";
import { go, to } from "../../router";
import { ProjectName, TaskRows } from "./rows";
import { type Projects, type Review, type Task, colourOf, useProjects } from "./tasks";
import { TASKS } from "./words";

const WEEK_MS = 7 * 86_400_000;

export function WeekReview({ week }: { week: string }) {
  const words = useWords(TASKS);
  const projects = useProjects();
  const args = { item_limit: 100, ...(week ? { week_start_iso: week } : {}) };
  const loaded = useLoaded((signal) => callTool<Review>("get_weekly_review", args, { signal }).then((answer) => answer.data), [week]);
  const show = (start: string) => go(to("tasks", [], { week: start }));
  const shift = (weeks: number) => loaded.value && show(new Date(Date.parse(loaded.value.week_start) + weeks * WEEK_MS).toISOString().slice(0, 10));
  return (
    <div class="stack">
      <div class="week">
        <button type="button" onClick={() => shift(-1)}>
          ‹ {words.before}
        </button>
        <TextField label={words.week} type="date" value={loaded.value?.week_start.slice(0, 10) ?? week} onValue={(value) => value && show(mondayOf(value))} />
        <button type="button" onClick={() => shift(1)}>
          {words.after} ›
        </button>
        {week && <a href={to("tasks")}>{words.thisWeek}</a>}
      </div>
      <Shown loaded={loaded}>{(review) => <Reviewed review={review} projects={projects} />}</Shown>
    </div>
  );
}

/** Any day of the week will do; the week begins on its Monday. */
function mondayOf(text: string): string {
  const at = new Date(`${text}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, 10);
}

function Reviewed({ review, projects }: { review: Review; projects: Projects }) {
  const words = useWords(TASKS);
  const language = useLanguage();
  const last = new Date(Date.parse(review.week_end) - 1).toISOString();
  const figures: [string, number, string][] = [
    [words.completed, review.completed_count, "good"],
    [words.created, review.created_count, ""],
    [words.pending, review.pending_count, ""],
    [words.overdue, review.overdue_count, review.overdue_count ? "bad" : ""],
    [words.carry, review.carry_over_count, review.carry_over_count ? "note" : ""],
    [words.due, review.due_this_week_open_count, ""],
  ];
  return (
    <>
      <p class="dim">
        {day(review.week_start, language)} – {day(last, language)}
        {review.period_end < review.week_end && ` · ${words.upTo} ${moment(review.period_end, language)}`}
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
        <Column title={words.completed} tasks={review.completed_tasks} count={review.completed_count} projects={projects} now={review.period_end} />
        <Column title={words.overdue} tasks={review.overdue_tasks} count={review.overdue_count} projects={projects} now={review.period_end} />
        <Column title={words.pending} tasks={review.pending_tasks} count={review.pending_count} projects={projects} now={review.period_end} />
        <Column
          title={words.carry}
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
  const words = useWords(TASKS);
  return (
    <Card title={title} aside={String(count)}>
      {tasks.length === 0 ? <p class="dim">{words.none}</p> : <TaskRows tasks={tasks} projects={projects} now={now} />}
      {count > tasks.length && <small>{words.more.replace("{n}", String(count - tasks.length))}</small>}
    </Card>
  );
}

function ByProject({ review, projects }: { review: Review; projects: Projects }) {
  const words = useWords(TASKS);
  const kinds = [
    ["good", words.completed, review.completed_tasks],
    ["plain", words.pending, review.pending_tasks],
    ["bad", words.overdue, review.overdue_tasks],
  ] as const;
  const ids = [...new Set(kinds.flatMap(([, , tasks]) => tasks.map((task) => task.project_id)))];
  if (ids.length === 0) return null;
  const rows = ids.map((id) => ({ id, counts: kinds.map(([tone, name, tasks]) => ({ tone, name, count: tasks.filter((task) => task.project_id === id).length })) }));
  const total = (row: (typeof rows)[number]) => row.counts.reduce((sum, one) => sum + one.count, 0);
  const most = Math.max(...rows.map(total));
  return (
    <Card title={words.byProject}>
      <ul class="projects" aria-label={words.chart}>
        {rows
          .sort((one, other) => total(other) - total(one))
          .map((row) => (
            <li key={row.id}>
              <ProjectName name={row.id === null ? words.noProject : (projects.get(row.id)?.name ?? row.id)} colour={colourOf(row.id === null ? undefined : projects.get(row.id))} />
              <span class="project-bar" role="img" aria-label={row.counts.map((one) => `${one.name} ${one.count}`).join(", ")}>
                {row.counts.map((one) => (one.count > 0 ? <i key={one.tone} class={one.tone} title={`${one.name} ${one.count}`} style={{ width: `${(one.count / most) * 100}%` }} /> : null))}
              </span>
              <b class="figure">{total(row)}</b>
            </li>
          ))}
      </ul>
      <ul class="inline kinds">
        {kinds.map(([tone, name]) => (
          <li key={tone}>
            <i class={`swatch ${tone}`} /> {name}
          </li>
        ))}
      </ul>
    </Card>
  );
}
