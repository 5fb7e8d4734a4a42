// Tables. Every table of the console is a `SavedTable`, so that each can be saved as CSV and as JSON.
import type { ComponentChildren } from "preact";
import { SaveRows } from "./exports";
import type { Cell, FileRow } from "../../save";

interface SavedTableProps {
  label: string;
  /** The name of a saved file. */
  file: string;
  /** The rows of a saved file. */
  rows(): FileRow[];
  /** What is beside `table` in the class of the frame, and the class of the table itself. */
  frameClass?: string;
  tableClass?: string;
  children: ComponentChildren;
}

export function SavedTable({ label, file, rows, frameClass = "", tableClass, children }: SavedTableProps) {
  return (
    <div class="saved-table">
      <div class={`table ${frameClass}`.trim()} role="region" aria-label={label} tabIndex={0}>
        <table class={tableClass}>{children}</table>
      </div>
      <SaveRows name={file} rows={rows} />
    </div>
  );
}

export interface Column<Row> {
  name: string;
  title: string;
  show(row: Row): ComponentChildren;
  /** The value in a saved file; null for a column that only has buttons or links. */
  value: ((row: Row) => Cell) | null;
  /** Align right. */
  figure?: boolean;
  /** Left out on small screens. */
  minor?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row, at: number): string | number;
  /** The name of a saved file. */
  file: string;
}

/** A table from columns. On small screens each row becomes a block: its first cell on top, the others labelled. */
export function Table<Row>({ label, columns, rows, keyOf, file }: TableProps<Row>) {
  const toFile = () => rows.map((row): FileRow => Object.fromEntries(columns.flatMap((column) => (column.value ? [[column.name, column.value(row)]] : []))));
  const classOf = (column: Column<Row>) => [column.figure ? "figure" : "", column.minor ? "minor" : ""].filter(Boolean).join(" ");
  return (
    <SavedTable label={label} file={file} rows={toFile} frameClass="rows">
      <thead>
        <tr>
          {columns.map((column) =>
            column.title ? (
              <th key={column.name} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ) : (
              <td key={column.name} />
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf(row, at)}>
            {columns.map((column) => (
              <td key={column.name} class={classOf(column)} data-title={column.title}>
                <div class="cell">{column.show(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </SavedTable>
  );
}
