// A job as `/jobs` returns it, and the report of the ingest tools.
import type { Tone } from "../../parts";

export interface Job {
  job_id: string;
  kind: string;
  owner: string;
  status: "queued" | "running" | "done" | "error";
  ending: "cancelled" | "rolled_back" | null;
  dry_run: boolean;
  documents: string[];
  progress: { done: number; total: number | null; message: string | null };
  attempts: number;
  cancel_asked: boolean;
  error: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface LogLine {
  number: number;
  at: string;
  text: string;
}

export interface Change {
  document: number;
  kind: "source" | "node" | "name" | "edge" | "conflict" | "ambiguous" | "unlinked";
  type: string | null;
  text: string;
  /** Ids of the nodes that a statement links. */
  from: string | null;
  to: string | null;
  page: number | null;
  confidence: number | null;
}

export interface DocumentReport {
  number: number;
  uri: string;
  status: Job["status"];
  pages: number;
  ocr_pages: number;
  notes: string[];
  counts: Record<string, number>;
  nothing_new: boolean;
  error: { code: string; message: string } | null;
}

export interface IngestReport {
  documents: DocumentReport[];
  changes: Change[];
  next_cursor: string | null;
}

export const isOpen = (job: Job) => job.status === "queued" || job.status === "running";

export function toneOf(job: Job): Tone {
  if (job.ending) return "note";
  return ({ queued: "plain", running: "brand", done: "good", error: "bad" } as const)[job.status];
}

export function progressOf(job: Job): number | null {
  if (job.status === "done") return 1;
  return job.progress.total ? job.progress.done / job.progress.total : job.status === "queued" ? 0 : null;
}

export const fileName = (uri: string) => decodeURIComponent(uri.split("/").pop() ?? uri);
