// A suite as the server describes it, and what its generated page makes of an answer.
import { getJson, isObject } from "../../api";
import type { Language } from "../../language";
import { type ToolContract, kindOf } from "../tools/contract";

export interface SuiteResource {
  uri: string;
  title: string;
  description: string;
  mime_type: string;
  /** The names that a template's address has in braces. */
  parts: { name: string; completes: boolean }[];
}

export interface SuiteDescription {
  name: string;
  title: string;
  package: { name: string; version: string } | null;
  tools: ToolContract[];
  resources: SuiteResource[];
  prompts: { name: string; title: string; description: string; arguments: { name: string; description: string; required: boolean }[] }[];
}

export const loadSuite = (name: string, lang: Language, signal: AbortSignal) => getJson<SuiteDescription>(`/console/api/suite?${new URLSearchParams({ name, lang })}`, { signal });

/** Whether a tool lists something without being asked for anything: it reads, needs no argument, and answers a list. */
export function isListing(tool: ToolContract): boolean {
  const answers = Object.values(tool.output_schema.properties ?? {});
  return tool.effect === "read" && !tool.input_schema.required?.length && answers.some((field) => kindOf(field) === "array");
}

// What any tool takes: how much of the answer, and from where on.
const USUAL_ARGUMENTS = new Set(["detail", "cursor", "limit"]);

/** Whether a tool takes arguments of its own. */
export function takesArguments(tool: ToolContract): boolean {
  return Object.keys(tool.input_schema.properties ?? {}).some((name) => !USUAL_ARGUMENTS.has(name));
}

export type ListRow = Record<string, unknown>;

/** Returns the longest list of an answer as rows. Plain values become rows of one column, named after the list. */
export function readRows(answer: Record<string, unknown>): ListRow[] {
  const lists = Object.entries(answer).flatMap(([name, value]) => (Array.isArray(value) ? [[name, value] as [string, unknown[]]] : []));
  const [name, values] = lists.reduce((best, list) => (list[1].length > best[1].length ? list : best), lists[0] ?? ["", []]);
  return values.map((value) => (isObject(value) ? value : { [toSingular(name)]: value }));
}

function toSingular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.endsWith("s") ? name.slice(0, -1) : name;
}

/** Fills the parts of a template's address. */
export function fillAddress(uri: string, parts: Record<string, string>): string {
  return uri.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ""));
}

/** Finds the resource that a row names: the first template whose parts are all fields of the row. */
export function findResource(row: ListRow, resources: SuiteResource[]): { field: string; uri: string } | null {
  for (const { uri, parts } of resources) {
    const values = parts.map(({ name }) => row[name]);
    const [first] = parts;
    if (first && values.every((value) => (typeof value === "string" && value !== "") || typeof value === "number")) {
      return { field: first.name, uri: fillAddress(uri, Object.fromEntries(parts.map(({ name }, at) => [name, String(values[at])]))) };
    }
  }
  return null;
}
