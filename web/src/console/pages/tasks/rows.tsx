import { useState } from "preact/hooks";
import { callTool } from "../../api";
import { formatDay, formatDateTime } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Dialog, Facts, Highlight, LoadedView } from "../../parts";
import { buildHref } from "../../router";
import { type Projects, type Task, colourOf } from "./tasks";
import { TASKS } from "./texts";

export function TaskRows({ tasks, projects, marks = [], now }: { tasks: Task[]; projects: Projects; marks?: string[]; now?: string }) {
  const [openTask, setOpenTask] = useState<Task | null>(null);
  return (
    <>
      <ul class="task-rows">
        {tasks.map((task) => (
          <Row key={task.id} task={task} projects={projects} marks={marks} now={now} onOpen={setOpenTask} />
        ))}
      </ul>
      {openTask && <TaskDialog task={openTask} projects={projects} onClose={() => setOpenTask(null)} />}
    </>
  );
}

interface RowProps {
  task: Task;
  projects: Projects;
  marks: string[];
  now: string | undefined;
  onOpen(task: Task): void;
}

function Row({ task, projects, marks, now, onOpen }: RowProps) {
  const texts = useTexts(TASKS);
  const language = useLanguage();
  const project = task.project_id === null ? undefined : projects.get(task.project_id);
  const late = now && task.due_at && task.status !== "DONE" && task.due_at < now ? Math.floor((Date.parse(now) - Date.parse(task.due_at)) / 86_400_000) : null;
  return (
    <li>
      <button type="button" class="link" onClick={() => onOpen(task)}>
        <Highlight text={task.title} words={marks} />
      </button>
      <p class="row">
        {project && <ProjectName name={project.name} colour={colourOf(project)} />}
        <Badge tone={task.status === "DONE" ? "good" : task.status === "DOING" ? "brand" : "plain"}>{texts[task.status]}</Badge>
        {task.priority === "URGENT" && <Badge tone="bad">{texts.URGENT}</Badge>}
        {task.is_important && <Badge tone="note">{texts.important}</Badge>}
        {task.due_at && (
          <small>
            {texts.dueAt} {formatDay(task.due_at, language)}
          </small>
        )}
        {late !== null && late > 0 && <small class="late">{texts.late.replace("{n}", String(late))}</small>}
      </p>
    </li>
  );
}

export function ProjectName({ name, colour }: { name: string; colour: string | null }) {
  return (
    <span class="project">
      <i style={colour ? { background: colour } : {}} /> {name}
    </span>
  );
}

interface Change {
  id: string;
  action: "CREATED" | "UPDATED" | "STATUS_CHANGED";
  field_name: string | null;
  old_value: string | null;
  new_value: string | null;
  created_at: string;
}

function TaskDialog({ task, projects, onClose }: { task: Task; projects: Projects; onClose(): void }) {
  const texts = useTexts(TASKS);
  return (
    <Dialog title={task.title} onClose={onClose}>
      <TaskDetails task={task} projects={projects} />
      <div class="buttons">
        <a class="button" href={buildHref("tasks", ["task", task.id])}>
          {texts.openPage}
        </a>
      </div>
    </Dialog>
  );
}

export function TaskDetails({ task, projects }: { task: Task; projects: Projects }) {
  const texts = useTexts(TASKS);
  const language = useLanguage();
  const loaded = useLoaded((signal) => callTool<{ items: Change[] }>("get_task_changelogs", { task_id: task.id, limit: 50 }, { signal }).then((answer) => answer.data.items), [task.id]);
  const project = task.project_id === null ? undefined : projects.get(task.project_id);
  return (
    <>
      <Facts
        facts={[
          [texts.status, texts[task.status]],
          [texts.priority, texts[task.priority]],
          [texts.project, project?.name ?? texts.noProject],
          [texts.dueAt, task.due_at ? formatDateTime(task.due_at, language) : texts.noDue],
          [texts.created_at, formatDateTime(task.created_at, language)],
          ...(task.description ? ([[texts.description, task.description]] as [string, string][]) : []),
        ]}
      />
      {task.notes_markdown && (
        <>
          <h3>{texts.notes}</h3>
          <p class="task-notes">{task.notes_markdown}</p>
        </>
      )}
      <h3>{texts.history}</h3>
      <LoadedView loaded={loaded}>
        {(changes) => (
          <ul class="changes">
            {changes.map((change) => (
              <li key={change.id}>
                <small>{formatDateTime(change.created_at, language)}</small> {texts[change.action]} {change.field_name && <code>{change.field_name}</code>}{" "}
                {change.old_value !== null || change.new_value !== null ? `${change.old_value ?? "–"} → ${change.new_value ?? "–"}` : ""}
              </li>
            ))}
          </ul>
        )}
      </LoadedView>
    </>
  );
}
