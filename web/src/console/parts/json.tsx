// Shows any JSON as a collapsible tree, and a list of objects as a table.
import { useState } from "preact/hooks";
import { isObject } from "../api";
import type { Cell } from "../../save";
import { SavedTable } from "./table";

const FIRST = 50;
const OPEN_DEPTH = 2;
const SHORT_LIST = 12;
const CELL_CHARS = 140;
const SHORT_CELL = 24;

/** Serializes JSON and keeps large integers exact. */
export function stringify(value: unknown, indent = 2): string {
  const big: string[] = [];
  const mark = (_key: string, item: unknown) => (typeof item === "bigint" ? `\u0000${big.push(String(item)) - 1}\u0000` : item);
  const text = JSON.stringify(value, mark, indent) ?? "";
  return text.replace(/"\\u0000(\d+)\\u0000"/g, (_, at) => big[Number(at)] ?? "");
}

export function JsonTree({ value, name }: { value: unknown; name?: string }) {
  return (
    <div class="json">
      <Node value={value} name={name} depth={0} />
    </div>
  );
}

function Node({ value, name, depth }: { value: unknown; name?: string | undefined; depth: number }) {
  const entries = Array.isArray(value) ? value.map((item, at) => [String(at), item] as const) : isObject(value) ? Object.entries(value) : null;
  const [open, setOpen] = useState(depth < OPEN_DEPTH && (entries?.length ?? 0) <= SHORT_LIST);
  const [most, setMost] = useState(FIRST);
  const label = name !== undefined && <span class="json-name">{name}: </span>;
  if (entries === null || entries.length === 0) {
    return (
      <div class="json-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const summary = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="dim">{summary}</span>
      </summary>
      {open && (
        <div class="json-inside">
          {entries.slice(0, most).map(([key, item]) => (
            <Node key={key} name={key} value={item} depth={depth + 1} />
          ))}
          {entries.length > most && (
            <button type="button" class="link" onClick={() => setMost(most + 10 * FIRST)}>
              +{entries.length - most}
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { value: unknown }) {
  const kind = value === null ? "null" : Array.isArray(value) || isObject(value) ? "empty" : typeof value;
  return <span class={`json-${kind}`}>{kind === "string" ? String(value) : stringify(value)}</span>;
}

/** Finds the longest list of objects in an answer, to show it as a table. */
export function findLongestList(value: unknown, depth = 0): Record<string, unknown>[] | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isObject) ? value : null;
  if (!isObject(value) || depth > 3) return null;
  const lists = Object.values(value).map((item) => findLongestList(item, depth + 1));
  return lists.reduce((best, rows) => ((rows?.length ?? 0) > (best?.length ?? 0) ? rows : best), null);
}

export function JsonTable({ rows, label, file }: { rows: Record<string, unknown>[]; label: string; file: string }) {
  const [most, setMost] = useState(FIRST);
  const names = [...new Set(rows.slice(0, FIRST).flatMap((row) => Object.keys(row)))];
  return (
    <>
      <SavedTable label={label} file={file} rows={() => rows.map(toFileRow)} tableClass="json-table">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row, at) => (
            <tr key={at}>
              {names.map((name) => {
                const text = cell(row[name]);
                return (
                  <td key={name} class={typeof row[name] === "number" ? "figure" : text.length > SHORT_CELL ? "long" : ""}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </SavedTable>
      {rows.length > most && (
        <button type="button" onClick={() => setMost(most + 10 * FIRST)}>
          +{rows.length - most}
        </button>
      )}
    </>
  );
}

function toFileRow(row: Record<string, unknown>): Record<string, Cell> {
  const isCell = (value: unknown): value is Cell => value === null || ["string", "number", "boolean", "undefined"].includes(typeof value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isCell(value) ? value : stringify(value, 0)]));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text = typeof value === "string" ? value : stringify(value, 0);
  return text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS)}…` : text;
}
