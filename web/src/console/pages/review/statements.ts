// Statements of the review as the server describes them, and the calls that read and decide.
import { getJson, postJson } from "../../api";
import type { Language } from "../../language";

export const SEVERITIES = ["contraindicated", "major", "moderate", "minor"] as const;
export type Severity = (typeof SEVERITIES)[number];
export const EVIDENCE = ["official", "trial", "pharmacokinetic", "observational", "case_reports", "animal", "in_vitro", "theoretical"] as const;
export type Evidence = (typeof EVIDENCE)[number];
export const STATES = ["open", "outdated", "decided", "accepted", "corrected", "rejected", "all"] as const;
export type QueueState = "open" | "outdated" | "accepted" | "corrected" | "rejected" | "reviewed" | "unreviewed";
export type Verdict = "accept" | "correct" | "reject";
export type Bilingual = Record<Language, string>;

export interface NamedNode {
  id: string;
  type: string;
  en: string;
  th: string;
}

export interface StandingDecision {
  id: string;
  verdict: Verdict;
  reviewer: string;
  date: string;
  reason: string | null;
  outdated: boolean;
}

export interface StatementRow {
  id: string;
  state: QueueState;
  severity: Severity;
  evidence: Evidence | null;
  kind: string;
  subject: NamedNode;
  objects: NamedNode[];
  effect: Bilingual | null;
  decision: StandingDecision | null;
}

export interface Progress {
  open: number;
  decided: number;
  statements: number;
  states: Partial<Record<QueueState, number>>;
}

export interface StatementList {
  statements: StatementRow[];
  total: number;
  progress: Progress;
  subjects: (NamedNode & { count: number })[];
  sources: { id: string; title: string | null; count: number }[];
}

export interface StatementSource {
  id: string;
  title: string | null;
  year: number | null;
  url: string | null;
  how_read: Bilingual | null;
  review: string;
  is_reviewers: boolean;
}

export interface PastDecision {
  id: string;
  decided_at: string;
  verdict: Verdict;
  reviewer: string;
  date: string;
  reason: string | null;
  sources: { title: string; url?: string; year?: number }[];
  changes: Record<string, string>;
  undone: { by: string; at: string; reason: string | null } | null;
}

export type TextName = "effect" | "mechanism" | "management" | "object" | "source_phrase" | "evidence_detail";

export interface StatementCard extends StatementRow {
  texts: Partial<Record<TextName, Bilingual>>;
  route: string | null;
  reasons: Bilingual[];
  differences: { id: string; severity: Severity | null; evidence: Evidence | null; effect: { en: string | null; th: string | null }; sources: string[] }[];
  sources: StatementSource[];
  shipped: { severity: Severity; evidence: Evidence | null };
  history: PastDecision[];
  may_decide: boolean;
}

export interface DecisionBody {
  verdict: Verdict;
  reviewer: string;
  date: string;
  reason?: string;
  sources: { title: string; url?: string }[];
  changes?: Record<string, string>;
}

const API = "/console/api/herbs";

export function loadQueue(filters: Record<string, string>, signal?: AbortSignal): Promise<StatementList> {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  return getJson<StatementList>(`${API}/review?${query}`, { signal });
}

export function loadStatement(id: string, signal?: AbortSignal): Promise<StatementCard> {
  return getJson<StatementCard>(`${API}/statement?id=${encodeURIComponent(id)}`, { signal });
}

export function sendDecision(id: string, body: DecisionBody): Promise<StatementCard> {
  return postJson<StatementCard>(`${API}/statement?id=${encodeURIComponent(id)}`, body);
}

export function sendUndo(id: string, reviewer: string): Promise<StatementCard> {
  return postJson<StatementCard>(`${API}/undo?id=${encodeURIComponent(id)}`, { reviewer });
}

export function rankSeverity(severity: Severity): number {
  return SEVERITIES.length - SEVERITIES.indexOf(severity);
}

export interface CoverageCell {
  severity: Severity;
  evidence: Evidence | null;
  statements: string[];
  open: number;
  whole: number;
}

export interface CoverageGrid {
  columns: (NamedNode & { usual: boolean })[];
  rows: (NamedNode & { cells: Record<string, CoverageCell> })[];
}

export function loadCoverage(type: string, signal?: AbortSignal): Promise<CoverageGrid> {
  return getJson<CoverageGrid>(`${API}/coverage?type=${type}`, { signal });
}

const REVIEWER_KEY = "sanya.reviewer";

/** The reviewer's name, kept for this tab. */
export function loadReviewer(): string {
  return sessionStorage.getItem(REVIEWER_KEY) ?? "";
}

export function saveReviewer(name: string): void {
  sessionStorage.setItem(REVIEWER_KEY, name);
}

/** Today in the reader's time zone, as 2026-01-31. */
export function today(): string {
  const now = new Date();
  return [now.getFullYear(), String(now.getMonth() + 1).padStart(2, "0"), String(now.getDate()).padStart(2, "0")].join("-");
}
