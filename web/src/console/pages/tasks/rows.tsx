import { useState } from "preact/hooks";
import { callTool } from "../../api";
import { day, moment } from "../../format";
import { useLanguage, useWords } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Dialog, Facts, Highlight, Shown } from "../../parts";
import { type Projects, type Task, colourOf } from "./tasks";
import { TASKS } from "./words";

export function TaskRows({ tasks, projects, marks = [], now }: { tasks: Task[]; projects: Projects; marks?: string[]; now?: string }) {
  const [shown, setShown] = useState<Task | null>(null);
  return (
    <>
      <ul class="task-rows">
        {tasks.map((task) => (
          <Row key={task.id} task={task} projects={projects} marks={marks} now={now} onOpen={setShown} />
        ))}
      </ul>
      {shown && <TaskDialog task={shown} projects={projects} onClose={() => setShown(null)} />}
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
  const words = useWords(TASKS);
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
        <Badge tone={task.status === "DONE" ? "good" : task.status === "DOING" ? "brand" : "plain"}>{words[task.status]}</Badge>
        {task.priority === "URGENT" && <Badge tone="bad">{words.URGENT}</Badge>}
        {task.is_important && <Badge tone="note">{words.important}</Badge>}
        {task.due_at && (
          <small>
            {words.dueAt} {day(task.due_at, language)}
          </small>
        )}
        {late !== null && late > 0 && <small class="late">{words.late.replace("{n}", String(late))}</small>}
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
  const words = useWords(TASKS);
  const language = useLanguage();
  const loaded = useLoaded((signal) => callTool<{ items: Change[] }>("get_task_changelogs", { task_id: task.id, limit: 50 }, { signal }).then((answer) => answer.data.items), [task.id]);
  const project = task.project_id === null ? undefined : projects.get(task.project_id);
  return (
    <Dialog title={task.title} onClose={onClose}>
      <Facts
        facts={[
          [words.status, words[task.status]],
          [words.priority, words[task.priority]],
          [words.project, project?.name ?? words.noProject],
          [words.dueAt, task.due_at ? moment(task.due_at, language) : words.noDue],
          [words.created_at, moment(task.created_at, language)],
          ...(task.description ? ([[words.description, task.description]] as [string, string][]) : []),
        ]}
      />
      {task.notes_markdown && (
        <>
          <h3>{words.notes}</h3>
          <p class="task-notes">{task.notes_markdown}</p>
        </>
      )}
      <h3>{words.history}</h3>
      <Shown loaded={loaded}>
        {(changes) => (
          <ul class="changes">
            {changes.map((change) => (
              <li key={change.id}>
                <small>{moment(change.created_at, language)}</small> {words[change.action]} {change.field_name && <code>{change.field_name}</code>}{" "}
                {change.old_value !== null || change.new_value !== null ? `${change.old_value ?? "–"} → ${change.new_value ?? "–"}` : ""}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Dialog>
  );
}
