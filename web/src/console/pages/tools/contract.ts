// A tool as `GET /tools` returns it, and the subset of JSON Schema that contracts use.
import { isObject } from "../../api";

export interface Schema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

export interface ToolContract {
  name: string;
  portable_name: string;
  suite: string;
  title: string;
  description: string;
  effect: "read" | "write";
  scopes: string[];
  timeout_ms: number;
  errors: string[];
  input_schema: Schema;
  output_schema: Schema;
  examples: { title: string; arguments: Record<string, unknown> }[];
}

export interface Catalogue {
  suites: { name: string; title: string; tools: number }[];
  tools: ToolContract[];
}

export type Arguments = Record<string, unknown>;

/** Returns the type of a field other than null. */
export function kindOf(schema: Schema): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? ""];
  return types.find((type) => type !== "null") ?? "";
}

export function choicesOf(schema: Schema): string[] | null {
  const choices = schema.enum?.filter((choice) => choice !== null);
  return choices?.length ? choices.map(String) : null;
}

/** Returns a copy of the arguments with one set or removed. */
export function withArgument(args: Arguments, name: string, value: unknown): Arguments {
  const { [name]: _, ...rest } = args;
  return value === undefined ? rest : { ...rest, [name]: value };
}

export interface BoundWords {
  letters: string;
  items: string;
  usually: string;
}

/** Describes the constraints of a field: `1–100`, `≤ 200 chars`. */
export function boundsOf(schema: Schema, words: BoundWords): string {
  const parts: string[] = [];
  const range = (low: number | undefined, high: number | undefined, unit: string) => {
    if (low !== undefined && high !== undefined) parts.push(`${low}–${high}${unit}`);
    else if (high !== undefined) parts.push(`≤ ${high}${unit}`);
    else if (low !== undefined) parts.push(`≥ ${low}${unit}`);
  };
  range(schema.minimum, schema.maximum, "");
  range(schema.minLength, schema.maxLength, ` ${words.letters}`);
  range(schema.minItems, schema.maxItems, ` ${words.items}`);
  const choices = choicesOf(schema);
  if (choices) parts.push(choices.join(" | "));
  if (schema.default !== undefined && schema.default !== null) parts.push(`${words.usually} ${JSON.stringify(schema.default)}`);
  return parts.join(" · ");
}

export interface FieldRow {
  path: string;
  kind: string;
  bounds: string;
  required: boolean;
  description: string;
}

/** Lists every field of a schema, nested fields with their path. */
export function fieldRows(schema: Schema, words: BoundWords, prefix = ""): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const kind = kindOf(field);
    const inner = kind === "array" && field.items ? field.items : field;
    const path = `${prefix}${name}${kind === "array" ? "[]" : ""}`;
    const typeName = kind === "array" && field.items ? `${kindOf(field.items)}[]` : kind;
    const row: FieldRow = {
      path,
      kind: typeName,
      bounds: boundsOf(field, words),
      required: schema.required?.includes(name) ?? false,
      description: field.description ?? "",
    };
    return [row, ...(isObject(inner.properties) ? fieldRows(inner, words, `${path}.`) : [])];
  });
}
