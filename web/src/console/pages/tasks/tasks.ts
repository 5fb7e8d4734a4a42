// Tasks and projects, with the fields that the pages show.
import { callTool } from "../../api";
import { useLoaded } from "../../loading";

export interface Task {
  id: string;
  title: string;
  description: string | null;
  notes_markdown: string | null;
  project_id: string | null;
  status: "TODO" | "DOING" | "DONE" | "ARCHIVED";
  priority: "URGENT" | "NORMAL" | "LOW";
  is_important: boolean;
  due_at: string | null;
  recurrence: string | null;
  created_at: string;
  updated_at: string;
}

export interface Project {
  id: string;
  name: string;
  color: string | null;
}

export interface Review {
  week_start: string;
  week_end: string;
  period_end: string;
  completed_count: number;
  created_count: number;
  pending_count: number;
  overdue_count: number;
  carry_over_count: number;
  due_this_week_open_count: number;
  completed_tasks: Task[];
  pending_tasks: Task[];
  overdue_tasks: Task[];
  created_tasks?: Task[];
  due_this_week_tasks?: Task[];
}

export type Projects = ReadonlyMap<string, Project>;

export function useProjects(): Projects {
  const loaded = useLoaded(async (signal) => {
    const answer = await callTool<{ items: Project[] }>("get_projects", { limit: 200 }, { signal });
    return new Map(answer.data.items.map((project) => [project.id, project]));
  }, []);
  return loaded.value ?? new Map();
}

/** Returns whether the tasks are the samples of a new home, not the user's own. */
export function useSamples(): boolean {
  const loaded = useLoaded(async (signal) => (await callTool<{ samples?: boolean }>("get_tasks", { limit: 1 }, { signal })).data.samples === true, []);
  return loaded.value ?? false;
}

/** Returns the project's colour if it is a valid hex colour, so that no other text becomes style. */
export function colourOf(project: Project | undefined): string | null {
  return project?.color && /^#[0-9a-f]{6}$/i.test(project.color) ? project.color : null;
}
