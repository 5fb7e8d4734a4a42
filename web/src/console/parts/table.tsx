// A table with a way to save it. On small screens each row becomes a block: its first cell on top, the others labelled.
import type { ComponentChildren } from "preact";
import { SaveRows } from "./exports";
import type { Cell, FileRow } from "./save_file";

export interface Column<Row> {
  name: string;
  title: string;
  show(row: Row): ComponentChildren;
  /** The value in a saved file; without it the column is only shown. */
  value?(row: Row): Cell;
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
  /** The name of a saved file. Columns need a `value` for it. */
  file?: string;
}

export function Table<Row>({ label, columns, rows, keyOf, file }: TableProps<Row>) {
  const saved = columns.filter((column) => column.value);
  const toFile = () => rows.map((row): FileRow => Object.fromEntries(saved.map((column) => [column.name, column.value?.(row)])));
  const classOf = (column: Column<Row>) => [column.figure ? "figure" : "", column.minor ? "minor" : ""].filter(Boolean).join(" ");
  return (
    <>
      <div class="table rows" role="region" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" class={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={keyOf(row, at)}>
                {columns.map((column) => (
                  <td key={column.name} class={classOf(column)} data-title={column.title}>
                    {column.show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {file && rows.length > 0 && <SaveRows name={file} rows={toFile} />}
    </>
  );
}
