import { useState } from "preact/hooks";
import { callTool } from "../../api";
import { formatDay, formatMinute } from "../../format";
import { type Language, useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Dialog, Facts, Highlight, LoadedView } from "../../parts";
import { buildHref } from "../../router";
import { type Projects, type Task, colourOf } from "./tasks";
import { TASKS, type TaskTexts } from "./texts";

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
        {late !== null && late > 0 && <small class="late">{texts.late(late)}</small>}
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

/** A field or a value of the tasks tool in the reader's words, where there are some. */
function nameField(field: string, texts: TaskTexts): string {
  const name = field === "due_at" ? "dueAt" : field;
  return name in texts ? String(texts[name as keyof TaskTexts]).toLowerCase() : field.replaceAll("_", " ");
}

function nameValue(value: string | null, texts: TaskTexts, language: Language): string {
  if (value === null) return "–";
  if (/^[A-Z]+$/.test(value) && value in texts) return String(texts[value as keyof TaskTexts]);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? formatMinute(value, language) : value;
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
          [texts.dueDate, task.due_at ? formatMinute(task.due_at, language) : texts.noDue],
          [texts.created_at, formatMinute(task.created_at, language)],
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
                <small>{formatMinute(change.created_at, language)}</small> {texts[change.action]} {change.field_name && nameField(change.field_name, texts)}{" "}
                {change.old_value !== null || change.new_value !== null ? `${nameValue(change.old_value, texts, language)} → ${nameValue(change.new_value, texts, language)}` : ""}
              </li>
            ))}
          </ul>
        )}
      </LoadedView>
    </>
  );
}
