// A tool as `GET /tools` tells it, and the part of JSON Schema that our contracts are written in.
import { isBag } from "../../api";

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

/** The one type of a field, apart from null. */
export function kindOf(schema: Schema): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? ""];
  return types.find((one) => one !== "null") ?? "";
}

export function choicesOf(schema: Schema): string[] | null {
  const given = schema.enum?.filter((one) => one !== null);
  return given?.length ? given.map(String) : null;
}

/** The same arguments with one more, one other or one fewer. */
export function withArgument(given: Arguments, name: string, value: unknown): Arguments {
  const { [name]: _, ...rest } = given;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** What a field takes, in a few words: `1 to 100`, `at most 200 characters`. */
export function boundsOf(schema: Schema): string {
  const parts: string[] = [];
  const range = (low: number | undefined, high: number | undefined, unit: string) => {
    if (low !== undefined && high !== undefined) parts.push(`${low}–${high}${unit}`);
    else if (high !== undefined) parts.push(`≤ ${high}${unit}`);
    else if (low !== undefined) parts.push(`≥ ${low}${unit}`);
  };
  range(schema.minimum, schema.maximum, "");
  range(schema.minLength, schema.maxLength, " chars");
  range(schema.minItems, schema.maxItems, " items");
  const choices = choicesOf(schema);
  if (choices) parts.push(choices.join(" | "));
  if (schema.default !== undefined && schema.default !== null) parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.join(" · ");
}

export interface FieldRow {
  path: string;
  kind: string;
  bounds: string;
  required: boolean;
  description: string;
}

/** Every field of a schema, nested ones under their path. */
export function fieldRows(schema: Schema, prefix = ""): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const kind = kindOf(one);
    const inner = kind === "array" && one.items ? one.items : one;
    const path = `${prefix}${name}${kind === "array" ? "[]" : ""}`;
    const shown = kind === "array" && one.items ? `${kindOf(one.items)}[]` : kind;
    const row: FieldRow = {
      path,
      kind: shown,
      bounds: boundsOf(one),
      required: schema.required?.includes(name) ?? false,
      description: one.description ?? "",
    };
    return [row, ...(isBag(inner.properties) ? fieldRows(inner, `${path}.`) : [])];
  });
}
