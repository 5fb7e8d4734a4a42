// The lists of a suite as tables: every tool that answers a list without being asked for anything.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, callTool, isObject } from "../../api";
import { formatKnown } from "../../format";
import { type Language, useLanguage, useTexts } from "../../language";
import { toApiError } from "../../loading";
import { Card, type Column, Empty, ErrorBox, Spinner, Table } from "../../parts";
import { stringify } from "../../parts/json";
import { buildHref } from "../../router";
import type { Cell } from "../../../save";
import type { ToolContract } from "../tools/contract";
import { type ListRow, type SuiteResource, findResource, readRows } from "./suite";
import { SUITES } from "./texts";

interface ListProps {
  tool: ToolContract;
  resources: SuiteResource[];
  /** Counts what was written on the page, so that the list follows. */
  writes: number;
}

export function SuiteList({ tool, resources, writes }: ListProps) {
  const texts = useTexts(SUITES);
  const [rows, setRows] = useState<ListRow[] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const load = async (from: string | null, signal?: AbortSignal) => {
    try {
      const answer = await callTool(tool.name, from === null ? {} : { cursor: from }, { signal });
      const found = readRows(answer.data);
      setRows((before) => (from === null ? found : [...(before ?? []), ...found]));
      setCursor(answer.meta.next_cursor);
      setError(null);
    } catch (caught) {
      if (!signal?.aborted) setError(toApiError(caught));
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    void load(null, stop.signal);
    return () => stop.abort();
  }, [tool.name, writes]);
  // Some tools need a filter although none is required; their form says so.
  if (error?.status === 400) return null;
  return (
    <Card
      title={tool.title}
      aside={
        <button type="button" onClick={() => void load(null)}>
          {texts.refresh}
        </button>
      }
    >
      {error && <ErrorBox error={error} onRetry={() => void load(null)} />}
      {!error && rows === null && <Spinner />}
      {rows?.length === 0 && <Empty title={texts.empty}>{texts.emptyHint}</Empty>}
      {rows && rows.length > 0 && <Rows rows={rows} tool={tool} resources={resources} />}
      {cursor && (
        <button type="button" onClick={() => void load(cursor)}>
          {texts.more}
        </button>
      )}
    </Card>
  );
}

function Rows({ rows, tool, resources }: { rows: ListRow[]; tool: ToolContract; resources: SuiteResource[] }) {
  const language = useLanguage();
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const show = (row: ListRow, name: string) => {
    const resource = findResource(row, resources);
    const text = toText(row[name], language);
    return resource?.field === name ? <a href={buildHref("suites", [tool.suite, "resource"], { uri: resource.uri })}>{text}</a> : text;
  };
  const columns = names.map(
    (name): Column<ListRow> => ({
      name,
      title: name.replaceAll("_", " "),
      figure: rows.every((row) => typeof row[name] === "number"),
      value: (row) => toCell(row[name]),
      show: (row) => show(row, name),
    }),
  );
  return <Table label={tool.title} columns={columns} rows={rows} keyOf={(_, at) => at} file={tool.name} />;
}

function toCell(value: unknown): Cell {
  return isObject(value) || Array.isArray(value) ? stringify(value, 0) : (value as Cell);
}

const DAY_OR_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

function toText(value: unknown, language: Language): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string" && DAY_OR_TIME.test(value)) return formatKnown(value, language);
  return Array.isArray(value) && value.every((item) => typeof item !== "object") ? value.join(", ") : String(toCell(value));
}
